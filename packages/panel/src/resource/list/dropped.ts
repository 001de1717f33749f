/** Fields that an address or a saved view names, but that the list can no longer show, sort by or query. */
import { isGroup, type Leaf, readWhere, type Where } from './filters/where.ts'
import { nothing, type SearchParams } from '../views/view.ts'

function leavesOf({ items }: Where): Leaf[] {
  return items.flatMap((item) => (isGroup(item) ? leavesOf(item) : [item]))
}

const conditionsOf = (text: string) => readWhere(text, (_name, condition) => condition)

/**
 * Finds the unknown fields of an address.
 *
 * @param asked - The search parameters of the address.
 * @param understood - Those that the list has accepted.
 * @param columns - The requested columns.
 * @param shown - The columns that the list shows.
 * @returns Names of fields, each once; an empty name stands for conditions that cannot be read at all.
 */
export function droppedFrom(
  asked: SearchParams,
  understood: SearchParams,
  columns: readonly string[] = [],
  shown: readonly string[] = [],
): string[] {
  const filters = Object.keys(asked).filter((key) => key.startsWith('f.') && !(key in understood))
  const orders = (['sort', 'group'] as const).flatMap((key) =>
    asked[key] === undefined || key in understood ? [] : [asked[key].replace(/:desc$/, '')],
  )
  return [
    ...new Set([
      ...filters.map((key) => key.slice(2)),
      ...orders,
      ...droppedConditions(asked['where'], understood['where']),
      ...columns.filter((name) => !shown.includes(name)),
    ]),
  ]
}

function droppedConditions(asked: string | undefined, understood: string | undefined): string[] {
  if (asked === undefined || asked === nothing.where) return []
  const all = conditionsOf(asked)
  if (!all) return ['']
  const known = understood === undefined ? undefined : conditionsOf(understood)
  const left = new Set((known ? leavesOf(known) : []).map(({ name }) => name))
  return leavesOf(all).flatMap(({ name }) => (left.has(name) ? [] : [name]))
}
