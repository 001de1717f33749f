/** Reads changed texts into the translation memory, a few records at a time. */
import { isLocale, type Locale, memoryFields, segmentsOf } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Changes, Database, Transaction } from '../../db/database.ts'
import { RepeatedWork } from '../../db/repeated-work.ts'
import { documentTable, textTable } from '../../db/schema.ts'
import { resourceNamed, resources } from '../../resources/attributes.ts'
import { withDeadlockRetry } from '../../resources/write/write.ts'
import { removeSegments, type SegmentHolder, type SegmentRow, segmentRows, storeSegments } from './segment-rows.ts'

const intervalMs = 60_000
/** Milliseconds after a write in which further changes join the same run. */
const pauseAfterWrite = 1_000
/** Number of noted changes that one transaction reads, with all others of their records: others are served in between. */
const batchSize = 50
/** Number of segments after which a transaction reads no further record. */
const segmentsPerBatch = 1_000
/** Number of records whose failure a run survives. */
const maxFailures = 20
const lockName = 'translation memory'

/** The resources whose texts the memory has, by the name of their tables. */
const readTables: ReadonlySet<string> = new Set(
  Object.values(resources)
    .filter((resource) => memoryFields(resource).length > 0)
    .map(documentTable),
)

/** The texts of a record in one language, by column. */
type TextRow = Readonly<Record<string, unknown>> & { locale: string }

async function readSegments(trx: Transaction, holder: SegmentHolder): Promise<SegmentRow[]> {
  const resource = resourceNamed(holder.resource)
  const fields = memoryFields(resource)
  const columns = sql.join([sql`locale`, ...fields.map((field) => sql.ref(field))])
  const texts = await trx.query(
    sql<TextRow>`select ${columns} from ${sql.table(textTable(resource))} where document_id = ${holder.document_id}::int`,
  )
  return texts.flatMap((row) => {
    const locale: Locale | undefined = isLocale(row.locale) ? row.locale : undefined
    if (!locale) return []
    return fields.flatMap((field) => {
      const text = row[field]
      if (typeof text !== 'string' || text === '') return []
      return segmentRows(holder, field, locale, segmentsOf(text, resource.fields[field]?.kind === 'rich'))
    })
  })
}

interface ChangedRecord extends SegmentHolder {
  /** Its notes that the transaction sees. */
  notes: string[]
}

/** The part of the notes that one transaction reads. */
interface Batch {
  /** Number of noted changes. */
  size: number
  /** Records that this run has failed to read. */
  failed: SegmentHolder[]
}

/** Returns the records of the oldest notes, with all their notes. */
const changedRecords = (trx: Transaction, { size, failed }: Batch): Promise<ChangedRecord[]> =>
  trx.query(sql<ChangedRecord>`
    select c.resource, c.document_id, array_agg(c.id::text) as notes
      from (select distinct resource, document_id from (
        select resource, document_id from memory_changes
         where (resource, document_id) not in (
           select resource, document_id from jsonb_to_recordset(${JSON.stringify(failed)}::jsonb) as held(resource text, document_id int))
         order by id limit ${size}::int) as first) as changed
      join memory_changes c using (resource, document_id)
     group by c.resource, c.document_id order by min(c.id)`)

/** Result of a transaction: what it has read, or the records among which its failure is. */
type BatchResult = { count: number } | { error: unknown; records: readonly SegmentHolder[] }

/**
 * Reads one batch of changed records.
 *
 * @param database - The database.
 * @param batch - The part of the notes.
 * @returns The number of noted changes that were read; 0 also while another server reads.
 */
async function readBatch(database: Database, batch: Batch): Promise<BatchResult> {
  let records: readonly ChangedRecord[] = []
  try {
    const count = await withDeadlockRetry(database, async (trx) => {
      const [lock] = await trx.query(
        sql<{ isFree: boolean }>`select pg_try_advisory_xact_lock(hashtext(${lockName})) as "isFree"`,
      )
      if (!lock?.isFree) return 0
      records = await changedRecords(trx, batch)
      const rows: SegmentRow[] = []
      const read: ChangedRecord[] = []
      for (const record of records) {
        if (rows.length >= segmentsPerBatch) break
        rows.push(...(await readSegments(trx, { resource: record.resource, document_id: record.document_id })))
        read.push(record)
      }
      if (read.length === 0) return 0
      // Only notes from before the texts were read: a change that is noted since has a note of its own.
      const notes = read.flatMap((record) => record.notes)
      await trx.query(sql`delete from memory_changes where id = any(${notes}::bigint[])`)
      await removeSegments(trx, read)
      await storeSegments(trx, rows)
      return notes.length
    })
    return { count }
  } catch (error) {
    return { error, records }
  }
}

function raise(error: unknown): never {
  throw error
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
    this.#clock.start(() => this.readAll(onError), onError)
  }

  /** Stops the clock and waits for the batch that is being read. */
  stop(): Promise<void> {
    this.#isStopping = true
    this.#unfollow()
    return this.#clock.stop()
  }

  /**
   * Reads changed texts until none is left. Where a batch fails, its records are read one by one; a record that fails
   * alone waits for the next run, and those behind it are read.
   *
   * @param onError - Receives failures of batches and of records.
   * @returns The number of noted changes that were read.
   * @throws A failure that no record is the cause of, and the first one without `onError`.
   */
  async readAll(onError: (error: unknown) => void = raise): Promise<number> {
    const failed: SegmentHolder[] = []
    let aloneCount = 0
    let total = 0
    for (;;) {
      const result = await readBatch(this.#database, { size: aloneCount > 0 ? 1 : batchSize, failed })
      aloneCount = Math.max(aloneCount - 1, 0)
      if ('count' in result) {
        total += result.count
        if (result.count === 0 || this.#isStopping) return total
        continue
      }
      const [first, ...others] = result.records
      if (!first || failed.length === maxFailures) throw result.error
      onError(result.error)
      if (others.length > 0) aloneCount = batchSize
      else failed.push({ resource: first.resource, document_id: first.document_id })
    }
  }
}
