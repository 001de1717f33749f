/**
 * The data that a thread is rendered from: the current messages of a room, and whether the user may write.
 */
import type { ChatMessage } from '@dala/model'
import type { Marks } from '../core/read-marks.ts'

export interface RoomView {
  /** `failed` when nothing could be loaded: `error` has the reason. */
  status: 'loading' | 'failed' | 'ready'
  error: unknown
  /** The loaded messages of the room, in order, without gaps. */
  messages: readonly ChatMessage[]
  /** The revision of the messages. */
  rev: number
  /** How far the others have read, as far as it is known. */
  marks: Marks
  /** No change is known to be missing; the composer is locked until then ("catching up…"). */
  isSynced: boolean
  /** Ids of the first messages of pages that others were loaded before. */
  pageStarts: ReadonlySet<number>
  hasOlder: boolean
  hasNewer: boolean
  /** The page that is loading, or that could not be loaded. */
  loadingPage: 'older' | 'newer' | undefined
  hasPagingFailed: boolean
  loadOlder: () => void
  loadNewer: () => void
  /** Loads the messages around a position, unless they are loaded. */
  loadAround: (seq: number) => Promise<void>
  /** Loads the newest page. */
  loadNewest: () => Promise<void>
  retry: () => void
}
