/**
 * Sends statements to the embedded database as messages of PostgreSQL's protocol, prepared when they recur.
 */
import { messages, parse, protocol, types } from '@electric-sql/pglite'
import { type Answer, RolledBackError, type RowMode, type Statement } from './driver.ts'
import { type Engine, joined } from './embedded-engine.ts'
import { DatabaseLost, NotBegun } from './embedded-failures.ts'
import { RowSplitter, type SentRow } from './sent-row.ts'
import { statementNames } from './statement-names.ts'
import { arrayTypes, decoders, type EncodedParameter, encode } from './values.ts'

const { serialize } = protocol

/** Encodes an element of a list literal, which may be a list. */
function elementOf(value: EncodedParameter): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? listOf(value) : `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
/** Encodes a list as `{"1","2"}`, its text form whatever the type of its elements. */
const listOf = (values: readonly EncodedParameter[]): string => `{${values.map(elementOf).join(',')}}`

const isDone = (message: messages.BackendMessage): message is messages.CommandCompleteMessage =>
  message.name === 'commandComplete'

const text = (value: string) => value

/** Decoders of values by type number, lists included. */
const parsers: Record<number, (text: string) => unknown> = {
  ...decoders,
  ...Object.fromEntries(
    Object.entries(arrayTypes).map(([list, element]) => [
      list,
      (value: string) => types.arrayParser(value, decoders[element] ?? text, Number(list)) as unknown,
    ]),
  ),
}

/**
 * The options of running a statement: with or without the time
 * limit, and whether only in one opening of the database.
 */
interface RunOptions {
  limited: boolean
  /** Opening of the database in which a transaction began; in another, its statements fail. */
  opening?: number
}

/**
 * Runs statements on one database. PGlite's own `query` plans every statement again and makes six calls to
 * the database for it. Planning a list with its relations takes longer than running it. Here a repeated text
 * keeps its plan (decision 5).
 */
export class EmbeddedWire {
  readonly #engine: Engine
  readonly #nameOf = statementNames()
  readonly #prepared = new Set<string>()
  /** Number of the database's opening to which the prepared statements belong. */
  #preparedIn = 0

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Runs one statement. Throws the error of the database. */
  async run(statement: Statement, mode: RowMode, options: RunOptions): Promise<Answer> {
    const received = await this.#execute(statement, true, options, read)
    const [result] = parse.parseResults(received, parsers, { rowMode: mode })
    return { rows: result?.rows ?? [], affected: result?.affectedRows }
  }

  /** Runs one read and gives its rows to `take` as they were sent. Throws the error of the database. */
  async each(statement: Statement, options: RunOptions, take: (row: SentRow) => void): Promise<void> {
    await this.#execute(statement, false, options, (bytes) => readRows(bytes, take))
  }

  #execute(
    { sql, parameters, replan }: Statement,
    isDescribed: boolean,
    options: RunOptions,
    receive: ParseMessages,
  ): Promise<messages.BackendMessage[]> {
    const values = parameters.map(encode).map((value) => (Array.isArray(value) ? listOf(value) : value))
    const name = replan ? undefined : this.#nameOf(sql)
    const write = (opening: number) => {
      const chunks: Uint8Array[] = []
      const prepares = name !== undefined && !this.#isPrepared(name, opening)
      if (name === undefined) chunks.push(serialize.parse({ text: sql }))
      // The message `Parse` ends with its own sync: a name from a failing run could not be used again.
      else if (prepares) chunks.push(serialize.parse({ name, text: sql }), serialize.sync())
      chunks.push(serialize.bind({ statement: name ?? '', values }))
      if (isDescribed) chunks.push(serialize.describe({ type: 'P' }))
      chunks.push(serialize.execute(), serialize.sync())
      return { message: joined(chunks), ...(prepares && { prepares: name }) }
    }
    return this.#begun(options, write, receive)
  }

  /**
   * Runs several statements in one text.
   *
   * @returns The rows of all of them, as objects.
   */
  async script(sql: string, options: RunOptions = { limited: false }): Promise<unknown[]> {
    const received = await this.#begun(options, () => ({ message: joined([serialize.query(sql)]) }), read)
    return parse.parseResults(received, parsers, { rowMode: 'object' }).flatMap(({ rows }) => rows)
  }

  /**
   * Begins a transaction.
   *
   * @returns The opening of the database that it belongs to.
   */
  async begin(): Promise<number> {
    await this.script('begin')
    return this.#engine.opening
  }

  /**
   * Commits the transaction. Throws when the transaction ended in a rollback although nothing threw: an
   * earlier error was swallowed.
   */
  async commit(opening: number): Promise<void> {
    const commit = () => ({ message: joined([serialize.query('commit')]) })
    const received = await this.#begun({ limited: false, opening }, commit, read)
    if (received.some((message) => isDone(message) && message.text === 'ROLLBACK'))
      throw new RolledBackError('The transaction was rolled back')
  }

  /** Rolls the transaction back. If the database was closed during the transaction, it has already ended. */
  async rollback(opening: number): Promise<void> {
    try {
      await this.script('rollback', { limited: false, opening })
    } catch (error) {
      if (!(error instanceof DatabaseLost)) throw error
    }
  }

  #isPrepared(name: string, opening: number): boolean {
    if (this.#preparedIn !== opening) {
      this.#prepared.clear()
      this.#preparedIn = opening
    }
    return this.#prepared.has(name)
  }

  /**
   * Sends a message to the database, and again if the database was closed before it began: the message is
   * written again for each opening.
   */
  async #begun(
    { limited, opening: only }: RunOptions,
    write: (opening: number) => { message: Uint8Array; prepares?: string },
    receive: ParseMessages,
  ): Promise<messages.BackendMessage[]> {
    for (;;) {
      const opening = only ?? this.#engine.opening
      const { message, prepares } = write(opening)
      if (prepares !== undefined) this.#prepared.add(prepares)
      try {
        const received = receive(await this.#engine.send(message, { limited, opening }))
        const failure = received.find((part) => part instanceof messages.DatabaseError)
        if (!failure) return received
        if (prepares !== undefined && !received.some(({ name }) => name === 'parseComplete'))
          this.#prepared.delete(prepares)
        throw failure
      } catch (error) {
        if (!(error instanceof NotBegun)) throw error
        if (only !== undefined) throw new DatabaseLost(error)
      }
    }
  }
}

/** Reads the bytes of an answer and returns its messages, at least those about failures and preparation. */
type ParseMessages = (bytes: Uint8Array) => messages.BackendMessage[]

function read(bytes: Uint8Array): messages.BackendMessage[] {
  const received: messages.BackendMessage[] = []
  new protocol.Parser().parse(bytes, (message) => received.push(message))
  return received
}

/** Gives the rows of an answer to `take` and returns the other messages. */
function readRows(bytes: Uint8Array, take: (row: SentRow) => void): messages.BackendMessage[] {
  const others: messages.BackendMessage[] = []
  const parser = new protocol.Parser()
  const splitter = new RowSplitter(take, (part) => parser.parse(part, (message) => others.push(message)))
  splitter.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  return others
}
