/** Builds the messages of a room from changes, one after the other; one instance takes many changes. */
import type { ChatMessage, MessageChange, QuotedMessage, RoomChange } from '@dala/model'

/** A message with the revision of its state. */
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
  readonly gone: ReadonlySet<number>
}

const bySeq = (one: MessageSlot, other: MessageSlot) => one.message.seq - other.message.seq

function isMessageChange(change: RoomChange): change is MessageChange {
  return change.type === 'created' || change.type === 'updated' || change.type === 'deleted'
}

export class RoomLogBuilder {
  rev: number
  edges: { hasOlder: boolean; hasNewer: boolean }
  readonly #messages: readonly ChatMessage[]
  readonly #before: readonly MessageSlot[]
  readonly #known: Map<number, MessageSlot>
  readonly #first: number
  readonly #last: number
  /** The current state of quoted messages, by their id. */
  readonly #quotes = new Map<number, QuotedMessage>()
  #gone: ReadonlySet<number>
  #isTouched = false

  constructor({ rev, entries, messages, hasOlder, hasNewer, gone }: BuiltLog) {
    this.rev = rev
    this.edges = { hasOlder, hasNewer }
    this.#messages = messages
    this.#before = entries
    this.#known = new Map(entries.map((entry) => [entry.message.id, entry]))
    this.#first = entries[0]?.message.seq ?? 0
    this.#last = entries.at(-1)?.message.seq ?? 0
    this.#gone = gone
  }

  /** Inserts a message in order, unless a later state of it is known. */
  put(message: ChatMessage, rev: number): void {
    const known = this.#known.get(message.id)
    if (this.#gone.has(message.id) || (known && known.rev > rev)) return
    this.#known.set(message.id, { message, rev })
    this.#isTouched = true
  }

  /** Applies the next change. */
  apply(change: RoomChange): void {
    this.rev = change.rev
    if (!isMessageChange(change)) return
    const { data, rev } = change
    if ('partial' in data) return
    if ('deleted' in data) {
      this.#gone = new Set(this.#gone).add(data.id)
      this.#isTouched = this.#known.delete(data.id) || this.#isTouched
      this.#quotes.set(data.id, data)
      return
    }
    const { id, seq, sender, text, kind } = data
    this.#quotes.set(id, { id, seq, sender, text, kind })
    if (this.#known.has(id) || this.#isWithin(data)) this.put(data, rev)
  }

  /** Whether a message is inside the window; beyond its edges there are unknown messages. */
  #isWithin({ seq }: ChatMessage): boolean {
    if (this.#before.length === 0 && this.#known.size === 0) return !this.edges.hasNewer
    return (seq > this.#first || !this.edges.hasOlder) && (seq < this.#last || !this.edges.hasNewer)
  }

  /**
   * The parts of the log that have changed; if no message of the window changed, the lists stay identical.
   */
  close(): Pick<BuiltLog, 'rev' | 'entries' | 'messages' | 'gone'> {
    const { rev } = this
    const quoting =
      this.#quotes.size > 0 && [...this.#known.values()].some((entry) => this.#quoteOf(entry) !== undefined)
    if (!this.#isTouched && !quoting) return { rev, entries: this.#before, messages: this.#messages, gone: this.#gone }
    const entries = [...this.#known.values()]
      .map((entry) => {
        const quoted = this.#quoteOf(entry)
        return quoted ? { ...entry, message: { ...entry.message, quoted } } : entry
      })
      .toSorted(bySeq)
    return { rev, entries, messages: entries.map(({ message }) => message), gone: this.#gone }
  }

  #quoteOf({ message }: MessageSlot): QuotedMessage | undefined {
    return message.reply_to === null ? undefined : this.#quotes.get(message.reply_to)
  }
}
