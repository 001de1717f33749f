/** What a bulk action reaches: the rows that were ticked, or the list's filter with the count that was seen. */
import { languageOf } from '../../../api/resource-queries.ts'
import { narrowedBy } from '../filters/conditions.ts'
import type { Selection } from '../selection.ts'
import type { ResourceList } from '../use-resource-list.ts'
import type { BulkSelection } from './api.ts'

export function targetOf(list: ResourceList, selection: Selection): BulkSelection {
  const { rows, all } = selection.now()
  if (all === undefined) return { ids: [...rows.keys()] }
  const { resource } = list.screen
  const query = { ...languageOf(resource, list.language), ...narrowedBy(resource, list.search, list.rows) }
  return { query, count: all }
}
