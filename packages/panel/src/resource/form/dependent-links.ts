/**
 * Links that must agree, such as a district (the part) and its region (the whole): how one choice changes the
 * other (content-model §3).
 */
import { type Entry, partsOfWholes, type Resource } from '@dala/model'
import type { Query } from '../../api/query-string.ts'
import { isEntry, type Values } from './values.ts'

/** The ids of an entry in all its loaded languages. */
export function idsOf(entry: Entry): number[] {
  const translations: unknown[] = Array.isArray(entry.localizations) ? entry.localizations : []
  return [entry.id, ...translations.filter(isEntry).map(({ id }) => id)]
}

/** Whether two entries are the same record, in whichever languages they are. */
function isSameRecord(one: unknown, other: unknown): boolean {
  if (!isEntry(one) || !isEntry(other)) return false
  const ids = idsOf(one)
  return idsOf(other).some((id) => ids.includes(id))
}

/**
 * The changes of other links after one is chosen: a part sets its whole; a whole empties a part that is not
 * in it.
 *
 * @param resource - The resource.
 * @param name - The chosen link.
 * @param next - Its new value.
 * @param values - The values before.
 * @returns The changed values.
 */
export function dependentChanges(resource: Resource, name: string, next: unknown, values: Readonly<Values>): Values {
  const changes: Values = {}
  for (const { part, whole, through } of partsOfWholes(resource)) {
    if (!(part in values && whole in values)) continue
    if (part === name && isEntry(next)) {
      const linkedRecord = next[through]
      if (isEntry(linkedRecord) && !isSameRecord(linkedRecord, values[whole])) changes[whole] = linkedRecord
    }
    if (whole === name && isEntry(values[part])) {
      // A stored part belongs to the stored whole: the server ensures it.
      const linkedRecord = values[part][through] ?? values[whole]
      if (!isSameRecord(linkedRecord, next)) changes[part] = null
    }
  }
  return changes
}

/** The filter of a part's picker for the chosen whole, and the link that it has to read for that. */
export function pickerFilter(
  resource: Resource,
  name: string,
  values: Readonly<Values>,
): { through: string[]; filters: Query } {
  const pairs = partsOfWholes(resource).filter(({ part }) => part === name)
  const filters = pairs.flatMap(({ whole, through }) => {
    const linkedRecord = values[whole]
    return isEntry(linkedRecord) ? [[through, linkedRecord.id] as const] : []
  })
  return { through: pairs.map(({ through }) => through), filters: Object.fromEntries(filters) }
}
