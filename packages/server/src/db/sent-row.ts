/** One row as PostgreSQL sent it: the bytes of its columns, read in place without a string for each value. */

/** Bytes of the type and the length of a PostgreSQL message. */
const headerLength = 5
const dataRow = 0x44

/**
 * A row of a statement, in the text format of PostgreSQL's protocol and in UTF-8. One object is reused for
 * all rows: its bytes are valid only until its reader returns.
 */
export class SentRow {
  /** Buffer that contains the columns of the row. */
  bytes: Buffer = Buffer.alloc(0)
  /** Number of columns in the row. */
  length = 0
  #places = new Int32Array(64)

  /** Moves to the row whose message body begins at `offset`. */
  read(bytes: Buffer, offset: number): void {
    const length = bytes.readInt16BE(offset)
    if (this.#places.length < 2 * length) this.#places = new Int32Array(4 * length)
    this.bytes = bytes
    this.length = length
    let position = offset + 2
    for (let column = 0; column < length; column += 1) {
      const size = bytes.readInt32BE(position)
      position += 4
      this.#places[2 * column] = size === -1 ? -1 : position
      if (size > 0) position += size
      this.#places[2 * column + 1] = position
    }
  }

  isNull(column: number): boolean {
    return this.start(column) === -1
  }
  /** Returns the start of a column of the row in `bytes`; -1 when it is null. */
  start(column: number): number {
    return this.#places[2 * column] ?? -1
  }
  /** Returns the end of a column of the row in `bytes`. */
  end(column: number): number {
    return this.#places[2 * column + 1] ?? -1
  }
  text(column: number): string | null {
    return this.isNull(column) ? null : this.bytes.toString('utf8', this.start(column), this.end(column))
  }
  /** Returns all columns of the row in the form that the drivers' own row readers expect. */
  get fields(): (string | null)[] {
    return Array.from({ length: this.length }, (_, column) => this.text(column))
  }
}

/** Separates rows from all other messages in the stream of an answer, wherever the stream is split. */
export class RowSplitter {
  readonly #row = new SentRow()
  readonly #takeRow: (row: SentRow) => void
  readonly #takeOthers: (bytes: Buffer) => void
  #parts: Buffer[] = []
  #gathered = 0
  #needed = headerLength

  /**
   * Creates a splitter that finds rows in the messages of the PostgreSQL protocol.
   *
   * @param takeRow - Receives each row, which is reused after the return.
   * @param takeOthers - Receives whole messages that are not rows, in their order between the rows.
   */
  constructor(takeRow: (row: SentRow) => void, takeOthers: (bytes: Buffer) => void) {
    this.#takeRow = takeRow
    this.#takeOthers = takeOthers
  }

  /** Reads the next part of the stream of protocol messages from PostgreSQL. */
  push(chunk: Buffer): void {
    if (this.#gathered === 0) {
      this.#keep(chunk, this.#split(chunk))
      return
    }
    this.#parts.push(chunk)
    this.#gathered += chunk.length
    if (this.#gathered < this.#needed) return
    const bytes = Buffer.concat(this.#parts)
    this.#parts = []
    this.#gathered = 0
    this.#keep(bytes, this.#split(bytes))
  }

  /**
   * Passes on the complete protocol messages of `bytes`.
   *
   * @returns The start of the first message that continues in the next part.
   */
  #split(bytes: Buffer): number {
    let offset = 0
    let otherCount = 0
    this.#needed = headerLength
    while (offset + headerLength <= bytes.length) {
      const end = offset + 1 + bytes.readInt32BE(offset + 1)
      if (end > bytes.length) {
        this.#needed = end - offset
        break
      }
      if (bytes[offset] === dataRow) {
        if (otherCount < offset) this.#takeOthers(bytes.subarray(otherCount, offset))
        this.#row.read(bytes, offset + headerLength)
        this.#takeRow(this.#row)
        otherCount = end
      }
      offset = end
    }
    if (otherCount < offset) this.#takeOthers(bytes.subarray(otherCount, offset))
    return offset
  }

  #keep(bytes: Buffer, startOffset: number): void {
    if (startOffset === bytes.length) return
    this.#parts.push(bytes.subarray(startOffset))
    this.#gathered = bytes.length - startOffset
  }
}
