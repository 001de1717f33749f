/** The context of the demo's parts that are filled after the start. */
import type { Uploads } from '../features/uploads/uploads.ts'
import type { Seeder } from './seeder.ts'

/** Store of the pictures that the seed draws. */
export interface PictureStore {
  uploads: Uploads
}

/** A task of the seed that runs in a transaction. */
export type Work = (seeder: Seeder) => Promise<void>

/** The context in which a later part of the demo is filled. */
export interface PartContext {
  /** Runs a task of the seed in a transaction. */
  runTransaction: (runTask: Work) => Promise<void>
  /**
   * Runs the task that completes the part, with its mark; skips it when another server has completed the
   * part.
   */
  completePart: (runTask: Work) => Promise<void>
  store: PictureStore
  signal: AbortSignal
}
