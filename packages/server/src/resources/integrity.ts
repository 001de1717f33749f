/** Rules between records: unique values, and what holds a record that is about to go. */
import {
  type Fault,
  fault,
  type Field,
  type Issue,
  isScalar,
  type Locale,
  type Resource,
  validationFault,
} from '@dala/model'
import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../db/database.ts'
import { inboundLinks, textTable } from '../db/schema.ts'
import { resources } from './attributes.ts'

const uniqueIssue = (field: string): Issue => ({ path: [field], code: 'validation.unique', params: { field } })

/**
 * Checks unique fields before anything is written, so that all of them are reported at once.
 *
 * Shared fields are compared with other documents, localized ones with other documents of the same language
 * (contract §4). The indexes stay the judge when two writers meet.
 */
export async function uniqueIssues(
  trx: Transaction,
  resource: Resource,
  values: Readonly<Record<string, unknown>>,
  document: number,
  locale: Locale | undefined,
): Promise<Issue[]> {
  const checks: RawBuilder<unknown>[] = []
  for (const [name, field] of Object.entries<Field>(resource.fields)) {
    const value = values[name]
    if (!isScalar(field) || !field.unique || value === null || value === undefined) continue
    const column = sql.ref(name)
    const equal = field.caseless ? sql`fold_case(${column}) = fold_case(${value}::text)` : sql`${column} = ${value}`
    const others = field.localized
      ? sql`${sql.table(textTable(resource))} where locale = ${locale} and document_id <> ${document}`
      : sql`${sql.table(resource.name)} where id <> ${document}`
    checks.push(sql`select ${sql.lit(name)} as field where exists (select 1 from ${others} and ${equal})`)
  }
  if (checks.length === 0) return []
  const rows = await trx.query(sql<{ field: string }>`${sql.join(checks, sql` union all `)}`)
  return rows.map(({ field }) => uniqueIssue(field))
}

/** Whether the database ended a transaction that waited for one that waited for it: nothing was written, so it may run again. */
export function isDeadlock(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === '40P01'
}

/** The refusal behind a constraint the database enforced; undefined for any other error. */
export function constraintFault(error: unknown, resource: Resource): Fault | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error) || !('constraint' in error)) return undefined
  const constraint = String(error.constraint)
  if (error.code === '23505') {
    const field = Object.keys(resource.fields).find((name) =>
      [`${resource.name}_${name}_key`, `${textTable(resource)}_${name}_key`].includes(constraint),
    )
    if (field !== undefined) return validationFault([uniqueIssue(field)])
    // Somebody else made this language, or the only document there may be, in the meantime.
    if ([`${textTable(resource)}_document_id_locale_key`, `${resource.name}_single_key`].includes(constraint))
      return fault('locale.used')
  }
  if (error.code === '23503') {
    // The target of a link went away between the look-up and the write.
    return fault('record.in-use', {
      params: { count: 1, resource: resource.wire },
      details: { resource: resource.wire, count: 1 },
    })
  }
  return undefined
}

/**
 * Lets go of a document: links that must not be cut refuse (409 with resource and count, contract §4); the others
 * become empty, and the records that held them move their version.
 */
export async function releaseDocument(trx: Transaction, resource: Resource, document: number): Promise<void> {
  const links = inboundLinks(resource, resources)
  for (const { resource: holder, storage } of links) {
    if (storage.in !== 'column' || storage.onDelete !== 'restrict') continue
    const rows = await trx.query(sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(holder.name)} where ${sql.ref(storage.column)} = ${document}`)
    const count = rows[0]?.count ?? 0
    if (count > 0) {
      throw fault('record.in-use', {
        params: { count, resource: holder.wire },
        details: { resource: holder.wire, count },
      })
    }
  }
  for (const { resource: holder, storage } of links) {
    const [table, texts] = [sql.table(holder.name), sql.table(textTable(holder))]
    const holders =
      storage.in === 'column'
        ? sql`select id from ${table} where ${sql.ref(storage.column)} = ${document}`
        : sql`select ${sql.ref(storage.own)} from ${sql.table(storage.table)} where ${sql.ref(storage.other)} = ${document}`
    await trx.query(
      holder.localized
        ? sql`update ${texts} set version = version + 1, updated_at = now() where document_id in (${holders})`
        : sql`update ${table} set version = version + 1, updated_at = now() where id in (${holders})`,
    )
    trx.changed(holder.name)
  }
}
