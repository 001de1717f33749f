/**
 * Checks that compare the rows of an import with each other, with stored records, and with the rank of the
 * caller.
 */
import { type Caller, type Field, isRoleType, locales, type Resource } from '@dala/model'
import { outranksRole } from '../../domain/accounts/accounts.ts'
import { type CheckContext, isPriceResource } from './check-context.ts'
import { isKnown } from './names/directories.ts'
import { addIssue, isFaulty, type WorkRow } from './import-row.ts'
import { type FoundRecords, uniqueKey } from './records.ts'

/** Adds a fault to each unique value of an imported row that another record has. */
export function checkUnique(
  { resource }: CheckContext,
  workRows: readonly WorkRow[],
  foundRecords: FoundRecords,
  letters: ReadonlyMap<string, string>,
): void {
  for (const [name, field] of Object.entries<Field>(resource.fields)) {
    if (!field.unique) continue
    for (const workRow of workRows) {
      for (const locale of field.localized ? locales : [undefined]) {
        const key = locale === undefined ? name : `${name}.${locale}`
        const value = workRow.values.get(key)
        const holder = value === undefined ? undefined : foundRecords.documentsByKey.get(uniqueKey(name, locale, value))
        if (holder && holder.document !== workRow.document && !isFaulty(workRow, key))
          addIssue(workRow, letters, { field: key, code: 'validation.unique', params: { field: name } })
      }
    }
  }
}

/** Adds a fault to each imported role that the caller may not grant. */
export function checkRoles(caller: Caller, workRows: readonly WorkRow[], letters: ReadonlyMap<string, string>): void {
  for (const workRow of workRows) {
    const role = workRow.values.get('role')
    if (!isKnown(role) || !workRow.changed.includes('role')) continue
    const { type } = role.details
    if (!isRoleType(type) || type === 'public' || !outranksRole(caller, type))
      addIssue(workRow, letters, { field: 'role', code: 'user.role-not-granted', params: { field: 'role' } })
  }
}

/** Adds a fault to all imported rows of the same record, or with the same unique value. */
export function checkTwins(
  workRows: readonly WorkRow[],
  letters: ReadonlyMap<string, string>,
  resource: Resource,
): void {
  const rowsByKey = new Map<string, WorkRow[]>()
  for (const workRow of workRows) {
    if (workRow.isBlank) continue
    for (const key of workRow.keys) rowsByKey.set(key, [...(rowsByKey.get(key) ?? []), workRow])
  }
  for (const [key, twins] of rowsByKey) {
    if (twins.length < 2) continue
    const rows = twins.map(({ stored: { row } }) => row)
    for (const workRow of twins) {
      const otherRows = rows.filter((row) => row !== workRow.stored.row)
      workRow.twins = [...new Set([...workRow.twins, ...otherRows])].toSorted((a, b) => a - b)
      const field = fieldOfKey(key, resource, letters)
      if (workRow.issues.some((issue) => issue.code === 'import.twice')) continue
      addIssue(workRow, letters, {
        field,
        code: 'import.twice',
        params: { rows: [workRow.stored.row, ...otherRows.slice(0, 9)].toSorted((a, b) => a - b).join(', ') },
      })
    }
  }
}

function fieldOfKey(key: string, resource: Resource, letters: ReadonlyMap<string, string>): string | undefined {
  if (isPriceResource(resource)) return 'product'
  if (key.startsWith('u:')) {
    const [name = '', locale = ''] = key.slice(2).split('/')
    return locale === '' ? name : `${name}.${locale}`
  }
  const isTitle = (columnKey: string) => columnKey === resource.title || columnKey.startsWith(`${resource.title}.`)
  return letters.has('id') && key.startsWith('r:') ? 'id' : [...letters.keys()].find(isTitle)
}
