/** Brings files and records together after a crash, and empties the trash of files: at the start and every hour (checklist §4). */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { RepeatedWork } from '../../db/repeated-work.ts'
import { trashDays } from '../../resources/write/restore.ts'
import { filesOf } from './file-record.ts'
import type { FileStorage } from './storage/storage.ts'
import { readStoredName } from './stored-names.ts'
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
  /** Names of the files that were removed: no record names them, not in the trash either. */
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
  readonly #clock = new RepeatedWork(every)

  constructor(parts: SweepParts) {
    this.#parts = parts
  }

  /** Sweeps now and every hour. In: what to do with what was found, and with an error, which must not end the program. */
  start(onReport: (report: SweepReport) => void, onError: (error: unknown) => void): void {
    const sweep = async () => {
      const report = await this.run()
      if (report.missing.length + report.removed.length + report.spared > 0) onReport(report)
    }
    this.#clock.start(sweep, onError)
  }

  /** Stops the clock and waits for a sweep that has begun. */
  stop(): Promise<void> {
    return this.#clock.stop()
  }

  /** Sweeps once. */
  async run(now = Date.now()): Promise<SweepReport> {
    const { storage } = this.#parts
    await this.#removeIncoming(now)
    const expired = await this.#emptyTrash(now)
    const [named, inTrash] = [await this.#namedFiles(), await this.#filesInTrash()]
    const [orphans, outdated]: [string[], string[]] = [[], []]
    const spareSince = await this.#restoredCopy()
    let files = 0
    const found = new Set<string>()
    for await (const { name, changedAt } of storage.list()) {
      files += 1
      const hash = readStoredName(name)?.hash
      if (named.has(name)) found.add(name)
      else if (inTrash.has(name)) continue
      else if (hash !== undefined && expired.has(hash)) outdated.push(name)
      else if (now - changedAt.getTime() > grace && changedAt.getTime() < spareSince - grace) orphans.push(name)
    }
    const missing = new Set([...named].filter(([name]) => !found.has(name)).map(([, id]) => id))
    const isWrong = orphans.length > suspicious && orphans.length * 2 > files
    const removed = [...outdated, ...(isWrong ? [] : orphans)]
    for (const name of removed) await storage.remove(name)
    return { missing: [...missing], removed, spared: isWrong ? orphans.length : 0 }
  }

  /**
   * Forgets the addresses and mentions of files that cannot come back from the trash any more. Out: the hashes of their
   * names, whose bytes may go.
   */
  async #emptyTrash(now: number): Promise<ReadonlySet<string>> {
    const { database } = this.#parts
    const since = new Date(now - trashDays * 24 * 3_600_000 - grace).toISOString()
    const isGone = sql`not exists (select 1 from uploads u where u.id = file_id) and not exists (
      select 1 from revisions r where r.resource = 'uploads' and r.document_id = file_id and r.operation = 'remove'
         and r.kept is not null and r.created_at > ${since}::timestamptz)`
    const rows = await database.query(sql<{ hash: string }>`
      with forgotten as (delete from upload_mentions where ${isGone})
      delete from upload_addresses where ${isGone} returning hash`)
    return new Set(rows.map(({ hash }) => hash))
  }

  /** The files of records in the trash, which come back with them. */
  async #filesInTrash(): Promise<ReadonlySet<string>> {
    const rows = await this.#parts.database.query(sql<{ url: string | null; formats: unknown }>`
      select r.changes -> 'url' ->> 'before' as url, r.changes -> 'formats' -> 'before' as formats from revisions r
       where r.resource = 'uploads' and r.operation = 'remove' and r.kept is not null
         and exists (select 1 from upload_addresses a where a.file_id = r.document_id)
         and not exists (select 1 from uploads u where u.id = r.document_id)`)
    return new Set(rows.flatMap(filesOf))
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
