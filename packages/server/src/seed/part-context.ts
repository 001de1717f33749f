/** The surroundings of the parts that follow behind a start. */
import type { Uploads } from '../features/uploads/uploads.ts'
import type { Seeder } from './seeder.ts'

/** Where stored pictures go. */
export interface PictureStore {
  uploads: Uploads
}

/** Work in a transaction. */
export type Work = (seeder: Seeder) => Promise<void>

/** The surroundings of a part. */
export interface PartContext {
  /** Runs work in a transaction. */
  within: (work: Work) => Promise<void>
  /** Runs the work that completes the part, with its mark; not at all when another server has completed it. */
  once: (work: Work) => Promise<void>
  store: PictureStore
  signal: AbortSignal
}
