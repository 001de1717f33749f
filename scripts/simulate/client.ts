/**
 * A correct client of the desk. The client writes by HTTP and repeats unanswered requests, in order and under
 * the same client ids. It listens on a socket and fetches what it misses by revisions (chat §4).
 */
import { randomUUID } from 'node:crypto'
import type { ChatAttachment, RoomChange, RoomRow } from '@dala/model'
import { Api } from './api.ts'
import { ClientSocket, type SocketOptions } from './client-socket.ts'
import { isGone, OpenRooms } from './open-rooms.ts'
import type { Person } from './people.ts'
import type { CountTally } from './tally.ts'

export interface Draft {
  text: string | null
  kind?: 'message' | 'note'
  attachments?: readonly Pick<ChatAttachment, 'url'>[]
  reply_to?: number
}

/** Chat message that the server has acknowledged. */
export interface SentUpload {
  room: number
  clientId: string
  id: number
  draft: Draft
}

interface MessageAnswer {
  data?: { id: number }
  meta?: { duplicate?: true }
}

/** Milliseconds between two delivery receipts of a room at least. */
const deliveryInterval = 3_000

export class ChatClient {
  readonly me: Person
  readonly api: Api
  readonly socket: ClientSocket
  tally: CountTally
  readonly rooms: OpenRooms
  readonly sent: SentUpload[] = []
  /** Rows of the list of rooms, as the latest socket events have them. */
  readonly rows = new Map<number, RoomRow>()
  /** Unexpected failures of the simulated client's requests. */
  readonly faults: string[] = []
  /** Promise by room that resolves when all messages written in the room are answered. */
  readonly #writing = new Map<number, Promise<unknown>>()
  /** Sequence number of the next delivery receipt, by room. */
  readonly #delivered = new Map<number, number>()
  #isClosed = false

  constructor(me: Person, tally: CountTally, { url, token, chooseFate: drawFate }: SocketOptions) {
    this.me = me
    this.tally = tally
    this.api = new Api(url, token)
    this.socket = new ClientSocket({ url, token, chooseFate: drawFate })
    this.rooms = new OpenRooms(this.api, this.socket, (fault) => void (this.#isClosed || this.faults.push(fault)))
    this.socket.on('update', ({ room, status, rev, prev, data }) =>
      // Message events of both kinds have one shape; a deleted message has no content.
      this.#receive(
        room,
        status === 'deleted'
          ? { type: status, rev, prev, data: { id: data.id, deleted: true } }
          : { type: status, rev, prev, data },
      ),
    )
    this.socket.on('room:changed', ({ room, change, row }) => {
      if (!row) return this.#loseSight(room)
      this.rows.set(room, row)
      this.#receive(room, change)
    })
    this.socket.open()
  }

  /**
   * Sends a message after the earlier messages of the room.
   *
   * @returns The message; undefined when it was refused.
   */
  send(room: number, draft: Draft): Promise<SentUpload | undefined> {
    const clientId = randomUUID()
    const turn = (this.#writing.get(room) ?? Promise.resolve()).then(() => this.#post(room, clientId, draft))
    this.#writing.set(
      room,
      turn.catch(() => undefined),
    )
    return turn
  }

  async #post(room: number, clientId: string, draft: Draft): Promise<SentUpload | undefined> {
    this.tally.leaves(clientId)
    const data = { room, client_id: clientId, ...draft }
    const { status, body } = await this.api.insist<MessageAnswer>('POST', '/chatmessages', { data })
    if (status !== 200 || !body.data) {
      this.tally.did('refused')
      // The message that is quoted may have been deleted meanwhile.
      const isQuoteGone = status === 422 && draft.reply_to !== undefined
      if (!isGone({ status }) && !isQuoteGone)
        this.faults.push(`sending was answered with ${status} ${body.error?.message}`)
      return undefined
    }
    if (body.meta?.duplicate) this.tally.did('resent')
    const sentMessage = { room, clientId, id: body.data.id, draft }
    this.sent.push(sentMessage)
    this.tally.did(draft.kind ?? 'message')
    this.tally.rooms.add(room)
    return sentMessage
  }

  async edit(id: number, text: string): Promise<void> {
    const { status } = await this.api.insist('PUT', `/chatmessages/${id}`, { data: { text } })
    if (status === 200) this.tally.did('edit')
    else if (!isGone({ status })) this.faults.push(`an edit was answered with ${status}`)
  }

  async remove(id: number): Promise<void> {
    const { status } = await this.api.insist('DELETE', `/chatmessages/${id}`)
    // Status 404 shows that an earlier attempt to delete the message has arrived.
    if (status === 200 || status === 404) this.tally.did('delete')
    else if (!isGone({ status })) this.faults.push(`a delete was answered with ${status}`)
  }

  /** Marks a room as read up to its last shown message. */
  async seen(room: number): Promise<void> {
    const lastMessage = this.rooms.logOf(room)?.messages.at(-1)
    if (lastMessage) await this.api.insist('GET', `/seen_messages?room=${room}&upTo=${lastMessage.seq}`)
  }

  /** Resolves when the server has answered every message of this client. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing.values())
  }

  close(): void {
    this.#isClosed = true
    this.api.close()
    this.socket.close()
  }

  #loseSight(room: number): void {
    this.rooms.forget(room)
    this.rows.delete(room)
  }

  #receive(room: number, change: RoomChange): void {
    const isNew = this.rooms.applyChange(room, change)
    if (change.type !== 'created' || !('seq' in change.data) || change.data.sender.id === this.me.id) return
    if (change.data.client_id !== null) this.tally.arrives(change.data.client_id)
    if (isNew) this.#tellDelivered(room, change.data.seq)
  }

  /** The receipt with the highest sequence number covers all earlier messages. */
  #tellDelivered(room: number, seq: number): void {
    const waitingSeq = this.#delivered.get(room)
    this.#delivered.set(room, Math.max(waitingSeq ?? 0, seq))
    if (waitingSeq !== undefined) return
    setTimeout(() => {
      const reachedSeq = this.#delivered.get(room) ?? seq
      this.#delivered.delete(room)
      void this.socket.emit('delivered', { room, seq: reachedSeq })
    }, deliveryInterval).unref()
  }
}
