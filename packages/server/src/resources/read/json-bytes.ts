/** Builds JSON from the bytes of rows, without strings in between. */
import type { SentRow } from '../../db/sent-row.ts'

const quoteByte = 0x22
const backslash = 0x5c
const firstPlainByte = 0x20
/** Number of bytes up to which a loop is faster than a call that copies memory. */
const shortCopy = 48
/** Length of the longest JSON escape of one byte: `\u001f`. */
const longestEscape = 6

const shortEscapes = new Map([
  [0x08, 0x62],
  [0x09, 0x74],
  [0x0a, 0x6e],
  [0x0c, 0x66],
  [0x0d, 0x72],
])
/** The second letter of JSON's two-letter escapes of control characters. */
const secondLetters = Uint8Array.from({ length: firstPlainByte }, (_, byte) => shortEscapes.get(byte) ?? 0)

const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39

/** A part of the JSON text that may be repeated. */
interface Part {
  from: number
  to: number
}

/** A JSON text that grows while it is written. */
export class JsonBytes {
  #bytes: Buffer
  #length = 0
  readonly #parts = new Map<object, Part>()

  /**
   * Creates an empty JSON text.
   *
   * @param expectedLength - Its approximate length in bytes.
   */
  constructor(expectedLength: number) {
    this.#bytes = Buffer.allocUnsafeSlow(expectedLength)
  }

  get length(): number {
    return this.#length
  }
  /** Returns the written bytes of the JSON text, to which nothing may be added afterwards. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Writes bytes that are JSON already to the text. */
  bytes(source: Uint8Array, start = 0, end = source.length): void {
    this.#reserve(end - start)
    if (end - start > shortCopy) {
      this.#bytes.set(source.subarray(start, end), this.#length)
      this.#length += end - start
      return
    }
    const bytes = this.#bytes
    let position = this.#length
    for (let index = start; index < end; index += 1) bytes[position++] = source[index] ?? 0
    this.#length = position
  }

  /** Adds a text that is JSON already to the bytes. */
  json(text: string): void {
    this.#reserve(3 * text.length)
    this.#length += this.#bytes.write(text, this.#length)
  }

  /** Writes a text in UTF-8 as a JSON string, as `JSON.stringify` does. */
  string(source: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start + 2)
    let bytes = this.#bytes
    let position = this.#length
    bytes[position++] = quoteByte
    for (let index = start; index < end; index += 1) {
      const byte = source[index] ?? 0
      if (byte >= firstPlainByte && byte !== quoteByte && byte !== backslash) {
        bytes[position++] = byte
        continue
      }
      this.#length = position
      this.#reserve(longestEscape + end - index + 1)
      bytes = this.#bytes
      bytes[position++] = backslash
      const letter = byte < firstPlainByte ? secondLetters[byte] : byte
      if (letter) bytes[position++] = letter
      else position += bytes.write(`u${byte.toString(16).padStart(4, '0')}`, position, 'latin1')
    }
    bytes[position++] = quoteByte
    this.#length = position
  }

  /** Notes the beginning and end of a part of the JSON that may be repeated. */
  note(jsonPart: object, startOffset: number): void {
    this.#parts.set(jsonPart, { from: startOffset, to: this.#length })
  }

  /**
   * Repeats a part of the JSON that begins with the same number.
   *
   * @param jsonPart - The part that was noted.
   * @param offset - The position of the number in the part.
   * @param row - The row with the number.
   * @param column - The column of the number.
   * @returns Whether the part was written.
   */
  repeat(jsonPart: object, offset: number, row: SentRow, column: number): boolean {
    const cachedPart = this.#parts.get(jsonPart)
    if (!cachedPart) return false
    const [start, end] = [row.start(column), row.end(column)]
    let position = cachedPart.from + offset
    for (let index = start; index < end; index += 1, position += 1)
      if (row.bytes[index] !== this.#bytes[position]) return false
    if (isDigit(this.#bytes[position])) return false
    const { from, to } = cachedPart
    this.#reserve(to - from)
    this.#bytes.copyWithin(this.#length, from, to)
    this.#length += to - from
    return true
  }

  #reserve(addedLength: number): void {
    const neededLength = this.#length + addedLength
    if (neededLength <= this.#bytes.length) return
    const largerBuffer = Buffer.allocUnsafeSlow(Math.max(neededLength, 2 * this.#bytes.length))
    largerBuffer.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = largerBuffer
  }
}
