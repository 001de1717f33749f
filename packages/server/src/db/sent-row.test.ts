import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RowSplitter } from './sent-row.ts'

type Column = string | null
type Message = { row: Column[] } | { other: string }

/** A message of PostgreSQL's protocol: its type, its length and its body. */
function messageOf(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}
function encodeMessage(message: Message): Buffer {
  if ('other' in message) return messageOf('N', Buffer.from(message.other))
  const count = Buffer.alloc(2)
  count.writeInt16BE(message.row.length)
  const columns = message.row.flatMap((column) => {
    const size = Buffer.alloc(4)
    const text = Buffer.from(column ?? '')
    size.writeInt32BE(column === null ? -1 : text.length)
    return [size, text]
  })
  return messageOf('D', Buffer.concat([count, ...columns]))
}

const columns = fc.array(fc.option(fc.string({ unit: 'grapheme', maxLength: 90 })), { maxLength: 80 })
const messages = fc.array(
  fc.oneof(
    columns.map((row): Message => ({ row })),
    fc.string({ maxLength: 20 }).map((messageText): Message => ({ other: messageText })),
  ),
)
const cutPositions = fc.array(fc.nat({ max: 400 }))

/** Returns rows and other messages in the order in which the splitter passes them on. */
function splitMessages(parts: readonly Buffer[]): Message[] {
  const foundMessages: Message[] = []
  const splitter = new RowSplitter(
    (row) => foundMessages.push({ row: row.fields }),
    (bytes) => {
      for (let offset = 0; offset < bytes.length;) {
        const end = offset + 1 + bytes.readInt32BE(offset + 1)
        foundMessages.push({ other: bytes.toString('utf8', offset + 5, end) })
        offset = end
      }
    },
  )
  for (const streamPart of parts) splitter.push(streamPart)
  return foundMessages
}

test('passes on database rows and other messages whole and in order, wherever the stream is split', () => {
  fc.assert(
    fc.property(messages, cutPositions, (sentMessages, lengths) => {
      let remainingBytes = Buffer.concat(sentMessages.map(encodeMessage))
      const parts = lengths.map((length) => {
        const streamPart = remainingBytes.subarray(0, length)
        remainingBytes = remainingBytes.subarray(length)
        return streamPart
      })
      expect(splitMessages([...parts, remainingBytes])).toEqual(sentMessages)
    }),
  )
})
