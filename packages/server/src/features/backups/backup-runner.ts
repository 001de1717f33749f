/** Takes, proves and deletes backups: by the schedule, and for a person. */
import { mkdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { fault } from '@dala/model'
import { type BackupKind, backupKinds, type BackupPlaceName } from '@dala/model/api/backups'
import type { FastifyBaseLogger } from 'fastify'
import { copyDatabase, type StoredUploads, uploadsIn } from '../../db/backups/backup.ts'
import { archiveNames, uploadsName } from '../../db/backups/manifest.ts'
import { BackupError } from '../../db/backups/backup-error.ts'
import { type BackupKey, backupKeyOf } from '../../db/backups/sealed-file.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { UnavailableError } from '../../http/unavailable.ts'
import type { Settings } from '../../settings.ts'
import { runAlone } from './alone.ts'
import { type BackupPlace, nameOfBackup, type StagedCopy } from './backup-place.ts'
import {
  adoptBackup,
  attemptsSince,
  type BackupRow,
  completeBackups,
  findBackup,
  forgetBackups,
  hasFailedProof,
  insertBackup,
  noteBytes,
  noteComplete,
  noteFailure,
  notePlaces,
  noteProof,
  noteProofStart,
  occasionOf,
  recoverRows,
  scheduleTimes,
} from './backup-rows.ts'
import { BucketPlace } from './bucket-place.ts'
import { FolderPlace } from './folder-place.ts'
import { type ProofResult, proveBackup } from './prove.ts'
import { findExpired } from './retention.ts'

/** Attempts for one time of the schedule, and the milliseconds between them. */
const maxAttempts = 3
const attemptInterval = 3_600_000

export interface RunnerOptions {
  database: Database
  settings: Settings
  log: Pick<FastifyBaseLogger, 'error' | 'info'>
  /** The uploaded files when they are not in the data folder. */
  storedUploads?: StoredUploads | undefined
  /** The present time, which tests set. */
  clock?: () => Date
  /** Steps that take seconds, which tests of the schedule replace. */
  steps?: Readonly<BackupSteps>
}

/** The steps of a run that read a whole database. */
export interface BackupSteps {
  copyDatabase: typeof copyDatabase
  proveBackup: typeof proveBackup
}

/** Writes the audit line of a person's action in the transaction that begins it. */
export type AuditAction = (trx: Transaction, id: number) => Promise<void>

const isKind = (text: string | undefined): text is BackupKind =>
  (backupKinds as readonly (string | undefined)[]).includes(text)

export class BackupRunner {
  readonly #database: Database
  readonly #settings: Settings
  readonly #log: RunnerOptions['log']
  readonly #clock: () => Date
  readonly #startedAt: Date
  readonly #steps: Readonly<BackupSteps>
  readonly #uploads: StoredUploads
  readonly #key: BackupKey | undefined
  readonly #workFolder: string
  readonly #stopping = new AbortController()
  readonly #running = new Set<Promise<unknown>>()
  /** Places of backups that the settings name. */
  readonly places: readonly BackupPlace[]

  constructor({
    database,
    settings,
    log,
    storedUploads,
    clock = () => new Date(),
    steps = { copyDatabase, proveBackup },
  }: RunnerOptions) {
    this.#steps = steps
    const { dataDir, backups } = settings
    this.#database = database
    this.#settings = settings
    this.#log = log
    this.#clock = clock
    this.#startedAt = clock()
    this.#uploads = storedUploads ?? uploadsIn(join(dataDir, uploadsName))
    this.#key = backups.key && backupKeyOf(backups.key)
    this.#workFolder = join(dataDir, 'backups', '.work')
    this.places = [
      ...(backups.folder === undefined ? [] : [new FolderPlace(backups.folder)]),
      ...(backups.bucket === undefined ? [] : [new BucketPlace(backups.bucket)]),
    ]
  }

  /**
   * Takes the scheduled backup when it is due, proves it and the one whose proof is the oldest, and deletes what is
   * no longer kept. Does nothing while another backup or proof runs.
   */
  async runSchedule(): Promise<void> {
    const { at, keep } = this.#settings.backups
    if (at === undefined || this.#stopping.signal.aborted) return
    const times = await scheduleTimes(this.#database, at, this.#clock())
    if (!(await this.#isDue(times.last))) return
    await this.#follow(
      runAlone(this.#database, async () => {
        // Another instance may have taken the backup while this one waited for the lock.
        if (!(await this.#isDue(times.last))) return
        await this.#recover()
        const id = await this.#insert(await occasionOf(this.#database, times, keep))
        await this.#take(id)
        await this.#prove(id)
        await this.#deleteExpired()
        const oldest = await this.#findOldestProof(id)
        if (oldest !== undefined) await this.#prove(oldest)
      }),
    )
  }

  /**
   * Begins a backup by hand.
   *
   * @param audit - Writes the audit line.
   * @returns The id of the running backup.
   * @throws 409 while another backup or proof runs.
   */
  takeNow(audit: AuditAction): Promise<number> {
    return this.#begin(async (onBegin) => {
      await this.#recover()
      const id = await this.#insert('manual', audit)
      onBegin(id)
      await this.#take(id)
      await this.#prove(id)
      await this.#deleteExpired()
    })
  }

  /**
   * Begins the proof of a backup.
   *
   * @param id - The backup.
   * @param audit - Writes the audit line.
   * @returns The id of the backup.
   * @throws 404 for an unknown backup; 409 for one that is not complete, and while another backup or proof runs.
   */
  proveNow(id: number, audit: AuditAction): Promise<number> {
    return this.#begin(async (onBegin) => {
      await this.#recover()
      const backup = await findBackup(this.#database, id)
      if (!backup) throw fault('record.not-found')
      if (backup.state !== 'complete') throw fault('backup.incomplete')
      await this.#database.transaction(async (trx) => {
        await noteProofStart(trx, id)
        await audit(trx, id)
      })
      onBegin(id)
      await this.#prove(id)
    })
  }

  /**
   * Writes a backup of a database whose schema is older than the program. It is not recorded yet.
   *
   * @returns Its name and its bytes.
   * @throws BackupError in one sentence.
   */
  async copyBeforeMigration(): Promise<{ name: string; bytes: number }> {
    const now = this.#clock()
    const copy = { name: nameOfBackup(now), bytes: 0 }
    const hasRun = await runAlone(this.#database, async () => {
      const { bytes } = await this.#write({ name: copy.name, kind: 'migration', taken_at: now.toISOString() })
      copy.bytes = bytes
    })
    if (!hasRun) throw new BackupError('Another backup or proof is running: start again when it has ended.')
    return copy
  }

  /**
   * Records a backup that was taken before the migration, and deletes what is no longer kept. While another backup
   * runs it does nothing: the next run records the backup.
   *
   * @param copy - Its name and its bytes.
   */
  async recordCopy({ name, bytes }: { name: string; bytes: number }): Promise<void> {
    await runAlone(this.#database, async () => {
      await this.#recover()
      await noteBytes(this.#database, name, bytes)
      await this.#deleteExpired()
    })
  }

  /** Resolves when nothing runs. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#running)
  }

  /** Interrupts a running backup or proof, and waits for its end. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.settle()
  }

  #follow<T>(work: Promise<T>): Promise<T> {
    const followed = work.finally(() => this.#running.delete(followed))
    this.#running.add(followed)
    return followed
  }

  /** Runs work in the background after it has begun; a refusal before is thrown. */
  #begin(runWork: (onBegin: (id: number) => void) => Promise<void>): Promise<number> {
    const { promise: begun, resolve: noteBegin } = Promise.withResolvers<number>()
    let hasBegun = false
    const onBegin = (id: number) => {
      hasBegun = true
      noteBegin(id)
    }
    const work = this.#follow(
      runAlone(this.#database, () => runWork(onBegin)).then((hasRun) => {
        if (!hasRun) throw fault('backup.busy')
      }),
    )
    work.catch((error: unknown) => {
      if (hasBegun) this.#logUnexpected(error, 'backup failed')
    })
    return Promise.race([begun, work.then(() => begun)])
  }

  async #isDue(last: string): Promise<boolean> {
    const { attempts, newest, isDone, isKnown } = await attemptsSince(this.#database, last)
    if (isDone || attempts >= maxAttempts) return false
    // A new installation waits for the first time of its schedule.
    if (!isKnown) return this.#startedAt.getTime() <= Date.parse(last)
    return newest === null || this.#clock().getTime() - Date.parse(newest) >= attemptInterval
  }

  #insert(kind: BackupKind, audit?: AuditAction): Promise<number> {
    const now = this.#clock()
    const isEncrypted = this.#key !== undefined
    return this.#database.transaction(async (trx) => {
      const { id } = await insertBackup(trx, { name: nameOfBackup(now), kind, now, encrypted: isEncrypted })
      await audit?.(trx, id)
      return id
    })
  }

  /** Removes what interrupted runs have left, and compares the record with the places. */
  async #recover(): Promise<void> {
    await recoverRows(this.#database, this.#clock())
    await rm(this.#workFolder, { recursive: true, force: true })
    const found = new Map<string, BackupPlaceName[]>()
    const complete = new Set((await completeBackups(this.#database)).map(({ name }) => name))
    try {
      for (const place of this.places) {
        await place.clean()
        for (const name of await place.list()) {
          if (!complete.has(name) && !found.has(name)) await this.#adopt(place, name)
          found.set(name, [...(found.get(name) ?? []), place.name])
        }
      }
    } catch (error) {
      // A place that does not answer is no reason to call its backups missing; the backup itself reports it.
      this.#logUnexpected(error, 'reading the places of backups failed')
      return
    }
    await notePlaces(this.#database, found)
  }

  /** Records a backup of another database or of one that was restored since; an unreadable one is left alone. */
  async #adopt(place: BackupPlace, name: string): Promise<void> {
    const manifest = await place.readManifest(name).catch(() => undefined)
    if (!manifest) return
    const { occasion, createdAt, schema, encryption } = manifest
    await adoptBackup(this.#database, {
      name,
      kind: isKind(occasion) ? occasion : 'manual',
      takenAt: new Date(createdAt),
      schema,
      encrypted: encryption !== undefined,
    })
  }

  async #take(id: number): Promise<void> {
    const { database } = this.#settingsOfCopy()
    const backup = await findBackup(database, id)
    if (!backup) return
    try {
      const { bytes, schema } = await this.#write(backup)
      await noteComplete(database, id, {
        now: this.#clock(),
        bytes,
        schema,
        places: this.places.map(({ name }) => name),
      })
      this.#log.info({ backup: backup.name, bytes }, 'backup taken')
    } catch (error) {
      await noteFailure(database, id, this.#clock(), this.#sentenceOf(error))
      this.#log.error({ err: error, backup: backup.name }, 'backup failed')
    }
  }

  #settingsOfCopy() {
    const { dataDir, databaseUrl } = this.#settings
    return { database: this.#database, dataDir, databaseUrl }
  }

  async #write({
    name,
    kind,
    taken_at: takenAt,
  }: Pick<BackupRow, 'name' | 'kind' | 'taken_at'>): Promise<{ bytes: number; schema: string }> {
    const { signal } = this.#stopping
    const key = this.#key
    const folder = join(this.#workFolder, 'copy')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      await this.#assertSpace(folder, await this.#databaseBytes())
      const copy = await this.#steps.copyDatabase(this.#settingsOfCopy(), folder, { key, signal })
      const staged: StagedCopy = { ...copy, file: join(folder, archiveNames[copy.kind]) }
      const isProofFailed = await hasFailedProof(this.#database)
      let bytes = 0
      for (const place of this.places)
        bytes = await place.write(name, staged, {
          now: new Date(takenAt),
          occasion: kind,
          key,
          uploads: this.#uploads,
          mustCompare: isProofFailed,
          signal,
          assertSpace: (target) => this.#assertSpace(target, 0),
        })
      return { bytes, schema: copy.schema }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  async #prove(id: number): Promise<void> {
    const backup = await findBackup(this.#database, id)
    if (backup?.state !== 'complete') return
    await noteProofStart(this.#database, id)
    try {
      const results: ProofResult[] = []
      for (const place of this.places.filter(({ name }) => backup.places.includes(name)))
        results.push(
          await this.#steps.proveBackup(place, backup.name, {
            database: this.#database,
            databaseUrl: this.#settings.databaseUrl,
            key: this.#key,
            workFolder: this.#workFolder,
            signal: this.#stopping.signal,
          }),
        )
      const [first] = results
      if (!first) throw new BackupError('The settings name no place of this backup.')
      const files = results.reduce((sum, result) => sum + result.files, 0)
      await noteProof(this.#database, id, this.#clock(), { ...first, files })
      this.#log.info({ backup: backup.name, ...first, files }, 'backup proved')
    } catch (error) {
      // An interrupted proof says nothing about the backup; the next run takes it up.
      if (this.#stopping.signal.aborted) return
      await noteProof(this.#database, id, this.#clock(), this.#sentenceOf(error))
      this.#log.error({ err: error, backup: backup.name }, 'the proof of a backup failed')
    }
  }

  /** The complete backup that has waited longest for a proof, besides the newest one. */
  async #findOldestProof(newest: number): Promise<number | undefined> {
    const others = (await completeBackups(this.#database)).filter(({ id }) => id !== newest)
    const timeOf = ({ proved_at: provedAt }: BackupRow) => (provedAt === null ? 0 : Date.parse(provedAt))
    return others.toSorted((a, b) => timeOf(a) - timeOf(b))[0]?.id
  }

  async #deleteExpired(): Promise<void> {
    const backups = await completeBackups(this.#database)
    const expiredIds = findExpired(
      backups.map(({ id, kind, taken_at: takenAt, proof }) => ({
        id,
        kind,
        takenAt: new Date(takenAt),
        isProved: proof === 'proved',
      })),
      this.#settings.backups.keep,
    )
    const expired = backups.filter(({ id }) => expiredIds.includes(id))
    if (expired.length === 0) return
    try {
      for (const place of this.places) {
        for (const { name } of expired) await place.remove(name)
        await place.sweep()
      }
      await forgetBackups(this.#database, expiredIds)
    } catch (error) {
      this.#log.error({ err: error }, 'deleting old backups failed')
    }
  }

  async #databaseBytes(): Promise<number> {
    const [row] = await this.#database.query(
      sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`,
    )
    return row?.bytes ?? 0
  }

  async #assertSpace(folder: string, bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(folder)
    const { reserveBytes } = this.#settings.uploads
    if (bavail * bsize >= bytes + reserveBytes) return
    const missing = Math.ceil((bytes + reserveBytes - bavail * bsize) / 1_048_576)
    throw new BackupError(`The disk of ${folder} is too full for a backup: ${missing} MB more must be free.`)
  }

  #sentenceOf(error: unknown): string {
    if (this.#stopping.signal.aborted) return 'The program was stopped while it wrote this backup.'
    return error instanceof BackupError || error instanceof UnavailableError
      ? error.message
      : 'An unexpected error: the log of the server has its cause.'
  }

  #logUnexpected(error: unknown, message: string): void {
    this.#log.error({ err: error }, message)
  }
}
