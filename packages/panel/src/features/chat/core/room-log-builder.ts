/** Builds the messages of a room from changes, one after the other; one instance takes many changes. */
import type { ChatMessage, MessageChange, QuotedMessage, RoomChange } from '@dala/model'

/** Chat message with the revision of its state. */
export interface MessageSlot {
  readonly message: ChatMessage
  readonly rev: number
}

interface BuiltLog {
  readonly rev: number
  readonly entries: readonly MessageSlot[]
  readonly messages: readonly ChatMessage[]
  readonly hasOlder: boolean
  readonly hasNewer: boolean
  readonly removedIds: ReadonlySet<number>
}

const compareSeq = (one: MessageSlot, other: MessageSlot) => one.message.seq - other.message.seq

function isMessageChange(change: RoomChange): change is MessageChange {
  return change.type === 'created' || change.type === 'updated' || change.type === 'deleted'
}

export class RoomLogBuilder {
  rev: number
  logBounds: { hasOlder: boolean; hasNewer: boolean }
  readonly #messages: readonly ChatMessage[]
  readonly #before: readonly MessageSlot[]
  readonly #slots: Map<number, MessageSlot>
  readonly #first: number
  readonly #last: number
  /** Current state of quoted chat messages, by their id. */
  readonly #quotesById = new Map<number, QuotedMessage>()
  #removedIds: ReadonlySet<number>
  #isTouched = false

  constructor({ rev, entries, messages, hasOlder, hasNewer, removedIds }: BuiltLog) {
    this.rev = rev
    this.logBounds = { hasOlder, hasNewer }
    this.#messages = messages
    this.#before = entries
    this.#slots = new Map(entries.map((entry) => [entry.message.id, entry]))
    this.#first = entries[0]?.message.seq ?? 0
    this.#last = entries.at(-1)?.message.seq ?? 0
    this.#removedIds = removedIds
  }

  /** Inserts a message into the room log in order, unless a later state of the message is known. */
  put(message: ChatMessage, rev: number): void {
    const slot = this.#slots.get(message.id)
    if (this.#removedIds.has(message.id) || (slot && slot.rev > rev)) return
    this.#slots.set(message.id, { message, rev })
    this.#isTouched = true
  }

  /** Applies the next change of the room to its log. */
  apply(change: RoomChange): void {
    this.rev = change.rev
    if (!isMessageChange(change)) return
    const { data, rev } = change
    if ('partial' in data) return
    if ('deleted' in data) {
      this.#removedIds = new Set(this.#removedIds).add(data.id)
      this.#isTouched = this.#slots.delete(data.id) || this.#isTouched
      this.#quotesById.set(data.id, data)
      return
    }
    const { id, seq, sender, text, kind } = data
    this.#quotesById.set(id, { id, seq, sender, text, kind })
    if (this.#slots.has(id) || this.#isWithin(data)) this.put(data, rev)
  }

  /** Whether a message is inside the window; beyond its edges there are unknown messages. */
  #isWithin({ seq }: ChatMessage): boolean {
    if (this.#before.length === 0 && this.#slots.size === 0) return !this.logBounds.hasNewer
    return (seq > this.#first || !this.logBounds.hasOlder) && (seq < this.#last || !this.logBounds.hasNewer)
  }

  /**
   * Returns the parts of the room log that have changed. If no message of the window changed, the lists stay
   * identical.
   */
  close(): Pick<BuiltLog, 'rev' | 'entries' | 'messages' | 'removedIds'> {
    const { rev } = this
    const quotingSlots =
      this.#quotesById.size > 0 && [...this.#slots.values()].some((entry) => this.#quoteOf(entry) !== undefined)
    if (!this.#isTouched && !quotingSlots)
      return { rev, entries: this.#before, messages: this.#messages, removedIds: this.#removedIds }
    const entries = [...this.#slots.values()]
      .map((entry) => {
        const quotedMessage = this.#quoteOf(entry)
        return quotedMessage ? { ...entry, message: { ...entry.message, quoted: quotedMessage } } : entry
      })
      .toSorted(compareSeq)
    return { rev, entries, messages: entries.map(({ message }) => message), removedIds: this.#removedIds }
  }

  #quoteOf({ message }: MessageSlot): QuotedMessage | undefined {
    return message.reply_to === null ? undefined : this.#quotesById.get(message.reply_to)
  }
}
