/** Brings files and records together again after a crash: once at the start and every hour (checklist §4). */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { filesOf } from './file-record.ts'
import type { FileStorage } from './storage.ts'
import { incomingName } from './uploads.ts'

const every = 3_600_000
/** A file is written before its record: what is younger may be on its way. */
const grace = 3_600_000
const pageSize = 1_000
/** So many files without a record are no trace of a crash: then this is probably the wrong database. */
const suspicious = 20

export interface SweepReport {
  /** Records whose file is gone. */
  missing: number[]
  /** Names of the files that were removed because no record names them. */
  removed: string[]
  /** How many files without a record were left, because nearly all are without one. */
  spared: number
}

export interface SweepParts {
  database: Database
  storage: FileStorage
  dataDir: string
}

export class UploadSweep {
  readonly #parts: SweepParts
  #timer: NodeJS.Timeout | undefined
  #running: Promise<unknown> = Promise.resolve()

  constructor(parts: SweepParts) {
    this.#parts = parts
  }

  /** Sweeps now and every hour. In: what to do with what was found, and with an error, which must not end the program. */
  start(onReport: (report: SweepReport) => void, onError: (error: unknown) => void): void {
    const queue = () => {
      this.#running = this.#running
        .then(() => this.run())
        .then((report) => {
          if (report.missing.length + report.removed.length + report.spared > 0) onReport(report)
        })
        .catch(onError)
    }
    queue()
    this.#timer = setInterval(queue, every).unref()
  }

  /** Stops the clock and waits for a sweep that is going on. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  /** Sweeps once. */
  async run(now = Date.now()): Promise<SweepReport> {
    const { storage } = this.#parts
    await this.#removeIncoming(now)
    const named = await this.#namedFiles()
    const spareSince = await this.#restoredCopy()
    const orphans: string[] = []
    let files = 0
    const found = new Set<string>()
    for await (const { name, changedAt } of storage.list()) {
      files += 1
      if (named.has(name)) found.add(name)
      else if (now - changedAt.getTime() > grace && changedAt.getTime() < spareSince - grace) orphans.push(name)
    }
    const missing = new Set([...named].filter(([name]) => !found.has(name)).map(([, id]) => id))
    const isWrong = orphans.length > suspicious && orphans.length * 2 > files
    if (!isWrong) for (const name of orphans) await storage.remove(name)
    return {
      missing: [...missing],
      removed: isWrong ? [] : orphans,
      spared: isWrong ? orphans.length : 0,
    }
  }

  /**
   * The moment of the copy that was restored in the last 30 days: younger files belong to records that it does not
   * have, and may be wanted once more. Infinity without a restore.
   */
  async #restoredCopy(): Promise<number> {
    const [restored] = await this.#parts.database.query(sql<{ at: string | null }>`
      select min(copied_at) as at from restores where restored_at > now() - interval '30 days'`)
    return restored?.at ? Date.parse(restored.at) : Number.POSITIVE_INFINITY
  }

  /** Every file that a record names, with the record's id. */
  async #namedFiles(): Promise<Map<string, number>> {
    const named = new Map<string, number>()
    for (let after = 0; ;) {
      const rows = await this.#parts.database.query(sql<{ id: number; url: string | null; formats: unknown }>`
        select id, url, formats from uploads where id > ${after}::int order by id limit ${pageSize}::int`)
      for (const { id, url, formats } of rows) for (const name of filesOf({ url, formats })) named.set(name, id)
      const last = rows.at(-1)
      if (!last || rows.length < pageSize) return named
      after = last.id
    }
  }

  /** What a program that was killed had begun to read. */
  async #removeIncoming(now: number): Promise<void> {
    const folder = join(this.#parts.dataDir, incomingName)
    for (const name of await readdir(folder).catch(() => [])) {
      const found = await stat(join(folder, name)).catch(() => undefined)
      if (found && now - found.mtimeMs > grace) await rm(join(folder, name), { recursive: true, force: true })
    }
  }
}
