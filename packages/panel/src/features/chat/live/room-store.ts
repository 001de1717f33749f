/**
 * The log of a chat room with its sources: pages and changes by HTTP, events by the socket. It lives as long
 * as the query cache, so a room that is reopened is shown immediately; writing is unlocked after a check with
 * the server.
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
  type PagePosition,
  type RoomLog,
} from '../core/room-log.ts'
import { fetchChanges, fetchPage, isFinal, isUnanswered, joinRoom } from './room-calls.ts'
import type { RoomView } from './room-view.ts'

/** Milliseconds that the event of the user's own message may take before it is requested. */
const ownEventTimeout = 1_500
export type RoomStore = ReturnType<typeof buildRoomStore>

export function buildRoomStore(room: number) {
  let log: RoomLog = emptyLog
  let marks = noMarks
  let error: unknown
  let loadingPage: RoomView['loadingPage']
  let hasPagingFailed = false
  /** The state of the room on the server is unknown, and writing is locked until it is known. */
  let isLocked = true
  let isOffline = false
  /** Revision up to which only the user's own changes follow the log, so that no message of others is unseen. */
  let ownRev = 0
  let isWanted = false
  let subscriberCount = 0
  let tryCount = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let syncRun: Promise<void> | undefined
  let view: RoomView | undefined
  const listeners = new Set<() => void>()

  const notifyListeners = () => {
    view = undefined
    for (const listener of listeners) listener()
  }
  const setLog = (newLog: RoomLog) => {
    if (newLog === log) return
    log = newLog
    notifyListeners()
  }

  async function load(position: PagePosition, query: Parameters<typeof fetchPage>[1]): Promise<void> {
    const { window } = log
    setLog(applyPage(log, await fetchPage(room, query), position, window))
  }

  async function synchronizeLog(): Promise<void> {
    let isKnown = true
    if (!log.isLoaded) await load('newest', { before: maxInteger })
    else isKnown = !isWanted
    if (isWanted) {
      isWanted = false
      const rev = await joinRoom(room, log.rev)
      if (rev !== undefined) setLog(recordRev(log, rev))
      isKnown ||= rev !== undefined
    }
    while (!isKnown || isBehind(log)) {
      const requestedLog = log
      if (log.isLoaded) isKnown = await catchUpLog(requestedLog)
      else await load('newest', { before: maxInteger })
    }
  }

  /** Loads missed changes of the room. Returns whether the response reached the end of the log. */
  async function catchUpLog(logAtRequest: RoomLog): Promise<boolean> {
    const answer = await fetchChanges(room, logAtRequest.rev)
    setLog(applyChanges(log, answer, logAtRequest))
    return answer.complete
  }

  /** Brings the room's log up to date, one run at a time; a failed run is retried while the room is open. */
  function syncLog(): Promise<void> {
    clearTimeout(timer)
    syncRun ??= synchronizeLog()
      .then(() => {
        isLocked = false
        isOffline = false
        tryCount = 0
        error = undefined
      })
      .catch((cause: unknown) => {
        error = cause
        isOffline = isUnanswered(cause)
        isWanted = true
        tryCount += 1
        if (subscriberCount > 0 && !isFinal(cause)) timer = setTimeout(() => void syncLog(), pauseAfter(tryCount))
      })
      .finally(() => {
        syncRun = undefined
        notifyListeners()
        // Revisions of the room that were reported during the synchronisation.
        if (!error && subscriberCount > 0 && (isWanted || isBehind(log))) void syncLog()
      })
    return syncRun
  }

  const syncIfBehind = () => {
    if (subscriberCount > 0 && !syncRun && isBehind(log)) void syncLog()
  }

  function check(isLocking: boolean): void {
    if (subscriberCount === 0) return
    isWanted = true
    if (isLocking) isLocked = true
    notifyListeners()
    void syncLog()
  }

  async function page(position: 'older' | 'newer', query: Parameters<typeof fetchPage>[1]): Promise<void> {
    if (loadingPage) return
    loadingPage = position
    hasPagingFailed = false
    notifyListeners()
    try {
      await load(position, query)
    } catch {
      hasPagingFailed = true
    } finally {
      loadingPage = undefined
      notifyListeners()
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

  const buildView = (): RoomView => ({
    status: log.isLoaded || log.messages.length > 0 ? 'ready' : error ? 'failed' : 'loading',
    error,
    messages: log.messages,
    rev: log.rev,
    marks,
    isSynced: log.isLoaded && (isOffline || (!isLocked && log.latestRev <= Math.max(log.rev, ownRev))),
    pageStarts: log.pageStarts,
    hasOlder: log.hasOlder,
    hasNewer: log.hasNewer,
    loadingPage,
    hasPagingFailed,
    ...actions,
  })

  return {
    read: (): RoomView => (view ??= buildView()),
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Registers a component that shows the room, and returns a function that removes it. */
    open: () => {
      subscriberCount += 1
      if (subscriberCount === 1) check(true)
      return () => {
        subscriberCount -= 1
        if (subscriberCount > 0) return
        clearTimeout(timer)
        void emitChat('room:leave', { room })
      }
    },
    isOpen: () => subscriberCount > 0,
    applyChange: (change: RoomChange) => {
      setLog(applyRoomEvent(log, change))
      syncIfBehind()
    },
    /** Records a revision of the room, as a tick or a row reports it. */
    noteRevision: (rev: number) => {
      setLog(recordRev(log, rev))
      syncIfBehind()
    },
    /** Records that the server took the user's own change at a revision: its event is expected soon. */
    expectRevision: (rev: number) => {
      if (rev === Math.max(log.rev, ownRev) + 1) {
        ownRev = rev
        notifyListeners()
      }
      const handleChange = () => {
        setLog(recordRev(log, rev))
        syncIfBehind()
      }
      if (isConnected()) setTimeout(handleChange, ownEventTimeout)
      else handleChange()
    },
    receipt: (receipt: Parameters<ChatEvents['receipt']>[0]) => {
      const newMarks = applyReceipt(marks, receipt)
      if (newMarks === marks) return
      marks = newMarks
      notifyListeners()
    },
    /** Checks the room with the server; the parameter tells whether writing is locked until then. */
    check,
  }
}
