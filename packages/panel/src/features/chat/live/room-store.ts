/**
 * A room log with its sources: pages and changes by HTTP, events by the socket. It lives as long as the query
 * cache, so a room that is reopened is shown immediately; writing is unlocked after a check with the server.
 */
import { type ChatEvents, maxInteger, type RoomChange } from '@dala/model'
import { isConnected } from '../../../api/connection.ts'
import { emitChat } from '../../../api/live.ts'
import { pauseAfter } from '../core/queue.ts'
import { applyReceipt, noMarks } from '../core/read-marks.ts'
import {
  applyChanges,
  applyPage,
  applyRoomEvent,
  emptyLog,
  recordRev,
  isBehind,
  type PagePlace,
  type RoomLog,
} from '../core/room-log.ts'
import { askChanges, askPage, isFinal, isUnanswered, joinRoom } from './room-calls.ts'
import type { RoomView } from './room-view.ts'

/** How long the event of the user's own message may take before it is requested, in milliseconds. */
const grace = 1_500
export type RoomStore = ReturnType<typeof buildRoomStore>

export function buildRoomStore(room: number) {
  let log: RoomLog = emptyLog
  let marks = noMarks
  let error: unknown
  let paging: RoomView['paging']
  let pagingFailed = false
  /** The state on the server is unknown, and writing is locked until it is known. */
  let isLocked = true
  let isOffline = false
  /** Up to this revision only the user's own messages follow the log: there is nothing unseen of others. */
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
      if (rev !== undefined) take(recordRev(log, rev))
      isKnown ||= rev !== undefined
    }
    while (!isKnown || isBehind(log)) {
      const asked = log
      if (log.isLoaded) isKnown = await catchUp(asked)
      else await load('newest', { before: maxInteger })
    }
  }

  /** Returns whether the answer reached the end. */
  async function catchUp(asked: RoomLog): Promise<boolean> {
    const answer = await askChanges(room, asked.rev)
    take(applyChanges(log, answer, asked))
    return answer.complete
  }

  /** Brings the log up to date, one run at a time; a failed run is retried while the room is open. */
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
        // Revisions that were reported during the run.
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
    /** Registers a user of the room and returns a function that removes it. */
    open: () => {
      users += 1
      if (users === 1) check(true)
      return () => {
        users -= 1
        if (users > 0) return
        clearTimeout(timer)
        void emitChat('room:leave', { room })
      }
    },
    isOpen: () => users > 0,
    hear: (change: RoomChange) => {
      take(applyRoomEvent(log, change))
      syncIfBehind()
    },
    /** Records a revision of the room, as a tick or a row reports it. */
    hearRev: (rev: number) => {
      take(recordRev(log, rev))
      syncIfBehind()
    },
    /** Records that the server took the user's own message at a revision: its event is expected soon. */
    expect: (rev: number) => {
      if (rev === Math.max(log.rev, own) + 1) own = rev
      const hear = () => {
        take(recordRev(log, rev))
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
    /** Checks the room with the server; the parameter tells whether writing is locked until then. */
    check,
  }
}
