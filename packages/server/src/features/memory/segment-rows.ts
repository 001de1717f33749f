/** Stores and removes segments of the translation memory, and counts their stems. */
import { type Locale, memoryLimits, segmentKey, stemsOf } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'

/** Resource of segments that a file brought: their document is the import. */
export const importedSegments = 'memory_imports'

/** A record, or an import, whose segments belong together. */
export interface SegmentHolder {
  resource: string
  document_id: number
}

/** A segment with its place in a field. */
export interface SegmentRow extends SegmentHolder {
  field: string
  locale: Locale
  block: number
  place: number
  /** Number of blocks in the field, and of places in the block. */
  blocks: number
  places: number
  text: string
  key: string
  stems: readonly string[]
}

/**
 * Makes the segment rows of a field in one language.
 *
 * @param holder - The record or the import.
 * @param field - The name of the field.
 * @param locale - The language of the text.
 * @param blocks - The sentences of each block.
 * @returns One row for each sentence that can be compared; long ones and those beyond the limit are left out.
 */
export function segmentRows(
  holder: SegmentHolder,
  field: string,
  locale: Locale,
  blocks: readonly (readonly string[])[],
): SegmentRow[] {
  const rows = blocks.flatMap((sentences, block) =>
    sentences.flatMap((text, place): SegmentRow[] => {
      const key = segmentKey(text)
      if (text.length > memoryLimits.textLength || !/\p{L}/u.test(key)) return []
      const position = { block, place, blocks: blocks.length, places: sentences.length }
      return [{ ...holder, field, locale, ...position, text, key, stems: stemsOf(key, locale) }]
    }),
  )
  return rows.slice(0, memoryLimits.segmentsPerField)
}

/** Adds numbers of segments to the counts of their stems, in the order of the stems so that no two writes deadlock. */
const countStemsSql = (counted: ReturnType<typeof sql>, sign: 1 | -1) => sql`
  insert into memory_stems as s (stem, uses)
  select stem, ${sql.lit(sign)} * count(*)::int from (${counted}) as counted group by stem order by stem
      on conflict (stem) do update set uses = greatest(s.uses + excluded.uses, 0)`

/**
 * Removes the segments of records or imports.
 *
 * @param trx - The transaction.
 * @param holders - The records or imports.
 */
export async function removeSegments(trx: Queries, holders: readonly SegmentHolder[]): Promise<void> {
  await trx.query(sql`
    with gone as (
      delete from memory_segments s using jsonb_to_recordset(${JSON.stringify(holders)}::jsonb) as held(resource text, document_id int)
       where s.resource = held.resource and s.document_id = held.document_id returning s.stems)
    ${countStemsSql(sql`select unnest(stems) as stem from gone`, -1)}`)
}

/**
 * Removes segments of an import.
 *
 * @param trx - The transaction.
 * @param id - The import.
 * @param limit - The maximum number of removed segments.
 * @returns The number of removed segments.
 */
export async function removeImportedSegments(trx: Queries, id: number, limit: number): Promise<number> {
  const [removed] = await trx.query(sql<{ count: number }>`
    with gone as (
      delete from memory_segments where id in (
        select id from memory_segments where resource = ${importedSegments} and document_id = ${id}::int
         order by field, block, place limit ${limit}::int) returning stems),
    counted as (${countStemsSql(sql`select unnest(stems) as stem from gone`, -1)})
    select count(*)::int as count from gone`)
  return removed?.count ?? 0
}

/** Rows that one statement stores. */
const rowsPerStatement = 2_000

/**
 * Stores segments.
 *
 * @param trx - The transaction.
 * @param rows - The segments, each with a place of its own.
 */
export async function storeSegments(trx: Queries, rows: readonly SegmentRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    await trx.query(sql`
      with added as (
        insert into memory_segments (resource, document_id, field, locale, block, place, blocks, places, text, key, stems)
        select resource, document_id, field, locale, block, place, blocks, places, text, key, stems
          from jsonb_to_recordset(${JSON.stringify(rows.slice(start, start + rowsPerStatement))}::jsonb)
            as given(resource text, document_id int, field text, locale text, block int, place int, blocks int, places int, text text, key text, stems text[])
        returning stems)
      ${countStemsSql(sql`select unnest(stems) as stem from added`, 1)}`)
  }
}
