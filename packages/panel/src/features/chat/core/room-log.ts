/**
 * The room log: the messages of a room as this client knows them, exact although events may be lost, repeated
 * or late (chat §4). It advances only over revisions without a gap, buffers early events, and tells when to
 * ask the server.
 */
import type { ChatMessage, RoomChange, RoomChanges } from '@dala/model'
import { type MessageSlot, RoomLogBuilder } from './room-log-builder.ts'

export interface RoomLog {
  /** Revision up to which all visible changes of the room are in the log. */
  readonly rev: number
  /** Highest revision of the room that is known to exist. */
  readonly latestRev: number
  readonly isLoaded: boolean
  /** Window of the room's messages, in order, without gaps. */
  readonly entries: readonly MessageSlot[]
  readonly messages: readonly ChatMessage[]
  readonly hasOlder: boolean
  readonly hasNewer: boolean
  /** Messages that were removed from view for good: a late answer does not bring them back. */
  readonly removedIds: ReadonlySet<number>
  /** Buffered events of the room that arrived before their predecessors, by revision. */
  readonly bufferedChanges: readonly RoomChange[]
  /** First messages of loaded pages before which an earlier page is loaded. */
  readonly pageStarts: ReadonlySet<number>
  /** Number of the window of messages: the answer to a request for an earlier window is discarded. */
  readonly window: number
}

/** A page of messages around a position, as `GET /chatmessages` returns it. */
export interface MessagesPage {
  results: readonly ChatMessage[]
  cursor: { has_older: boolean; has_newer: boolean }
  rev: number
}

/** Kind of page: `newest` and `around` begin a new window of messages; the others extend the current one. */
export type PagePosition = 'newest' | 'around' | 'older' | 'newer'

export const emptyLog: RoomLog = {
  rev: 0,
  latestRev: 0,
  isLoaded: false,
  entries: [],
  messages: [],
  hasOlder: false,
  hasNewer: false,
  removedIds: new Set(),
  bufferedChanges: [],
  pageStarts: new Set(),
  window: 0,
}

/** Returns whether changes of the room are known to be missing in its log. */
export const isBehind = ({ isLoaded, rev, latestRev }: RoomLog): boolean => !isLoaded || rev < latestRev

/** Maximum number of buffered events; the answer to `changes` contains the others. */
const maxBufferedChanges = 500

const isPartial = ({ data }: RoomChange): boolean => 'partial' in data

/** Applies the buffered changes that now follow the log without a gap, and returns the others. */
function applyBufferedChanges(builder: RoomLogBuilder, waitingChanges: readonly RoomChange[]): readonly RoomChange[] {
  let pendingChanges = waitingChanges.toSorted((one, other) => one.rev - other.rev)
  for (;;) {
    const [firstChange, ...laterChanges] = pendingChanges
    if (!firstChange) return []
    if (firstChange.rev > builder.rev) {
      // Fields that an event lacks because of its size arrive with the call `changes`.
      if (firstChange.prev > builder.rev || isPartial(firstChange)) return pendingChanges.slice(0, maxBufferedChanges)
      builder.apply(firstChange)
    }
    pendingChanges = laterChanges
  }
}

/** Applies changes of a room in any order, any number of times. */
function applyRoomEvents(log: RoomLog, changes: readonly RoomChange[]): RoomLog {
  const newChanges = changes.filter(({ rev }) => rev > log.rev)
  if (newChanges.length === 0) return log
  const latestRev = Math.max(log.latestRev, ...newChanges.map(({ rev }) => rev))
  // The complete one of two events with the same revision is used.
  const bufferedByRev = new Map(log.bufferedChanges.map((change) => [change.rev, change]))
  for (const change of newChanges)
    if (!isPartial(change) || !bufferedByRev.has(change.rev)) bufferedByRev.set(change.rev, change)
  if (!log.isLoaded)
    return { ...log, latestRev, bufferedChanges: [...bufferedByRev.values()].slice(0, maxBufferedChanges) }
  const builder = new RoomLogBuilder(log)
  const pendingChanges = applyBufferedChanges(builder, [...bufferedByRev.values()])
  return { ...log, ...builder.close(), latestRev, bufferedChanges: pendingChanges }
}

export const applyRoomEvent = (log: RoomLog, change: RoomChange): RoomLog => applyRoomEvents(log, [change])

/** Records a revision of the room, as a tick, a list row or an answer reports it. */
export const recordRev = (log: RoomLog, rev: number): RoomLog =>
  rev > log.latestRev ? { ...log, latestRev: rev } : log

/**
 * Applies an answer of `changes`.
 *
 * @param requestedLog - The log at the time of the request.
 */
export function applyChanges(
  log: RoomLog,
  answer: RoomChanges,
  requestedLog: Pick<RoomLog, 'rev' | 'latestRev'>,
): RoomLog {
  // An outdated log counts as not loaded: the next page starts anew, and the current messages stay visible
  // meanwhile.
  if (answer.reset)
    return {
      ...log,
      rev: 0,
      latestRev: answer.rev,
      isLoaded: false,
      bufferedChanges: [],
      removedIds: new Set(),
      window: log.window + 1,
    }
  // Revisions missing from a complete response are invisible to this user and must not block later ones.
  const isCovered = answer.complete && requestedLog.rev <= log.rev
  const bufferedChanges = isCovered ? log.bufferedChanges.filter(({ rev }) => rev > answer.rev) : log.bufferedChanges
  const changedLog = applyRoomEvents(
    bufferedChanges.length < log.bufferedChanges.length ? { ...log, bufferedChanges } : log,
    answer.results,
  )
  if (!isCovered || changedLog.bufferedChanges.some(({ rev }) => rev <= answer.rev)) return changedLog
  const rev = Math.max(changedLog.rev, answer.rev)
  // Revisions reported before the request are in the answer, or not visible to this user.
  const latestRev = changedLog.latestRev === requestedLog.latestRev ? rev : Math.max(changedLog.latestRev, rev)
  return { ...changedLog, rev, latestRev }
}

/** Starts a window with a page; buffered changes of messages outside the page are not applied to it. */
function windowOf(
  { results, rev }: MessagesPage,
  removedIds: ReadonlySet<number>,
): Pick<RoomLog, 'entries' | 'messages'> {
  const messages = results.filter(({ id }) => !removedIds.has(id)).toSorted((one, other) => one.seq - other.seq)
  return { messages, entries: messages.map((message) => ({ message, rev })) }
}

/**
 * Applies a page of messages.
 *
 * @param window - The window that the page was requested for.
 */
export function applyPage(log: RoomLog, page: MessagesPage, position: PagePosition, window = log.window): RoomLog {
  if (window !== log.window) return log
  const replacesWindow = position === 'newest' || position === 'around'
  const builder = new RoomLogBuilder(
    replacesWindow ? { ...log, ...windowOf(page, log.removedIds), rev: page.rev } : log,
  )
  if (!replacesWindow) for (const message of page.results) builder.put(message, page.rev)
  // A page of messages that is older than the log lacks later changes, so those are requested again.
  builder.rev = Math.min(builder.rev, page.rev)
  const hasOlder = position === 'newer' ? log.hasOlder : page.cursor.has_older
  const hasNewer = position === 'older' ? log.hasNewer : page.cursor.has_newer
  builder.logBounds = { hasOlder, hasNewer }
  const bufferedChanges = applyBufferedChanges(builder, log.bufferedChanges)
  const [firstMessage] = log.messages
  const pageStarts =
    position === 'older' && firstMessage ? new Set(log.pageStarts).add(firstMessage.id) : log.pageStarts
  const latestRev = Math.max(log.latestRev, log.isLoaded ? log.rev : 0, builder.rev)
  return {
    ...log,
    ...builder.close(),
    latestRev,
    bufferedChanges,
    isLoaded: true,
    hasOlder,
    hasNewer,
    pageStarts,
    window: replacesWindow ? log.window + 1 : log.window,
  }
}
