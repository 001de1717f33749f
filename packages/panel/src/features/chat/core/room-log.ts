/**
 * The room log: the messages of a room as this client knows them, exact although events may be lost, repeated
 * or late (chat §4). It advances only over revisions without a gap, buffers early events, and tells when to
 * ask the server.
 */
import type { ChatMessage, RoomChange, RoomChanges } from '@dala/model'
import { type MessageSlot, RoomLogBuilder } from './room-log-builder.ts'

export interface RoomLog {
  /** All visible changes up to this revision are in the log. */
  readonly rev: number
  /** The highest revision that is known to exist. */
  readonly heard: number
  readonly isLoaded: boolean
  /** A window of the room's messages, in order, without gaps. */
  readonly entries: readonly MessageSlot[]
  readonly messages: readonly ChatMessage[]
  readonly hasOlder: boolean
  readonly hasNewer: boolean
  /** Messages that were removed from view for good: a late answer does not bring them back. */
  readonly gone: ReadonlySet<number>
  /** Buffered events that arrived before their predecessors, by revision. */
  readonly held: readonly RoomChange[]
  /** The first messages of pages that others were loaded before. */
  readonly joints: ReadonlySet<number>
  /** Counts the windows: the answer to a request for an earlier window is discarded. */
  readonly window: number
}

/** A page of messages around a position, as `GET /chatmessages` returns it. */
export interface MessagesPage {
  results: readonly ChatMessage[]
  cursor: { has_older: boolean; has_newer: boolean }
  rev: number
}

/** `newest` and `around` begin a new window; the others extend the current one. */
export type PagePlace = 'newest' | 'around' | 'older' | 'newer'

export const emptyLog: RoomLog = {
  rev: 0,
  heard: 0,
  isLoaded: false,
  entries: [],
  messages: [],
  hasOlder: false,
  hasNewer: false,
  gone: new Set(),
  held: [],
  joints: new Set(),
  window: 0,
}

/** Whether changes are known to be missing. */
export const isBehind = ({ isLoaded, rev, heard }: RoomLog): boolean => !isLoaded || rev < heard

/** Maximum number of buffered events; the answer to `changes` contains the others. */
const maxBuffered = 500

const isPartial = ({ data }: RoomChange): boolean => 'partial' in data

/** Applies the buffered changes that now follow on, and returns the others. */
function drain(fold: RoomLogBuilder, held: readonly RoomChange[]): readonly RoomChange[] {
  let rest = held.toSorted((one, other) => one.rev - other.rev)
  for (;;) {
    const [next, ...after] = rest
    if (!next) return []
    if (next.rev > fold.rev) {
      // Fields left out of an event because of its size arrive with `changes`.
      if (next.prev > fold.rev || isPartial(next)) return rest.slice(0, maxBuffered)
      fold.apply(next)
    }
    rest = after
  }
}

/** Applies changes in any order, any number of times. */
function applyRoomEvents(log: RoomLog, changes: readonly RoomChange[]): RoomLog {
  const fresh = changes.filter(({ rev }) => rev > log.rev)
  if (fresh.length === 0) return log
  const heard = Math.max(log.heard, ...fresh.map(({ rev }) => rev))
  // Of two events with the same revision the complete one wins.
  const held = new Map(log.held.map((change) => [change.rev, change]))
  for (const change of fresh) if (!isPartial(change) || !held.has(change.rev)) held.set(change.rev, change)
  if (!log.isLoaded) return { ...log, heard, held: [...held.values()].slice(0, maxBuffered) }
  const fold = new RoomLogBuilder(log)
  const rest = drain(fold, [...held.values()])
  return { ...log, ...fold.close(), heard, held: rest }
}

export const applyRoomEvent = (log: RoomLog, change: RoomChange): RoomLog => applyRoomEvents(log, [change])

/** Records a revision of the room, as a tick, a list row or an answer reports it. */
export const recordRev = (log: RoomLog, rev: number): RoomLog => (rev > log.heard ? { ...log, heard: rev } : log)

/**
 * Applies an answer of `changes`.
 *
 * @param asked - The log at the time of the request.
 */
export function applyChanges(log: RoomLog, answer: RoomChanges, asked: Pick<RoomLog, 'rev' | 'heard'>): RoomLog {
  // The log counts as not loaded: the next page starts anew, and the current messages stay visible meanwhile.
  if (answer.reset)
    return { ...log, rev: 0, heard: answer.rev, isLoaded: false, held: [], gone: new Set(), window: log.window + 1 }
  // Revisions between the request and the end of the answer that are missing from it are invisible to this
  // user. A buffered change among them would block the later ones for ever.
  const covers = answer.complete && asked.rev <= log.rev
  const held = covers ? log.held.filter(({ rev }) => rev > answer.rev) : log.held
  const next = applyRoomEvents(held.length < log.held.length ? { ...log, held } : log, answer.results)
  if (!covers || next.held.some(({ rev }) => rev <= answer.rev)) return next
  const rev = Math.max(next.rev, answer.rev)
  // Revisions reported before the request are in the answer, or not visible to this user.
  const heard = next.heard === asked.heard ? rev : Math.max(next.heard, rev)
  return { ...next, rev, heard }
}

/** Starts a window with a page; buffered changes of messages outside the page are not applied to it. */
function windowOf({ results, rev }: MessagesPage, gone: ReadonlySet<number>): Pick<RoomLog, 'entries' | 'messages'> {
  const messages = results.filter(({ id }) => !gone.has(id)).toSorted((one, other) => one.seq - other.seq)
  return { messages, entries: messages.map((message) => ({ message, rev })) }
}

/**
 * Applies a page of messages.
 *
 * @param window - The window that the page was requested for.
 */
export function applyPage(log: RoomLog, page: MessagesPage, place: PagePlace, window = log.window): RoomLog {
  if (window !== log.window) return log
  const begins = place === 'newest' || place === 'around'
  const fold = new RoomLogBuilder(begins ? { ...log, ...windowOf(page, log.gone), rev: page.rev } : log)
  if (!begins) for (const message of page.results) fold.put(message, page.rev)
  // A page older than the log lacks later changes: they are requested again.
  fold.rev = Math.min(fold.rev, page.rev)
  const hasOlder = place === 'newer' ? log.hasOlder : page.cursor.has_older
  const hasNewer = place === 'older' ? log.hasNewer : page.cursor.has_newer
  fold.edges = { hasOlder, hasNewer }
  const held = drain(fold, log.held)
  const [first] = log.messages
  const joints = place === 'older' && first ? new Set(log.joints).add(first.id) : log.joints
  const heard = Math.max(log.heard, log.isLoaded ? log.rev : 0, fold.rev)
  return {
    ...log,
    ...fold.close(),
    heard,
    held,
    isLoaded: true,
    hasOlder,
    hasNewer,
    joints,
    window: begins ? log.window + 1 : log.window,
  }
}
