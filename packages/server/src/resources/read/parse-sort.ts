/** Parses `sort`: comma text, lists, objects, paths through relations (contract §6). */
import { fault, type Resource, type RowFilter } from '@dala/model'
import { attributeOf, relatedViewOf, type View } from '../attributes.ts'
import {
  badParameter,
  type CheckedCall,
  checkedCall,
  isObject,
  type QueryContext,
  toList,
  tooLargeFault,
} from './context.ts'
import type { Level } from './parse-populate.ts'
import type { Sort } from './query.ts'
import { readText } from './query-values.ts'

/** The maximum number of sorts in one query, and of relations in one sort (checklist §3). */
const maxSorts = 5
const maxDepth = 5

interface SortTarget {
  resource: Resource
  /** Filter of the rows of a sort's target that the caller may see. */
  rows: RowFilter | undefined
}

/** A sort whose path is checked, with the target of each link of the path. */
interface CheckedSort extends Pick<Sort, 'path' | 'isDescending'> {
  targets: readonly SortTarget[]
}

export type CheckedSorts = ReadonlyMap<Level, CheckedCall<CheckedSort[]>>

/**
 * Reads the sorts of a query.
 *
 * @param levels - The levels of the query.
 * @param context - Collects the resources that the sorts use.
 * @returns The sorts of each level.
 */
export const readSorts = (levels: readonly Level[], context: QueryContext): CheckedSorts =>
  new Map(levels.map((level) => [level, checkedCall(() => readSort(level, context))]))

/** Reads every form of `sort` (contract §6): comma text, lists, objects, paths through relations. */
function readSort(level: Level, context: QueryContext): CheckedSort[] {
  const sorts = toList(level.sort ?? []).flatMap((item): [string, string][] => {
    if (isObject(item)) return sortPairs(item)
    return readText(item, 'sort')
      .split(',')
      .filter(Boolean)
      .map((sortPart) => {
        const [path = '', direction = 'asc'] = sortPart.trim().split(':')
        return [path, direction]
      })
  })
  if (sorts.length > maxSorts) throw tooLargeFault(`${sorts.length} sorts`)
  return sorts.map(([path, direction]) => {
    if (!/^(asc|desc)$/i.test(direction)) throw fault('query.direction', { params: { direction } })
    return { ...sortPath(path, level, context), isDescending: /^desc$/i.test(direction) }
  })
}

function sortPairs(object: Record<string, unknown>, prefix = ''): [string, string][] {
  return Object.entries(object).flatMap(([key, value]) =>
    isObject(value) ? sortPairs(value, `${prefix}${key}.`) : [[`${prefix}${key}`, readText(value, 'sort')]],
  )
}

/**
 * Returns the columns and links of a sort's path. A target outside the caller's rows sorts like a missing
 * one.
 */
function sortPath(
  path: string,
  { resource, view }: Level,
  context: QueryContext,
): Pick<CheckedSort, 'path' | 'targets'> {
  const names = path.split('.')
  let currentResource = resource
  let currentView: View | undefined = view
  const targets: SortTarget[] = []
  for (const [index, name] of names.entries()) {
    const attribute = currentView && attributeOf(currentResource, currentView, name)
    const isLastName = index === names.length - 1
    // A link that a sort names without a column sorts by its id.
    if (!attribute || (attribute.is === 'column' ? !isLastName || attribute.storage === 'json' : index >= maxDepth)) {
      throw badParameter(name)
    }
    if (attribute.is === 'link') {
      currentView = relatedViewOf(attribute.target, context.caller, currentResource)
      currentResource = attribute.target
      context.dependsOn.add(currentResource.name)
      targets.push({ resource: currentResource, rows: attribute.place.in === 'family' ? undefined : currentView?.rows })
      if (isLastName) return currentView ? { path: [...names, 'id'], targets } : { path: [], targets: [] }
    }
  }
  return { path: names, targets }
}
