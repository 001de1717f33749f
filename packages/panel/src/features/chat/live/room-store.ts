/**
 * A room's log with all that fills it: pages and changes by calls, events by the socket. It lives as long as the cache of
 * the page, so that a room that is opened again stands there at once; then it is checked before one may write.
 */
import { type ChatEvents, maxInteger, type RoomChange } from '@dala/model'
import { isConnected } from '../../../api/connection.ts'
import { sayChat } from '../../../api/live.ts'
import { pauseAfter } from '../core/queue.ts'
import { applyReceipt, noMarks } from '../core/read-marks.ts'
import {
  applyChanges,
  applyPage,
  applyRoomEvent,
  emptyLog,
  hearRev,
  isBehind,
  type PagePlace,
  type RoomLog,
} from '../core/room-log.ts'
import { askChanges, askPage, isFinal, isUnanswered, joinRoom } from './room-calls.ts'
import type { RoomView } from './room-view.ts'

/** How long an event of one's own message may take before it is asked for. */
const grace = 1_500
export type RoomStore = ReturnType<typeof buildRoomStore>

export function buildRoomStore(room: number) {
  let log: RoomLog = emptyLog
  let marks = noMarks
  let error: unknown
  let paging: RoomView['paging']
  let pagingFailed = false
  /** It is not known how the room stands on the server, and one may not write until it is. */
  let isLocked = true
  let isOffline = false
  /** Up to here the room has one's own messages alone above what the log has: nobody else said anything unseen. */
  let own = 0
  let isWanted = false
  let users = 0
  let tries = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let working: Promise<void> | undefined
  let view: RoomView | undefined
  const listeners = new Set<() => void>()

  const tell = () => {
    view = undefined
    for (const listener of listeners) listener()
  }
  const take = (next: RoomLog) => {
    if (next === log) return
    log = next
    tell()
  }

  async function load(place: PagePlace, query: Parameters<typeof askPage>[1]): Promise<void> {
    const { window } = log
    take(applyPage(log, await askPage(room, query), place, window))
  }

  async function work(): Promise<void> {
    let isKnown = true
    if (!log.isLoaded) await load('newest', { before: maxInteger })
    else isKnown = !isWanted
    if (isWanted) {
      isWanted = false
      const rev = await joinRoom(room, log.rev)
      if (rev !== undefined) take(hearRev(log, rev))
      isKnown ||= rev !== undefined
    }
    while (!isKnown || isBehind(log)) {
      const asked = log
      if (log.isLoaded) isKnown = await catchUp(asked)
      else await load('newest', { before: maxInteger })
    }
  }

  /** Out: whether the answer reached the end. */
  async function catchUp(asked: RoomLog): Promise<boolean> {
    const answer = await askChanges(room, asked.rev)
    take(applyChanges(log, answer, asked))
    return answer.complete
  }

  /** Brings the log up to date, once at a time; without success it tries again for as long as somebody looks. */
  function sync(): Promise<void> {
    clearTimeout(timer)
    working ??= work()
      .then(() => {
        isLocked = false
        isOffline = false
        tries = 0
        error = undefined
      })
      .catch((cause: unknown) => {
        error = cause
        isOffline = isUnanswered(cause)
        isWanted = true
        tries += 1
        if (users > 0 && !isFinal(cause)) timer = setTimeout(() => void sync(), pauseAfter(tries))
      })
      .finally(() => {
        working = undefined
        tell()
        // What was heard of while it worked.
        if (!error && users > 0 && (isWanted || isBehind(log))) void sync()
      })
    return working
  }

  const syncIfBehind = () => {
    if (users > 0 && !working && isBehind(log)) void sync()
  }

  function check(locks: boolean): void {
    if (users === 0) return
    isWanted = true
    if (locks) isLocked = true
    tell()
    void sync()
  }

  async function page(place: 'older' | 'newer', query: Parameters<typeof askPage>[1]): Promise<void> {
    if (paging) return
    paging = place
    pagingFailed = false
    tell()
    try {
      await load(place, query)
    } catch {
      pagingFailed = true
    } finally {
      paging = undefined
      tell()
      syncIfBehind()
    }
  }

  const actions = {
    loadOlder: () => void page('older', { before: log.messages[0]?.seq ?? maxInteger }),
    loadNewer: () => void page('newer', { after: log.messages.at(-1)?.seq ?? 0 }),
    loadAround: async (seq: number) => {
      if (!log.messages.some((message) => message.seq === seq)) await load('around', { around: seq })
      syncIfBehind()
    },
    loadNewest: async () => {
      if (log.hasNewer) await load('newest', { before: maxInteger })
      syncIfBehind()
    },
    retry: () => check(true),
  }

  const build = (): RoomView => ({
    status: log.isLoaded || log.messages.length > 0 ? 'ready' : error ? 'failed' : 'loading',
    error,
    messages: log.messages,
    rev: log.rev,
    marks,
    isSynced: log.isLoaded && (isOffline || (!isLocked && log.heard <= Math.max(log.rev, own))),
    joints: log.joints,
    hasOlder: log.hasOlder,
    hasNewer: log.hasNewer,
    paging,
    pagingFailed,
    ...actions,
  })

  return {
    read: (): RoomView => (view ??= build()),
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Somebody looks at the room. Out: a function that ends it. */
    open: () => {
      users += 1
      if (users === 1) check(true)
      return () => {
        users -= 1
        if (users > 0) return
        clearTimeout(timer)
        void sayChat('room:leave', { room })
      }
    },
    isOpen: () => users > 0,
    hear: (change: RoomChange) => {
      take(applyRoomEvent(log, change))
      syncIfBehind()
    },
    /** The room has reached a revision, as a tick or a row says. */
    hearRev: (rev: number) => {
      take(hearRev(log, rev))
      syncIfBehind()
    },
    /** A message of one's own was taken at a revision: its event is about to come. */
    expect: (rev: number) => {
      if (rev === Math.max(log.rev, own) + 1) own = rev
      const hear = () => {
        take(hearRev(log, rev))
        syncIfBehind()
      }
      if (isConnected()) setTimeout(hear, grace)
      else hear()
    },
    receipt: (news: Parameters<ChatEvents['receipt']>[0]) => {
      const next = applyReceipt(marks, news)
      if (next === marks) return
      marks = next
      tell()
    },
    /** Asks how the room stands. In: whether one may not write until that is known. */
    check,
  }
}
