/**
 * Matches files with records after a crash, and empties the trash of files: at the start and every hour
 * (checklist §4).
 */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { RepeatedWork } from '../../db/repeated-work.ts'
import { trashDays } from '../../resources/write/restore.ts'
import { filesOf } from './file-record.ts'
import { resumableName } from './resumable/open-pieces.ts'
import { expiredUploads, forgetUpload } from './resumable/pending-uploads.ts'
import type { PieceStore } from './resumable/piece-store.ts'
import type { FileStorage } from './storage/storage.ts'
import { readStoredName } from './stored-names.ts'
import { incomingName } from './uploads.ts'

const intervalMs = 3_600_000
/** Age in milliseconds below which a file may still get its record, which is written after the file. */
const gracePeriod = 3_600_000
const pageSize = 1_000
/** Number of files without a record that points to the wrong database rather than to a crash. */
const suspiciousCount = 20

export interface SweepReport {
  /** Ids of records whose file is missing in the store. */
  missing: number[]
  /** Names of the files that the sweep removed: no record names them, not in the trash either. */
  removedFiles: string[]
  /** Number of files without a record that the sweep spared, because nearly all have none. */
  spared: number
}

export interface SweepParts {
  database: Database
  storage: FileStorage
  /** Bytes of unfinished resumable uploads. */
  pieces: PieceStore
  dataDir: string
}

/** Deletes files without a record, and reports records without a file. */
export class UploadSweep {
  readonly #parts: SweepParts
  readonly #clock = new RepeatedWork(intervalMs)

  constructor(parts: SweepParts) {
    this.#parts = parts
  }

  /**
   * Sweeps the stored files now and every hour.
   *
   * @param onReport - Receives the findings.
   * @param onError - Receives an error, which must not end the program.
   */
  start(onReport: (report: SweepReport) => void, onError: (error: unknown) => void): void {
    const runSweep = async () => {
      const report = await this.run()
      if (report.missing.length + report.removedFiles.length + report.spared > 0) onReport(report)
    }
    this.#clock.start(runSweep, onError)
  }

  /** Stops the timer of the file sweep and waits for a sweep that has begun. */
  stop(): Promise<void> {
    return this.#clock.stop()
  }

  /** Sweeps the stored files and their records once. */
  async run(now = Date.now()): Promise<SweepReport> {
    const { storage } = this.#parts
    await this.#removeIncoming(now)
    await this.#removePending(now)
    const expiredNames = await this.#emptyTrash(now)
    const [referencedNames, inTrash] = [await this.#namedFiles(), await this.#filesInTrash()]
    const [orphanNames, outdatedNames]: [string[], string[]] = [[], []]
    const restoredSince = await this.#restoredCopy()
    let files = 0
    const foundNames = new Set<string>()
    for await (const { name, changedAt } of storage.list()) {
      files += 1
      const hash = readStoredName(name)?.hash
      if (referencedNames.has(name)) foundNames.add(name)
      else if (inTrash.has(name)) continue
      else if (hash !== undefined && expiredNames.has(hash)) outdatedNames.push(name)
      else if (now - changedAt.getTime() > gracePeriod && changedAt.getTime() < restoredSince - gracePeriod)
        orphanNames.push(name)
    }
    const missingIds = new Set([...referencedNames].filter(([name]) => !foundNames.has(name)).map(([, id]) => id))
    const isWrong = orphanNames.length > suspiciousCount && orphanNames.length * 2 > files
    const removedNames = [...outdatedNames, ...(isWrong ? [] : orphanNames)]
    for (const name of removedNames) await storage.remove(name)
    return { missing: [...missingIds], removedFiles: removedNames, spared: isWrong ? orphanNames.length : 0 }
  }

  /**
   * Deletes the addresses and mentions of files whose time in the trash is over.
   *
   * @returns The hashes of their names, whose bytes may be deleted.
   */
  async #emptyTrash(now: number): Promise<ReadonlySet<string>> {
    const { database } = this.#parts
    const sinceTime = new Date(now - trashDays * 24 * 3_600_000 - gracePeriod).toISOString()
    const isGone = sql`not exists (select 1 from uploads u where u.id = file_id) and not exists (
      select 1 from revisions r where r.resource = 'uploads' and r.document_id = file_id and r.operation = 'remove'
         and r.kept is not null and r.created_at > ${sinceTime}::timestamptz)`
    const rows = await database.query(sql<{ hash: string }>`
      with forgotten as (delete from upload_mentions where ${isGone})
      delete from upload_addresses where ${isGone} returning hash`)
    return new Set(rows.map(({ hash }) => hash))
  }

  /** Returns the files of records in the trash, which a restore brings back. */
  async #filesInTrash(): Promise<ReadonlySet<string>> {
    const rows = await this.#parts.database.query(sql<{ url: string | null; formats: unknown }>`
      select r.changes -> 'url' ->> 'before' as url, r.changes -> 'formats' -> 'before' as formats from revisions r
       where r.resource = 'uploads' and r.operation = 'remove' and r.kept is not null
         and exists (select 1 from upload_addresses a where a.file_id = r.document_id)
         and not exists (select 1 from uploads u where u.id = r.document_id)`)
    return new Set(rows.flatMap(filesOf))
  }

  /**
   * Returns the time of the copy that was restored in the last 30 days; Infinity without a restore. Younger
   * files belong to records that it does not contain, and may be needed again.
   */
  async #restoredCopy(): Promise<number> {
    const [restoreRow] = await this.#parts.database.query(sql<{ at: string | null }>`
      select min(copied_at) as at from restores where restored_at > now() - interval '30 days'`)
    return restoreRow?.at ? Date.parse(restoreRow.at) : Number.POSITIVE_INFINITY
  }

  /** Returns every file that a record names, with the record's id. */
  async #namedFiles(): Promise<Map<string, number>> {
    const namedFiles = new Map<string, number>()
    for (let lastId = 0; ;) {
      const rows = await this.#parts.database.query(sql<{ id: number; url: string | null; formats: unknown }>`
        select id, url, formats from uploads where id > ${lastId}::int order by id limit ${pageSize}::int`)
      for (const { id, url, formats } of rows) for (const name of filesOf({ url, formats })) namedFiles.set(name, id)
      const lastRow = rows.at(-1)
      if (!lastRow || rows.length < pageSize) return namedFiles
      lastId = lastRow.id
    }
  }

  /** Deletes resumable uploads that were abandoned. */
  async #removePending(now: number): Promise<void> {
    const { database, pieces } = this.#parts
    for (const id of await expiredUploads(database, now)) {
      await pieces.remove(id)
      await forgetUpload(database, id)
    }
  }

  /** Deletes unfinished uploads of a killed program. Those that may be resumed stay. */
  async #removeIncoming(now: number): Promise<void> {
    const folder = join(this.#parts.dataDir, incomingName)
    for (const name of await readdir(folder).catch(() => [])) {
      if (name === resumableName) continue
      const foundStat = await stat(join(folder, name)).catch(() => undefined)
      if (foundStat && now - foundStat.mtimeMs > gracePeriod)
        await rm(join(folder, name), { recursive: true, force: true })
    }
  }
}
