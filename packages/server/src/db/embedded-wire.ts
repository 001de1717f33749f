/**
 * Sends statements to the embedded database as messages of PostgreSQL's protocol, prepared when they recur.
 */
import { messages, parse, protocol, types } from '@electric-sql/pglite'
import { type Answer, RolledBackError, type RowMode, type Statement } from './driver.ts'
import { type Engine, joinChunks } from './embedded-engine.ts'
import { DatabaseLost, NotBegunError } from './embedded-failures.ts'
import { RowSplitter, type SentRow } from './sent-row.ts'
import { statementNames } from './statement-names.ts'
import { arrayTypes, decoders, type EncodedParameter, encodeValue } from './values.ts'

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
  isLimited: boolean
  /** Opening of the database in which a transaction began; in another, its statements fail. */
  openingNumber?: number
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
    const receivedMessages = await this.#execute(statement, true, options, readMessages)
    const [result] = parse.parseResults(receivedMessages, parsers, { rowMode: mode })
    return { rows: result?.rows ?? [], affectedCount: result?.affectedRows }
  }

  /** Runs one read and gives its rows to `take` as they were sent. Throws the error of the database. */
  async forEachRow(statement: Statement, options: RunOptions, take: (row: SentRow) => void): Promise<void> {
    await this.#execute(statement, false, options, (bytes) => readRows(bytes, take))
  }

  #execute(
    { sql, parameters, mustReplan }: Statement,
    isDescribed: boolean,
    options: RunOptions,
    parseMessages: ParseMessages,
  ): Promise<messages.BackendMessage[]> {
    const values = parameters.map(encodeValue).map((value) => (Array.isArray(value) ? listOf(value) : value))
    const name = mustReplan ? undefined : this.#nameOf(sql)
    const writeMessage = (opening: number) => {
      const chunks: Uint8Array[] = []
      const mustPrepare = name !== undefined && !this.#isPrepared(name, opening)
      if (name === undefined) chunks.push(serialize.parse({ text: sql }))
      // The message `Parse` ends with its own sync: a name from a failing run could not be used again.
      else if (mustPrepare) chunks.push(serialize.parse({ name, text: sql }), serialize.sync())
      chunks.push(serialize.bind({ statement: name ?? '', values }))
      if (isDescribed) chunks.push(serialize.describe({ type: 'P' }))
      chunks.push(serialize.execute(), serialize.sync())
      return { message: joinChunks(chunks), ...(mustPrepare && { prepares: name }) }
    }
    return this.#begun(options, writeMessage, parseMessages)
  }

  /**
   * Runs several statements in one text.
   *
   * @returns The rows of all of them, as objects.
   */
  async script(sql: string, options: RunOptions = { isLimited: false }): Promise<unknown[]> {
    const receivedMessages = await this.#begun(
      options,
      () => ({ message: joinChunks([serialize.query(sql)]) }),
      readMessages,
    )
    return parse.parseResults(receivedMessages, parsers, { rowMode: 'object' }).flatMap(({ rows }) => rows)
  }

  /**
   * Begins a transaction.
   *
   * @returns The opening of the database that it belongs to.
   */
  async begin(): Promise<number> {
    await this.script('begin')
    return this.#engine.openingNumber
  }

  /**
   * Commits the transaction. Throws when the transaction ended in a rollback although nothing threw: an
   * earlier error was swallowed.
   */
  async commit(openingNumber: number): Promise<void> {
    const commit = () => ({ message: joinChunks([serialize.query('commit')]) })
    const receivedMessages = await this.#begun({ isLimited: false, openingNumber }, commit, readMessages)
    if (receivedMessages.some((message) => isDone(message) && message.text === 'ROLLBACK'))
      throw new RolledBackError('The transaction was rolled back')
  }

  /** Rolls the transaction back. If the database was closed during the transaction, it has already ended. */
  async rollback(openingNumber: number): Promise<void> {
    try {
      await this.script('rollback', { isLimited: false, openingNumber })
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
    { isLimited, openingNumber: requiredOpening }: RunOptions,
    writeMessage: (opening: number) => { message: Uint8Array; prepares?: string },
    parseMessages: ParseMessages,
  ): Promise<messages.BackendMessage[]> {
    for (;;) {
      const openingNumber = requiredOpening ?? this.#engine.openingNumber
      const { message, prepares } = writeMessage(openingNumber)
      if (prepares !== undefined) this.#prepared.add(prepares)
      try {
        const receivedAnswer = parseMessages(await this.#engine.send(message, { isLimited, openingNumber }))
        const failure = receivedAnswer.find((answerMessage) => answerMessage instanceof messages.DatabaseError)
        if (!failure) return receivedAnswer
        if (prepares !== undefined && !receivedAnswer.some(({ name }) => name === 'parseComplete'))
          this.#prepared.delete(prepares)
        throw failure
      } catch (error) {
        if (!(error instanceof NotBegunError)) throw error
        if (requiredOpening !== undefined) throw new DatabaseLost(error)
      }
    }
  }
}

/** Reads the bytes of an answer and returns its messages, at least those about failures and preparation. */
type ParseMessages = (bytes: Uint8Array) => messages.BackendMessage[]

function readMessages(bytes: Uint8Array): messages.BackendMessage[] {
  const receivedMessages: messages.BackendMessage[] = []
  new protocol.Parser().parse(bytes, (message) => receivedMessages.push(message))
  return receivedMessages
}

/** Gives the rows of an answer to `take` and returns the other messages. */
function readRows(bytes: Uint8Array, take: (row: SentRow) => void): messages.BackendMessage[] {
  const otherMessages: messages.BackendMessage[] = []
  const parser = new protocol.Parser()
  const splitter = new RowSplitter(take, (answerChunk) =>
    parser.parse(answerChunk, (message) => otherMessages.push(message)),
  )
  splitter.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  return otherMessages
}
