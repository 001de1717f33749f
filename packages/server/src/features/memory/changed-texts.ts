/** Reads changed texts into the translation memory, a few records at a time. */
import { isLocale, type Locale, memoryFields, segmentsOf } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Changes, Database, Transaction } from '../../db/database.ts'
import { RepeatedWork } from '../../db/repeated-work.ts'
import { documentTable, textTable } from '../../db/schema.ts'
import { resourceNamed, resources } from '../../resources/attributes.ts'
import { removeSegments, type SegmentHolder, type SegmentRow, segmentRows, storeSegments } from './segment-rows.ts'

const intervalMs = 60_000
/** Milliseconds after a write in which further changes join the same run. */
const pauseAfterWrite = 1_000
/** Number of noted changes that one transaction reads, with all others of their records: others are served in between. */
const batchSize = 50
const lockName = 'translation memory'

/** The resources whose texts the memory has, by the name of their tables. */
const readTables: ReadonlySet<string> = new Set(
  Object.values(resources)
    .filter((resource) => memoryFields(resource).length > 0)
    .map(documentTable),
)

/** The texts of one record in one language, by column. */
type TextRow = Readonly<Record<string, unknown>> & { document_id: number; locale: string }

async function readSegments(trx: Transaction, name: string, documents: readonly number[]): Promise<SegmentRow[]> {
  const resource = resourceNamed(name)
  const fields = memoryFields(resource)
  const columns = sql.join([sql`document_id`, sql`locale`, ...fields.map((field) => sql.ref(field))])
  const texts = await trx.query(
    sql<TextRow>`select ${columns} from ${sql.table(textTable(resource))} where document_id = any(${[...documents]}::int[])`,
  )
  return texts.flatMap((row) => {
    const locale: Locale | undefined = isLocale(row.locale) ? row.locale : undefined
    if (!locale) return []
    return fields.flatMap((field) => {
      const text = row[field]
      if (typeof text !== 'string' || text === '') return []
      const isRich = resource.fields[field]?.kind === 'rich'
      return segmentRows({ resource: name, document_id: row.document_id }, field, locale, segmentsOf(text, isRich))
    })
  })
}

/**
 * Reads one batch of changed records.
 *
 * @param database - The database.
 * @returns The number of noted changes that were read; 0 also while another server reads.
 */
async function readBatch(database: Database): Promise<number> {
  return database.transaction(async (trx) => {
    const [lock] = await trx.query(
      sql<{ isFree: boolean }>`select pg_try_advisory_xact_lock(hashtext(${lockName})) as "isFree"`,
    )
    if (!lock?.isFree) return 0
    // Changes that are noted from now on are rows of their own, and their texts are read with them.
    const changes = await trx.query(sql<SegmentHolder>`
      delete from memory_changes c
       using (select distinct resource, document_id from (
         select resource, document_id from memory_changes order by id limit ${batchSize}::int) as first) as changed
       where c.resource = changed.resource and c.document_id = changed.document_id
      returning c.resource, c.document_id`)
    if (changes.length === 0) return 0
    const documentsByResource = new Map<string, Set<number>>()
    for (const { resource, document_id: document } of changes) {
      const documents = documentsByResource.get(resource) ?? new Set()
      documentsByResource.set(resource, documents.add(document))
    }
    const rows: SegmentRow[] = []
    const holders: SegmentHolder[] = []
    for (const [resource, documents] of documentsByResource) {
      holders.push(...Array.from(documents, (document) => ({ resource, document_id: document })))
      rows.push(...(await readSegments(trx, resource, [...documents])))
    }
    await removeSegments(trx, holders)
    await storeSegments(trx, rows)
    return changes.length
  })
}

/** Follows the writes of translated texts: a write only notes its record, and this reads it soon after. */
export class ChangedTexts {
  readonly #database: Database
  readonly #clock = new RepeatedWork(intervalMs)
  #unfollow = () => {}
  #isStopping = false

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Reads changed texts now, after each write, and every minute.
   *
   * @param onError - Receives errors, which must not end the program.
   */
  start(onError: (error: unknown) => void): void {
    const isOfMemory = (changes: Changes) => changes === 'all' || [...changes].some((name) => readTables.has(name))
    this.#unfollow = this.#database.onChange((changes) => {
      if (isOfMemory(changes)) this.#clock.soon(pauseAfterWrite)
    })
    this.#clock.start(() => this.readAll(), onError)
  }

  /** Stops the clock and waits for the batch that is being read. */
  stop(): Promise<void> {
    this.#isStopping = true
    this.#unfollow()
    return this.#clock.stop()
  }

  /**
   * Reads changed texts until none is left.
   *
   * @returns The number of noted changes that were read.
   */
  async readAll(): Promise<number> {
    let total = 0
    for (;;) {
      const count = await readBatch(this.#database)
      total += count
      if (count === 0 || this.#isStopping) return total
    }
  }
}
