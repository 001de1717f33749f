/**
 * Presents the rows of a bulk job to a user: the outcome of each, changes in the ids and names of the wire.
 */
import { type Caller, type Field, isLink, type Resource } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { attributeOf, type View } from '../../resources/attributes.ts'
import type { Change } from '../../resources/history/history.ts'
import { QueryContext } from '../../resources/read/context.ts'
import type { Pagination } from '../../resources/read/query.ts'
import { countOf, pageSql } from '../../resources/read/pages.ts'
import { presentPagination } from '../../resources/read/read.ts'
import { findNames } from '../../resources/read/record-names.ts'
import type { Job } from './job.ts'
import type { Outcome } from './rows.ts'

interface StoredRow {
  id: number
  name: string | null
  outcome: Outcome['outcome']
  refusal: Outcome['refusal'] | null
  changes: Readonly<Record<string, Change>> | null
}

const idsIn = (value: unknown): number[] =>
  Array.isArray(value) ? value.map(Number) : typeof value === 'number' ? [value] : []

/** Collects the documents that the links of some rows of a bulk job point at, by resource. */
function linkedDocumentsOf({ fields }: Resource, rows: readonly StoredRow[]): Map<string, Set<number>> {
  const linkedByField = new Map<string, Set<number>>()
  for (const { changes } of rows) {
    for (const [name, { before, after }] of Object.entries(changes ?? {})) {
      const field: Field | undefined = fields[name]
      if (!field || !isLink(field)) continue
      const ids = linkedByField.get(field.target) ?? new Set()
      for (const id of [...idsIn(before), ...idsIn(after)]) ids.add(id)
      linkedByField.set(field.target, ids)
    }
  }
  return linkedByField
}

/**
 * Reads a page of a bulk job's rows with the given outcomes, in the order of the selection. Unprocessed rows
 * are missing.
 */
export async function readRows(
  database: Database,
  { job, resource, view, caller }: { job: Job; resource: Resource; view: View; caller: Caller },
  outcomes: readonly string[],
  pagination: Pagination,
) {
  const foundSql = sql`from bulk_rows where job_id = ${job.id} and outcome = any(${[...outcomes]}::text[])`
  const rows = await database.query(sql<StoredRow>`
    select entry_id as id, name, outcome, refusal, changes ${foundSql} order by place ${pageSql(pagination)}`)
  const total = pagination.withCount ? await countOf(database, foundSql) : undefined
  const nameOf = await findNames(database, new QueryContext(caller), linkedDocumentsOf(resource, rows), caller.language)
  const showValue = (name: string, value: unknown): unknown => {
    const field: Field | undefined = resource.fields[name]
    if (!field || !isLink(field)) return value
    const namedLinks = idsIn(value).map((id) => nameOf(field.target, id))
    // Linked records that are deleted or not visible are left out of a bulk job's rows.
    const visibleLinks = namedLinks.filter(({ id }) => id !== null)
    return Array.isArray(value) ? visibleLinks : (visibleLinks[0] ?? null)
  }
  const data = rows.map(({ id, name, outcome, refusal, changes }) => ({
    id,
    name,
    outcome,
    ...refusal,
    ...(changes && {
      changes: Object.fromEntries(
        Object.entries(changes)
          .filter(([field]) => attributeOf(resource, view, field) !== undefined)
          .map(([field, { before, after }]) => [
            field,
            { before: showValue(field, before), after: showValue(field, after) },
          ]),
      ),
    }),
  }))
  return { data, meta: { pagination: presentPagination(pagination, total) } }
}
