/** Makes the files of reports: at once where they are small, in the background otherwise. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../db/database.ts'
import { readCallerNow } from '../../resources/caller-now.ts'
import { createLimiter } from '../../resources/limiter.ts'
import { readReport, type ReportReaders } from './read-report.ts'
import {
  claimLostFile,
  deleteFile,
  findFile,
  storeContent,
  storeFailure,
  type StoredFile,
  storeProgress,
} from './store.ts'
import { writeDocument } from './write-document.ts'

/** Maximum numbers of files of reports that are made concurrently, and that wait. */
const makerLimits = { maxRunning: 2, maxWaiting: 20 }
/** Milliseconds after which a request no longer waits for its file (statistics §6). */
const usualWait = 2_000
/** Part of the work, in per cent, that is done once the figures are counted. */
const countedPercent = 60

export class FileMaker {
  readonly #database: Database
  readonly #readers: ReportReaders
  readonly #onError: (error: unknown) => void
  readonly #maxWait: number
  readonly #bounded = createLimiter(makerLimits)
  readonly #running = new Set<Promise<unknown>>()

  /**
   * Prepares the maker of files.
   *
   * @param onError - Receives errors of work whose request has been answered.
   * @param maxWait - Milliseconds after which a request no longer waits for its file.
   */
  constructor(
    database: Database,
    readers: ReportReaders,
    onError: (error: unknown) => void,
    maxWait: number = usualWait,
  ) {
    this.#database = database
    this.#readers = readers
    this.#onError = onError
    this.#maxWait = maxWait
  }

  /** Makes a report's file with the rights that its author has now. */
  async #make(file: StoredFile): Promise<void> {
    const caller = await readCallerNow(this.#database, file.userId)
    if (!caller) return storeFailure(this.#database, file.id)
    const document = await readReport(this.#database, this.#readers, caller, file)
    await storeProgress(this.#database, file.id, countedPercent)
    await storeContent(this.#database, file.id, await writeDocument(document, file.format))
  }

  /**
   * Makes a report's file, and waits a moment for it.
   *
   * @throws 422 and 503 within this time; the file is then deleted.
   */
  async begin(id: number): Promise<void> {
    const file = await findFile(this.#database, id)
    if (!file) return
    let isAwaited = true
    const fileMaking = this.#bounded(() => this.#make(file)).catch(async (error: unknown) => {
      if (isAwaited) {
        await deleteFile(this.#database, id)
        throw error
      }
      this.#onError(error)
      await storeFailure(this.#database, id).catch(this.#onError)
    })
    this.#running.add(fileMaking)
    void fileMaking.finally(() => this.#running.delete(fileMaking)).catch(() => {})
    const waitAbort = new AbortController()
    const waitEnd = pause(this.#maxWait, undefined, { signal: waitAbort.signal, ref: false }).catch(() => {})
    try {
      await Promise.race([fileMaking, waitEnd])
    } finally {
      isAwaited = false
      waitAbort.abort()
    }
  }

  /** Makes a report's file whose run was lost with its process. */
  async resume(id: number): Promise<void> {
    const file = await claimLostFile(this.#database, id)
    if (!file) return
    try {
      await this.#make(file)
    } catch (error) {
      this.#onError(error)
      await storeFailure(this.#database, id)
    }
  }

  /** Waits for the files that are being made. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running)
  }
}
