/** Fields that an address or a saved view names, but that the list can no longer show, sort by or query. */
import { isGroup, type FieldCondition, readWhere, type ConditionTree } from './filters/where.ts'
import { impossibleSearch, type SearchParams } from '../views/view.ts'

function conditionsOfGroup({ items }: ConditionTree): FieldCondition[] {
  return items.flatMap((item) => (isGroup(item) ? conditionsOfGroup(item) : [item]))
}

const conditionsOf = (text: string) => readWhere(text, (_name, condition) => condition)

/**
 * Finds the fields in a list's address that the list does not know.
 *
 * @param requestedSearch - The search parameters of the address.
 * @param parsedSearch - Those that the list has accepted.
 * @param columns - The requested columns.
 * @param shownColumns - The columns that the list shows.
 * @returns Names of fields, each once; an empty name stands for conditions that cannot be read at all.
 */
export function droppedFromSearch(
  requestedSearch: SearchParams,
  parsedSearch: SearchParams,
  columns: readonly string[] = [],
  shownColumns: readonly string[] = [],
): string[] {
  const filters = Object.keys(requestedSearch).filter((key) => key.startsWith('f.') && !(key in parsedSearch))
  const comparedOrders = (['sort', 'group'] as const).flatMap((key) =>
    requestedSearch[key] === undefined || key in parsedSearch ? [] : [requestedSearch[key].replace(/:desc$/, '')],
  )
  return [
    ...new Set([
      ...filters.map((key) => key.slice(2)),
      ...comparedOrders,
      ...droppedConditions(requestedSearch['where'], parsedSearch['where']),
      ...columns.filter((name) => !shownColumns.includes(name)),
    ]),
  ]
}

function droppedConditions(requestedWhere: string | undefined, parsedWhere: string | undefined): string[] {
  if (requestedWhere === undefined || requestedWhere === impossibleSearch.where) return []
  const requestedConditions = conditionsOf(requestedWhere)
  if (!requestedConditions) return ['']
  const parsedConditions = parsedWhere === undefined ? undefined : conditionsOf(parsedWhere)
  const remainingNames = new Set((parsedConditions ? conditionsOfGroup(parsedConditions) : []).map(({ name }) => name))
  return conditionsOfGroup(requestedConditions).flatMap(({ name }) => (remainingNames.has(name) ? [] : [name]))
}
