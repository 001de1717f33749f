/** Statements of the embedded database as messages of PostgreSQL's protocol, prepared where they come again. */
import { type messages, parse, type PGlite, protocol } from '@electric-sql/pglite'
import { type Answer, RolledBackError, type RowMode, type Statement } from './driver.ts'
import { statementNames } from './statement-names.ts'
import { type Encoded, encode } from './values.ts'

const { serialize } = protocol

/** An element of a list literal, or a list in it. */
function elementOf(value: Encoded): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? listOf(value) : `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
/** `{"1","2"}`: the text form of a list, whatever the type of its elements. */
const listOf = (values: readonly Encoded[]): string => `{${values.map(elementOf).join(',')}}`

const isDataRow = (message: messages.BackendMessage): message is messages.DataRowMessage => message.name === 'dataRow'

const isDone = (message: messages.BackendMessage): message is messages.CommandCompleteMessage =>
  message.name === 'commandComplete'

/**
 * Runs statements on one database.
 *
 * PGlite's own `query` plans every statement anew and crosses over to the database six times for it; planning a list
 * with its relations takes longer than to run it. Here a text that comes again keeps its plan (decision 5).
 */
export class EmbeddedWire {
  readonly #pglite: PGlite
  readonly #nameOf = statementNames()
  readonly #prepared = new Set<string>()

  constructor(pglite: PGlite) {
    this.#pglite = pglite
  }

  /** Runs one statement; nobody else may use the database meanwhile. Throws the database's error. */
  async run({ sql, parameters, replan }: Statement, mode: RowMode): Promise<Answer> {
    const name = replan ? undefined : this.#nameOf(sql)
    if (name !== undefined && !this.#prepared.has(name)) {
      // Apart from its first run: a name that was taken in a run that failed could not be taken again.
      await this.#send([serialize.parse({ name, text: sql }), serialize.sync()])
      this.#prepared.add(name)
    }
    const values = parameters.map(encode).map((value) => (Array.isArray(value) ? listOf(value) : value))
    const received = await this.#send([
      ...(name === undefined ? [serialize.parse({ text: sql })] : []),
      serialize.bind({ statement: name ?? '', values }),
      serialize.describe({ type: 'P' }),
      serialize.execute(),
      serialize.sync(),
    ])
    if (mode === 'text') return { rows: received.filter(isDataRow).map(({ fields }) => fields), affected: undefined }
    const [result] = parse.parseResults(received, this.#pglite.parsers, { rowMode: mode })
    return { rows: result?.rows ?? [], affected: result?.affectedRows }
  }

  /** Runs several statements in one text. Out: the rows of all of them, as objects. */
  async script(sql: string): Promise<unknown[]> {
    const received = await this.#send([serialize.query(sql)])
    return parse.parseResults(received, this.#pglite.parsers, { rowMode: 'object' }).flatMap(({ rows }) => rows)
  }

  /** Commits. Throws when the transaction ended in a rollback although nothing threw: an earlier error was swallowed. */
  async commit(): Promise<void> {
    const received = await this.#send([serialize.query('commit')])
    if (received.some((message) => isDone(message) && message.text === 'ROLLBACK'))
      throw new RolledBackError('The transaction was rolled back')
  }

  #send(parts: readonly Uint8Array[]): Promise<messages.BackendMessage[]> {
    return this.#pglite.execProtocolStream(Buffer.concat(parts))
  }
}
