/** The context of the parts that are filled after the start. */
import type { Uploads } from '../features/uploads/uploads.ts'
import type { Seeder } from './seeder.ts'

/** The store of pictures. */
export interface PictureStore {
  uploads: Uploads
}

/** A task in a transaction. */
export type Work = (seeder: Seeder) => Promise<void>

/** The context of a part. */
export interface PartContext {
  /** Runs a task in a transaction. */
  inTransaction: (work: Work) => Promise<void>
  /**
   * Runs the task that completes the part, with its mark; skips it when another server has completed the
   * part.
   */
  completePart: (work: Work) => Promise<void>
  store: PictureStore
  signal: AbortSignal
}
