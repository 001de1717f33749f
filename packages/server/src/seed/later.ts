/** Fills the later parts of the demo after the start, while users already work. */
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from '../db/sql.ts'
import type { Database } from '../db/database.ts'
import { dayOfSeed, marksOf } from './index.ts'
import type { SeedSettings } from './seed-settings.ts'
import type { DemoProgress } from '../domain/feature.ts'
import type { PictureStore, Work } from './part-context.ts'
import type { KnownIds } from './seeder.ts'

/** Milliseconds between two parts, in which the database serves only users. */
const userPauseMs = 50

/** Options for filling the later parts of the demo. */
export interface LaterOptions {
  store: PictureStore
  /** Signal that stops the later seed after the current part. */
  signal: AbortSignal
  /** Receives the number of completed parts and of all parts after each part of the later seed. */
  onPartDone?: (doneCount: number, parts: number) => void
  /** Milliseconds between two parts; with users at work when absent. */
  pauseMs?: number
}

/**
 * Fills the missing later parts one after the other. Each gets its mark in the transaction that completes it:
 * a killed program continues with the interrupted part.
 *
 * @param database - The database, seeded as far as a start waits for.
 * @param settings - The settings of the seed; nothing happens without `demo`.
 * @param options - The store of pictures, the stop signal and the progress callback.
 */
export async function seedLater(
  database: Database,
  settings: SeedSettings,
  { store, signal, onPartDone, pauseMs = userPauseMs }: LaterOptions,
): Promise<void> {
  if (settings.seed !== 'demo') return
  const marks = await marksOf(database)
  const { demoParts } = await import('./later-parts.ts')
  const { Seeder } = await import('./seeder.ts')
  const parts = demoParts()
  const missingParts = parts.filter(({ name }) => !marks.has(name))
  const knownIds: KnownIds = new Map()
  const day = dayOfSeed(marks, settings)
  const runTransaction = (runTask: Work) =>
    database.transaction((trx) => runTask(new Seeder(database, trx, knownIds, { ...settings, day })))
  for (const [index, { name, fillPart }] of missingParts.entries()) {
    const completePart = (runTask: Work) =>
      runTransaction(async (seeder) => {
        const [insertedSeed] = await seeder.trx.query(
          sql`insert into seeds (name) values (${name}) on conflict do nothing returning name`,
        )
        if (insertedSeed) await runTask(seeder)
      })
    await fillPart({ runTransaction, completePart, store, signal })
    onPartDone?.(parts.length - missingParts.length + index + 1, parts.length)
    await pause(pauseMs, undefined, { signal })
  }
}

/** Fills the later parts of the demo while the server answers requests. */
export class LaterSeed {
  readonly #stopping = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #progress: DemoProgress | undefined

  /** Progress of the later seed; undefined before the first completed part and after the end. */
  get progress(): DemoProgress | undefined {
    return this.#progress
  }

  /**
   * Starts to fill the demo with the first missing part.
   *
   * @param fillDemo - The work, which stops on the signal and reports each part.
   * @param onError - Receives the error that ends it; the next start continues.
   */
  start(
    fillDemo: (signal: AbortSignal, onPart: (doneCount: number, parts: number) => void) => Promise<void>,
    onError: (error: unknown) => void,
  ): void {
    const { signal } = this.#stopping
    this.#running = fillDemo(signal, (doneParts, parts) => {
      this.#progress = doneParts < parts ? { done: doneParts, parts } : undefined
    })
      .catch((error: unknown) => {
        if (!signal.aborted) onError(error)
      })
      .finally(() => {
        this.#progress = undefined
      })
  }

  /** Stops the later seed after the current part. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }
}
