/** Links that must agree, such as a district and its region: what one choice does to the other (content-model §3). */
import { type Entry, partsOfWholes, type Resource } from '@dala/model'
import type { Query } from '../../api/query-string.ts'
import { isEntry, type Values } from './values.ts'

/** The ids of an entry in all its languages, as far as it brought them. */
export function idsOf(entry: Entry): number[] {
  const others: unknown[] = Array.isArray(entry.localizations) ? entry.localizations : []
  return [entry.id, ...others.filter(isEntry).map(({ id }) => id)]
}

/** The same record, whichever languages the two are of. */
function isSameRecord(one: unknown, other: unknown): boolean {
  if (!isEntry(one) || !isEntry(other)) return false
  const ids = idsOf(one)
  return idsOf(other).some((id) => ids.includes(id))
}

/**
 * What becomes of other links when one is chosen. In: the link, its new value, the values before.
 * A part fills its whole; a whole empties a part that does not lie in it.
 */
export function followingChanges(resource: Resource, name: string, next: unknown, values: Readonly<Values>): Values {
  const changes: Values = {}
  for (const { part, whole, through } of partsOfWholes(resource)) {
    if (!(part in values && whole in values)) continue
    if (part === name && isEntry(next)) {
      const own = next[through]
      if (isEntry(own) && !isSameRecord(own, values[whole])) changes[whole] = own
    }
    if (whole === name && isEntry(values[part])) {
      // A stored part lies in the stored whole: the server has seen to it.
      const own = values[part][through] ?? values[whole]
      if (!isSameRecord(own, next)) changes[part] = null
    }
  }
  return changes
}

/** How the picker of a part is narrowed to the chosen whole, and the link that it has to read for that. */
export function narrowingOf(
  resource: Resource,
  name: string,
  values: Readonly<Values>,
): { through: string[]; filters: Query } {
  const pairs = partsOfWholes(resource).filter(({ part }) => part === name)
  const filters = pairs.flatMap(({ whole, through }) => {
    const chosen = values[whole]
    return isEntry(chosen) ? [[through, chosen.id] as const] : []
  })
  return { through: pairs.map(({ through }) => through), filters: Object.fromEntries(filters) }
}
