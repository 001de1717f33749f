/**
 * The rooms that a client has open. The panel's own room log stores their state, from the socket and, after a
 * gap, from answers of the server.
 */
import type { RoomChange, RoomChanges } from '@dala/model'
import {
  applyChanges,
  applyPage,
  applyRoomEvent,
  emptyLog,
  recordRev,
  isBehind,
  type MessagesPage,
  type RoomLog,
} from '../../packages/panel/src/features/chat/core/room-log.ts'
import type { Answer, Api, ServerRefusal } from './api.ts'
import type { ClientSocket } from './client-socket.ts'

interface OpenRoomState {
  log: RoomLog
  syncing: Promise<void> | undefined
}

/** Sequence number above that of every message, which requests the newest page. */
const end = 2_147_483_647
const pageSize = 100

/** Tells whether an answer of the server shows that a room may no longer be read. */
export const isGone = ({ status }: { status: number }) => status === 403 || status === 404

export class OpenRooms {
  readonly #api: Api
  readonly #socket: ClientSocket
  readonly #fail: (fault: string) => void
  readonly #open = new Map<number, OpenRoomState>()
  /** Rooms that this connection has joined, so that the ticks of the server should contain them. */
  readonly #joined = new Set<number>()

  constructor(api: Api, socket: ClientSocket, fail: (fault: string) => void) {
    this.#api = api
    this.#socket = socket
    this.#fail = fail
    socket.onConnect(() => {
      this.#joined.clear()
      for (const room of this.#open.keys()) this.#join(room)
    })
    socket.on('tick', ({ rooms }) => {
      for (const [room, rev] of Object.entries(rooms)) this.reaches(Number(room), rev)
      // An event about the hand-over of a room may have been lost; joining the room again shows it.
      for (const room of this.#joined) if (rooms[room] === undefined) this.#join(room)
    })
  }

  get ids(): number[] {
    return [...this.#open.keys()]
  }

  logOf(room: number): RoomLog | undefined {
    return this.#open.get(room)?.log
  }

  /**
   * Opens a room with all its messages.
   *
   * @returns Whether it may be read.
   */
  async watch(room: number): Promise<boolean> {
    if (!this.#open.has(room)) {
      this.#open.set(room, { log: emptyLog, syncing: undefined })
      await this.#sync(room)
      this.#join(room)
    }
    return this.#open.has(room)
  }

  forget(room: number): void {
    this.#open.delete(room)
    this.#joined.delete(room)
  }

  /** Checks whether a room may still be read, and its latest revision. */
  check(room: number): void {
    this.#join(room)
  }

  /**
   * Applies a change to an open room.
   *
   * @returns Whether it belongs to an open room and is new to it.
   */
  applyChange(room: number, change: RoomChange): boolean {
    const openRoom = this.#open.get(room)
    if (!openRoom) return false
    const isNew = change.rev > openRoom.log.rev
    openRoom.log = applyRoomEvent(openRoom.log, change)
    if (isBehind(openRoom.log)) void this.#sync(room)
    return isNew
  }

  /** Handles the report that a room has reached a revision. */
  reaches(room: number, rev: number): void {
    const openRoom = this.#open.get(room)
    if (!openRoom) return
    openRoom.log = recordRev(openRoom.log, rev)
    if (isBehind(openRoom.log)) void this.#sync(room)
  }

  /** Joins a room; the revision in the answer reveals changes from before. */
  #join(room: number): void {
    if (!this.#open.has(room)) return
    void this.#socket.emit('room:join', { room, rev: this.logOf(room)?.rev ?? 0 }).then((answer) => {
      if (answer?.ok === false) this.forget(room)
      if (answer?.rev === undefined || !this.#open.has(room)) return
      this.#joined.add(room)
      this.reaches(room, answer.rev)
    })
  }

  /** Fetches the missing part of a room's log; one request at a time for each room. */
  #sync(room: number): Promise<void> {
    const openRoom = this.#open.get(room)
    if (!openRoom) return Promise.resolve()
    openRoom.syncing ??= this.#fetch(room, openRoom)
      .catch((error: unknown) => this.#fail(String(error)))
      .finally(() => (openRoom.syncing = undefined))
    return openRoom.syncing
  }

  async #fetch(room: number, openRoom: OpenRoomState): Promise<void> {
    while (isBehind(openRoom.log) && this.#open.get(room) === openRoom) {
      if (!openRoom.log.isLoaded) await this.#load(room, openRoom)
      else {
        const requestedLog = openRoom.log
        const path = `/chatrooms/${room}/changes?after=${requestedLog.rev}`
        const { status, body }: Answer<RoomChanges & ServerRefusal> = await this.#api.insist('GET', path)
        if (!this.#isRead(room, path, status)) return
        openRoom.log = applyChanges(openRoom.log, body, requestedLog)
      }
    }
  }

  /** Loads the newest page of a room's messages, and then all older ones. */
  async #load(room: number, openRoom: OpenRoomState): Promise<void> {
    for (let endSeq = end, isFirst = true; isFirst || openRoom.log.hasOlder; isFirst = false) {
      const { window } = openRoom.log
      const path = `/chatmessages?filters[room]=${room}&before=${endSeq}&limit=${pageSize}`
      const { status, body }: Answer<MessagesPage & ServerRefusal> = await this.#api.insist('GET', path)
      if (!this.#isRead(room, path, status)) return
      openRoom.log = applyPage(openRoom.log, body, isFirst ? 'newest' : 'older', window)
      endSeq = body.results[0]?.seq ?? 0
    }
  }

  #isRead(room: number, path: string, status: number): boolean {
    if (status === 200) return true
    this.forget(room)
    if (!isGone({ status })) this.#fail(`${path} was answered with ${status}`)
    return false
  }
}
