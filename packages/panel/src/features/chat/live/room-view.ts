/**
 * The data that a thread is rendered from: the current messages of a room, and whether the user may write.
 */
import type { ChatMessage } from '@dala/model'
import type { Marks } from '../core/read-marks.ts'

export interface RoomView {
  /** Loading state of the room; `failed` when no message could be loaded: `error` has the reason. */
  status: 'loading' | 'failed' | 'ready'
  error: unknown
  /** Loaded messages of the room, in order, without gaps. */
  messages: readonly ChatMessage[]
  /** Revision of the room's loaded messages. */
  rev: number
  /** Read marks of the other readers, as far as they are known. */
  marks: Marks
  /** Whether no change is known to be missing; the composer is locked until then ("catching up…"). */
  isSynced: boolean
  /** Ids of the first messages of loaded pages before which an earlier page is loaded. */
  pageStarts: ReadonlySet<number>
  hasOlder: boolean
  hasNewer: boolean
  /** Page of messages that is loading, or that could not be loaded. */
  loadingPage: 'older' | 'newer' | undefined
  hasPagingFailed: boolean
  loadOlder: () => void
  loadNewer: () => void
  /** Loads the messages around a position, unless those are loaded. */
  loadAround: (seq: number) => Promise<void>
  /** Loads the newest page of the room's messages. */
  loadNewest: () => Promise<void>
  retry: () => void
}
