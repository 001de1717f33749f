/** The part of the demo that follows behind the start, while people already work. */
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from '../db/sql.ts'
import type { Database } from '../db/database.ts'
import { dayOfSeed, marksOf } from './index.ts'
import type { SeedSettings } from './seed-settings.ts'
import type { DemoProgress } from '../domain/feature.ts'
import type { PictureStore, Work } from './part-context.ts'
import type { KnownIds } from './seeder.ts'

/** Milliseconds between two parts, in which the database is everybody else's. */
const rest = 50

/** The surroundings of the later parts. */
export interface LaterOptions {
  store: PictureStore
  /** Ends the work after the part that is going on. */
  signal: AbortSignal
  /** Hears of each part: how many are done, and of how many. */
  onPart?: (done: number, parts: number) => void
}

/**
 * Fills the later parts that are missing, one after the other. Each gets its mark with the transaction that completes
 * it: a program that is killed meanwhile goes on with the part where it stopped.
 *
 * @param database - The database, seeded as far as a start waits for.
 * @param settings - As for the seed; nothing happens without `demo`.
 * @param options - Where pictures go, what ends the work, and what hears of it.
 */
export async function seedLater(
  database: Database,
  settings: SeedSettings,
  { store, signal, onPart }: LaterOptions,
): Promise<void> {
  if (settings.seed !== 'demo') return
  const marks = await marksOf(database)
  const { laterParts } = await import('./later-parts.ts')
  const { Seeder } = await import('./seeder.ts')
  const parts = laterParts()
  const missing = parts.filter(({ name }) => !marks.has(name))
  const known: KnownIds = new Map()
  const day = dayOfSeed(marks, settings)
  const within = (work: Work) =>
    database.transaction((trx) => work(new Seeder(database, trx, known, { ...settings, day })))
  for (const [index, { name, fill }] of missing.entries()) {
    const once = (work: Work) =>
      within(async (seeder) => {
        const [mine] = await seeder.trx.query(
          sql`insert into seeds (name) values (${name}) on conflict do nothing returning name`,
        )
        if (mine) await work(seeder)
      })
    await fill({ within, once, store, signal })
    onPart?.(parts.length - missing.length + index + 1, parts.length)
    await pause(rest, undefined, { signal })
  }
}

/** The later parts, filled while the server answers. */
export class LaterSeed {
  readonly #stopping = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #progress: DemoProgress | undefined

  /** How far it is; undefined before its first part is done and from its end on. */
  get progress(): DemoProgress | undefined {
    return this.#progress
  }

  /**
   * Begins with the first part that is missing.
   *
   * @param fill - The work, which ends on the signal and tells of each part.
   * @param onError - Receives the error that ends it; the next start goes on.
   */
  start(
    fill: (signal: AbortSignal, onPart: (done: number, parts: number) => void) => Promise<void>,
    onError: (error: unknown) => void,
  ): void {
    const { signal } = this.#stopping
    this.#running = fill(signal, (done, parts) => {
      this.#progress = done < parts ? { done, parts } : undefined
    })
      .catch((error: unknown) => {
        if (!signal.aborted) onError(error)
      })
      .finally(() => {
        this.#progress = undefined
      })
  }

  /** Ends it after the part that is going on. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }
}
