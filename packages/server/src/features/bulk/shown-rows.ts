/** The rows of a job for its reader: what became of each, changes in the ids and names of the wire. */
import { type Caller, type Field, isLink, pageCountOf, type Resource } from '@dala/model'
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { attributeOf, linkOf, type View } from '../../resources/attributes.ts'
import type { Change } from '../../resources/history.ts'
import { namesOf, type Named } from '../../resources/named.ts'
import type { Pagination } from '../../resources/query.ts'
import type { Job } from './job.ts'
import type { Outcome } from './rows.ts'

interface StoredRow {
  id: number
  name: string | null
  outcome: Outcome['outcome']
  refusal: Outcome['refusal'] | null
  changes: Readonly<Record<string, Change>> | null
}

export const outcomes = ['changed', 'unchanged', 'refused'] as const

const idsIn = (value: unknown): number[] =>
  Array.isArray(value) ? value.map(Number) : typeof value === 'number' ? [value] : []

/** The links of a resource that changes speak of, with the names of all their documents. */
async function namesIn(database: Database, resource: Resource, caller: Caller, rows: readonly StoredRow[]) {
  const wanted = new Map<string, Set<number>>()
  for (const { changes } of rows) {
    for (const [name, { before, after }] of Object.entries(changes ?? {})) {
      const field: Field | undefined = resource.fields[name]
      if (!field || !isLink(field)) continue
      const { target } = linkOf(resource, name)
      const known = wanted.get(target.name) ?? new Set<number>()
      wanted.set(target.name, known)
      for (const id of [...idsIn(before), ...idsIn(after)]) known.add(id)
    }
  }
  const found = new Map<string, ReadonlyMap<number, Named>>()
  for (const [, field] of Object.entries<Field>(resource.fields)) {
    if (!isLink(field) || !wanted.has(field.target) || found.has(field.target)) continue
    const { target } = linkOf(resource, fieldNameOf(resource, field))
    found.set(field.target, await namesOf(database, target, wanted.get(field.target) ?? [], caller))
  }
  return found
}

const fieldNameOf = (resource: Resource, field: Field): string =>
  Object.entries<Field>(resource.fields).find(([, one]) => one === field)?.[0] ?? ''

/** A page of the rows with these outcomes, in the order of the selection; rows that nobody came to yet are not there. */
export async function readRows(
  database: Database,
  { job, resource, view, caller }: { job: Job; resource: Resource; view: View; caller: Caller },
  wanted: readonly string[],
  { form, page, pageSize, start, limit }: Pagination,
) {
  const [size, offset] = form === 'page' ? [pageSize, (page - 1) * pageSize] : [limit, start]
  const where = sql`job_id = ${job.id} and outcome = any(${[...wanted]}::text[])`
  const rows = await database.query(sql<StoredRow>`
    select entry_id as id, name, outcome, refusal, changes from bulk_rows where ${where}
     order by place limit ${size}::int offset ${offset}::int`)
  const [counted] = await database.query(
    sql<{ total: number }>`select count(*)::int as total from bulk_rows where ${where}`,
  )
  const total = counted?.total ?? 0
  const names = await namesIn(database, resource, caller, rows)
  const shown = (name: string, value: unknown): unknown => {
    const field: Field | undefined = resource.fields[name]
    if (!field || !isLink(field)) return value
    const known = names.get(field.target)
    if (Array.isArray(value)) return value.flatMap((id) => known?.get(Number(id)) ?? [])
    return typeof value === 'number' ? (known?.get(value) ?? null) : null
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
          .map(([field, { before, after }]) => [field, { before: shown(field, before), after: shown(field, after) }]),
      ),
    }),
  }))
  const pagination =
    form === 'page' ? { page, pageSize, pageCount: pageCountOf(total, pageSize), total } : { start, limit, total }
  return { data, meta: { pagination } }
}
