/**
 * Links that must agree, such as a district (the child) and its region (the parent): how one choice changes
 * the other (content-model §3).
 */
import { type Entry, parentPairsOf, type Resource } from '@dala/model'
import type { Query } from '../../api/query-string.ts'
import { isEntry, type Values } from './values.ts'

/** Ids of an entry in all its loaded languages. */
export function idsOf(entry: Entry): number[] {
  const translations: unknown[] = Array.isArray(entry.localizations) ? entry.localizations : []
  return [entry.id, ...translations.filter(isEntry).map(({ id }) => id)]
}

/** Whether two linked entries are the same record, in whichever languages they are. */
function isSameRecord(firstEntry: unknown, secondEntry: unknown): boolean {
  if (!isEntry(firstEntry) || !isEntry(secondEntry)) return false
  const ids = idsOf(firstEntry)
  return idsOf(secondEntry).some((id) => ids.includes(id))
}

/**
 * Returns the changes of other links of a form after one is chosen: a child sets its parent; a parent empties
 * a child that is not in it.
 *
 * @param resource - The resource.
 * @param name - The chosen link.
 * @param chosenRecord - Its new value.
 * @param values - The values before.
 * @returns The changed values.
 */
export function dependentChanges(
  resource: Resource,
  name: string,
  chosenRecord: unknown,
  values: Readonly<Values>,
): Values {
  const changes: Values = {}
  for (const { child, parent, linkField: linkName } of parentPairsOf(resource)) {
    if (!(child in values && parent in values)) continue
    if (child === name && isEntry(chosenRecord)) {
      const linkedRecord = chosenRecord[linkName]
      if (isEntry(linkedRecord) && !isSameRecord(linkedRecord, values[parent])) changes[parent] = linkedRecord
    }
    if (parent === name && isEntry(values[child])) {
      // A stored child link belongs to the stored parent: the server ensures it.
      const linkedRecord = values[child][linkName] ?? values[parent]
      if (!isSameRecord(linkedRecord, chosenRecord)) changes[child] = null
    }
  }
  return changes
}

/** Filter of a child’s picker for the chosen parent, and the link that the picker has to read for it. */
export function pickerFilter(
  resource: Resource,
  name: string,
  values: Readonly<Values>,
): { linkPath: string[]; filters: Query } {
  const pairs = parentPairsOf(resource).filter(({ child }) => child === name)
  const filters = pairs.flatMap(({ parent, linkField: linkName }) => {
    const linkedRecord = values[parent]
    return isEntry(linkedRecord) ? [[linkName, linkedRecord.id] as const] : []
  })
  return { linkPath: pairs.map(({ linkField: linkName }) => linkName), filters: Object.fromEntries(filters) }
}
