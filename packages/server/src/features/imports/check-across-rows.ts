/**
 * Checks that compare the rows of an import with each other, with stored records, and with the rank of the
 * caller.
 */
import { type Caller, type Field, isRoleType, locales, type Resource } from '@dala/model'
import { outranksRole } from '../../domain/accounts/accounts.ts'
import { type CheckContext, isPrices } from './check-context.ts'
import { isKnown } from './names/directories.ts'
import { addIssue, isFaulty, type WorkRow } from './import-row.ts'
import { type FoundRecords, uniqueKey } from './records.ts'

/** Adds a fault to each unique value of an imported row that another record has. */
export function checkUnique(
  { resource }: CheckContext,
  workRows: readonly WorkRow[],
  found: FoundRecords,
  letters: ReadonlyMap<string, string>,
): void {
  for (const [name, field] of Object.entries<Field>(resource.fields)) {
    if (!field.unique) continue
    for (const work of workRows) {
      for (const locale of field.localized ? locales : [undefined]) {
        const key = locale === undefined ? name : `${name}.${locale}`
        const value = work.values.get(key)
        const holder = value === undefined ? undefined : found.byUnique.get(uniqueKey(name, locale, value))
        if (holder && holder.document !== work.document && !isFaulty(work, key))
          addIssue(work, letters, { field: key, code: 'validation.unique', params: { field: name } })
      }
    }
  }
}

/** Adds a fault to each imported role that the caller may not grant. */
export function checkRoles(caller: Caller, workRows: readonly WorkRow[], letters: ReadonlyMap<string, string>): void {
  for (const work of workRows) {
    const role = work.values.get('role')
    if (!isKnown(role) || !work.changed.includes('role')) continue
    const { type } = role.details
    if (!isRoleType(type) || type === 'public' || !outranksRole(caller, type))
      addIssue(work, letters, { field: 'role', code: 'user.role-not-granted', params: { field: 'role' } })
  }
}

/** Adds a fault to all imported rows of the same record, or with the same unique value. */
export function checkTwins(
  workRows: readonly WorkRow[],
  letters: ReadonlyMap<string, string>,
  resource: Resource,
): void {
  const byKey = new Map<string, WorkRow[]>()
  for (const work of workRows) {
    if (work.isBlank) continue
    for (const key of work.keys) byKey.set(key, [...(byKey.get(key) ?? []), work])
  }
  for (const [key, twins] of byKey) {
    if (twins.length < 2) continue
    const rows = twins.map(({ stored: { row } }) => row)
    for (const work of twins) {
      const others = rows.filter((row) => row !== work.stored.row)
      work.twins = [...new Set([...work.twins, ...others])].toSorted((a, b) => a - b)
      const field = fieldOfKey(key, resource, letters)
      if (work.issues.some((issue) => issue.code === 'import.twice')) continue
      addIssue(work, letters, {
        field,
        code: 'import.twice',
        params: { rows: [work.stored.row, ...others.slice(0, 9)].toSorted((a, b) => a - b).join(', ') },
      })
    }
  }
}

function fieldOfKey(key: string, resource: Resource, letters: ReadonlyMap<string, string>): string | undefined {
  if (isPrices(resource)) return 'product'
  if (key.startsWith('u:')) {
    const [name = '', locale = ''] = key.slice(2).split('/')
    return locale === '' ? name : `${name}.${locale}`
  }
  const isTitle = (one: string) => one === resource.title || one.startsWith(`${resource.title}.`)
  return letters.has('id') && key.startsWith('r:') ? 'id' : [...letters.keys()].find(isTitle)
}
