/** What a thread is drawn from: a room's messages as they stand now, and whether one may write on. */
import type { ChatMessage } from '@dala/model'
import type { Marks } from '../core/read-marks.ts'

export interface RoomView {
  /** `failed` while nothing could be loaded at all: `error` says why. */
  status: 'loading' | 'failed' | 'ready'
  error: unknown
  /** What is loaded of the room, in its order, without gaps. */
  messages: readonly ChatMessage[]
  /** The revision that they are of. */
  rev: number
  /** How far the others have read, as far as that was told. */
  marks: Marks
  /** Nothing is known to be missing: the composer is locked until then ("catching up…"). */
  isSynced: boolean
  /** The first messages of the pages that others were put before: ids. */
  joints: ReadonlySet<number>
  hasOlder: boolean
  hasNewer: boolean
  /** A page is on its way, or could not be loaded. */
  paging: 'older' | 'newer' | undefined
  pagingFailed: boolean
  loadOlder: () => void
  loadNewer: () => void
  /** Loads the messages around a place, unless they are there. */
  loadAround: (seq: number) => Promise<void>
  /** Back to the newest page. */
  loadNewest: () => Promise<void>
  retry: () => void
}
