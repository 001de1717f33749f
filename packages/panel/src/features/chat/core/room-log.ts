/**
 * The messages of a room as this client knows them, exact however events are lost, repeated or late (chat §4):
 * it moves on only over revisions without a gap, holds what came too early, and says when it has to ask.
 */
import type { ChatMessage, RoomChange, RoomChanges } from '@dala/model'
import { type Entry, Fold } from './fold.ts'

export interface RoomLog {
  /** All that happened up to this revision, as far as it may be seen, is in the log. */
  readonly rev: number
  /** The highest revision that was heard of. */
  readonly heard: number
  readonly isLoaded: boolean
  /** A window on the room, in its order, without gaps. */
  readonly entries: readonly Entry[]
  readonly messages: readonly ChatMessage[]
  readonly hasOlder: boolean
  readonly hasNewer: boolean
  /** Messages that are out of view for good: no answer that is late brings them back. */
  readonly gone: ReadonlySet<number>
  /** Events that came before those they follow on, by revision. */
  readonly held: readonly RoomChange[]
  /** The first messages of the pages that others were put before. */
  readonly joints: ReadonlySet<number>
  /** Counts the windows: what was asked for another one is not put into this one. */
  readonly window: number
}

/** Messages of a room around a place, as `GET /chatmessages` answers. */
export interface MessagesPage {
  results: readonly ChatMessage[]
  cursor: { has_older: boolean; has_newer: boolean }
  rev: number
}

/** `newest` and `around` begin a new window; the others extend the one that is there. */
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

/** Something is known to be missing. */
export const isBehind = ({ isLoaded, rev, heard }: RoomLog): boolean => !isLoaded || rev < heard

/** More than these are not worth keeping: the answer to `changes` brings them anyway. */
const mostHeld = 500

const isPartial = ({ data }: RoomChange): boolean => 'partial' in data

/** Takes the held changes that follow on by now into a fold, and leaves the others. */
function drain(fold: Fold, held: readonly RoomChange[]): readonly RoomChange[] {
  let rest = held.toSorted((one, other) => one.rev - other.rev)
  for (;;) {
    const [next, ...after] = rest
    if (!next) return []
    if (next.rev > fold.rev) {
      // What is left out of an event for its length comes with the changes.
      if (next.prev > fold.rev || isPartial(next)) return rest.slice(0, mostHeld)
      fold.apply(next)
    }
    rest = after
  }
}

/** Takes changes in any order, any number of times. */
function applyRoomEvents(log: RoomLog, changes: readonly RoomChange[]): RoomLog {
  const fresh = changes.filter(({ rev }) => rev > log.rev)
  if (fresh.length === 0) return log
  const heard = Math.max(log.heard, ...fresh.map(({ rev }) => rev))
  // Of two with the same revision the whole one is kept.
  const held = new Map(log.held.map((change) => [change.rev, change]))
  for (const change of fresh) if (!isPartial(change) || !held.has(change.rev)) held.set(change.rev, change)
  if (!log.isLoaded) return { ...log, heard, held: [...held.values()].slice(0, mostHeld) }
  const fold = new Fold(log)
  const rest = drain(fold, [...held.values()])
  return { ...log, ...fold.close(), heard, held: rest }
}

export const applyRoomEvent = (log: RoomLog, change: RoomChange): RoomLog => applyRoomEvents(log, [change])

/** A revision that the room has reached, as a tick, a list row or an answer tells. */
export const hearRev = (log: RoomLog, rev: number): RoomLog => (rev > log.heard ? { ...log, heard: rev } : log)

/** In: the answer to `changes`, and the log that it was asked for. */
export function applyChanges(log: RoomLog, answer: RoomChanges, asked: Pick<RoomLog, 'rev' | 'heard'>): RoomLog {
  // Not loaded any more: the next page begins anew, and what is shown meanwhile stays.
  if (answer.reset)
    return { ...log, rev: 0, heard: answer.rev, isLoaded: false, held: [], gone: new Set(), window: log.window + 1 }
  // Nothing stands between what was asked for and the end of the answer but what this reader may not see, or not any more:
  // a change that was held and is not in it would hold up the later ones for ever.
  const covers = answer.complete && asked.rev <= log.rev
  const held = covers ? log.held.filter(({ rev }) => rev > answer.rev) : log.held
  const next = applyRoomEvents(held.length < log.held.length ? { ...log, held } : log, answer.results)
  if (!covers || next.held.some(({ rev }) => rev <= answer.rev)) return next
  const rev = Math.max(next.rev, answer.rev)
  // What was heard of beforehand is in the answer, or not for this reader.
  const heard = next.heard === asked.heard ? rev : Math.max(next.heard, rev)
  return { ...next, rev, heard }
}

/** A window that begins with a page: what is held for messages before or behind it does not belong into it. */
function windowOf({ results, rev }: MessagesPage, gone: ReadonlySet<number>): Pick<RoomLog, 'entries' | 'messages'> {
  const messages = results.filter(({ id }) => !gone.has(id)).toSorted((one, other) => one.seq - other.seq)
  return { messages, entries: messages.map((message) => ({ message, rev })) }
}

/** In: a page that was asked for a window of the log. */
export function applyPage(log: RoomLog, page: MessagesPage, place: PagePlace, window = log.window): RoomLog {
  if (window !== log.window) return log
  const begins = place === 'newest' || place === 'around'
  const fold = new Fold(begins ? { ...log, ...windowOf(page, log.gone), rev: page.rev } : log)
  if (!begins) for (const message of page.results) fold.put(message, page.rev)
  // A page that is older than the log knows nothing of what came after it: that is asked for once more.
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
