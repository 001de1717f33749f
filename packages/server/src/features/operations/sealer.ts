/** Seals audit lines after their writes, which only insert lines and never wait for one another. */
import { sql } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { readChainStart, chainLock, digestSql, nextLink, type ChainLink } from './audit-chain.ts'

const intervalMs = 1_000
/** Seconds after which the sealer queries without a commit: a crashed program may have left lines. */
const maxIdleSeconds = 60
const batch = 500

/**
 * Seals the committed, unsealed audit lines in the order of their ids; a line that is committed later gets a
 * later number. It emits a change of the audit, at most a second after the write, so that writes need not.
 *
 * @param database - The database.
 * @returns The number of sealed lines; undefined while another program seals.
 */
export async function sealWaitingLines(database: Database): Promise<number | undefined> {
  let sealedCount = 0
  for (;;) {
    const count = await database.transaction(sealBatch)
    if (count === undefined) return undefined
    sealedCount += count
    if (count < batch) return sealedCount
  }
}

async function sealBatch(trx: Transaction): Promise<number | undefined> {
  const [lock] = await trx.query(sql<{ held: boolean }>`select pg_try_advisory_xact_lock(${chainLock}::int) as held`)
  if (!lock?.held) return undefined
  const waitingLines = await trx.query(sql<{ id: number; digest: string }>`
    select a.id, ${digestSql} as digest from audit a where a.seal is null order by a.id limit ${batch}::int`)
  if (waitingLines.length === 0) return 0
  const [lastLink] = await trx.query(
    sql<ChainLink>`select seal, hash from audit where seal is not null order by seal desc limit 1`,
  )
  let link = lastLink ?? (await readChainStart(trx))
  const links = waitingLines.map(({ digest }) => (link = nextLink(link, digest)))
  await trx.query(sql`
    update audit set seal = given.seal, hash = given.hash
      from unnest(${waitingLines.map(({ id }) => id)}::int[], ${links.map(({ seal }) => seal)}::int[],
        ${links.map(({ hash }) => hash)}::text[]) as given(id, seal, hash)
     where audit.id = given.id`)
  trx.changed('audit')
  return waitingLines.length
}

/** Seals new audit lines within a second of their commit. */
export class AuditSealer {
  readonly #database: Database
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #seen = -1
  #idle = 0

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Seals audit lines now, and within a second of each commit.
   *
   * @param onError - Handles an error, which must not end the program.
   */
  start(onError: (error: unknown) => void): void {
    const querySealable = () => {
      this.#idle += 1
      if (this.#running || (this.#seen === this.#database.commits && this.#idle < maxIdleSeconds)) return
      this.#running = this.#seal()
        .catch(onError)
        .finally(() => (this.#running = undefined))
    }
    this.#timer = setInterval(querySealable, intervalMs)
    this.#timer.unref()
    querySealable()
  }

  /**
   * Stops the sealing of audit lines and waits for the current run; lines that remain are sealed at the next
   * start.
   */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  async #seal(): Promise<void> {
    this.#idle = 0
    const { commits } = this.#database
    // The sealer queries first: an empty commit would trigger another query and another copy of the database.
    const waitingLines = await this.#database.query(sql`select 1 from audit where seal is null limit 1`)
    if (waitingLines.length === 0) this.#seen = commits
    else await sealWaitingLines(this.#database)
  }
}
