/** Reads the rows of an export: the generic list, page by page. */
import {
  type Caller,
  type Entry,
  fault,
  fromWire,
  maxExportRows,
  maxExportRowsOfGuests,
  rankOfRole,
  type Resource,
  type RowFilter,
} from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import { type Attribute, attributeOf, type View } from '../../resources/attributes.ts'
import { parseList, type QueryTree } from '../../resources/read/parse-query.ts'
import type { Pagination } from '../../resources/read/query.ts'
import { isWrapped, readPage } from '../../resources/read/read.ts'
import type { Cell } from '../../domain/files/sheet/cells.ts'
import type { ExportColumn, Reader } from './columns.ts'
import { readZoneClock } from './zone.ts'

/** Maximum numbers of exported rows in memory: in general, and when each row has lists of records. */
const pageSize = 500
const pageSizeWithLists = 50
/** Maximum number of values in one condition of an export's query. */
const listedCount = 100

export interface ExportSource {
  resource: Resource
  reader: Reader
  view: View
  /** Query of the exported list: `filters`, `sort`, `_q` and languages. */
  query: QueryTree
  /** Ids of the only records to export, among the rows of the list. */
  ids?: readonly number[] | undefined
  columns: readonly ExportColumn[]
  timeZone: string
}

/** Tells whether a caller works with the data of others: an administrator or a consultant. */
export const isStaff = ({ role, isConsultant }: Caller): boolean =>
  isConsultant || rankOfRole(role) >= rankOfRole('admin')
const isToManyLink = (attribute: Attribute | undefined) => attribute?.is === 'link' && attribute.isMany

const firstPage = (limit: number, withCount: boolean): Pagination => ({
  form: 'offset',
  page: 1,
  pageSize: limit,
  start: 0,
  limit,
  withCount,
})

/** Narrows an exported view to records by their ids; a condition lists at most a hundred. */
function viewOfRecords(view: View, ids: readonly number[]): View {
  const chunks: RowFilter[] = []
  for (let start = 0; start < ids.length; start += listedCount)
    chunks.push({ id: { $in: ids.slice(start, start + listedCount) } })
  const chosenRows: RowFilter = { $or: chunks }
  return { ...view, rows: view.rows ? { $and: [view.rows, chosenRows] } : chosenRows }
}

/** Lets all reads of the transaction see the data of one moment; no read may precede this call. */
export async function useSnapshot(trx: Transaction): Promise<void> {
  await trx.query(sql`set transaction isolation level repeatable read`)
}

/**
 * Reads the ids of the rows of an export in their order.
 *
 * @throws 422 with their number when a file may not have that many, 400 for the query.
 */
export async function idsOf(runner: Queries, source: ExportSource): Promise<number[]> {
  const { resource, reader, view, query, ids } = source
  const rowLimit = isStaff(reader.caller) ? maxExportRows : maxExportRowsOfGuests
  if (ids?.length === 0) return []
  const narrowedView = ids ? viewOfRecords(view, ids) : view
  const idQuery = { ...query, fields: ['id'] }
  const { entries, total = 0 } = await readPage(
    runner,
    parseList(idQuery, resource, reader.caller, narrowedView, firstPage(rowLimit, true)),
  )
  if (total > rowLimit) throw fault('export.too-many', { params: { count: total, max: rowLimit } })
  return entries.map(({ id }) => id)
}

/** Reads the exported rows of the given ids as cells, in portions. */
export async function* rowsOf(
  runner: Queries,
  { resource, reader, view, query, columns, timeZone }: ExportSource,
  ids: readonly number[],
): AsyncGenerator<Cell[][]> {
  const { locale, fallback } = query
  const scalars = columns.flatMap(({ name, populate, beside }) => (populate ? [] : beside ? [name, beside] : [name]))
  const rowQuery = {
    ...(locale !== undefined && { locale }),
    ...(fallback !== undefined && { fallback }),
    fields: [...new Set(['id', ...scalars, ...(resource.localized ? ['locale'] : [])])],
    populate: Object.fromEntries(
      columns.flatMap(({ name, populate }) => (populate ? [[name, { fields: populate }]] : [])),
    ),
  }
  const momentColumns = columns.filter(({ moments }) => moments)
  const hasLists = columns.some(({ name, populate }) => populate && isToManyLink(attributeOf(resource, view, name)))
  const size = hasLists ? pageSizeWithLists : pageSize
  for (let start = 0; start < ids.length; start += size) {
    const pageIds = ids.slice(start, start + size)
    const page = parseList(rowQuery, resource, reader.caller, viewOfRecords(view, pageIds), firstPage(size, false))
    const { entries } = await readPage(runner, page)
    const entriesById = new Map(
      entries.map((entry): [number, Entry] => [entry.id, isWrapped(entry) ? fromWire(entry) : entry]),
    )
    const moments = [...entriesById.values()].flatMap((entry) => momentColumns.map(({ name }) => entry[name]))
    const clock = await readZoneClock(
      runner,
      timeZone,
      [...new Set(moments)].filter((moment) => typeof moment === 'string'),
    )
    yield pageIds.flatMap((id) => {
      const entry = entriesById.get(id)
      return entry ? [columns.map(({ cell }) => cell(entry, clock))] : []
    })
  }
}
