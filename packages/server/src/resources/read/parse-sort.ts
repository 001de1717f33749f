/** Parses `sort`: comma text, lists, objects, paths through relations (contract §6). */
import { fault, type Resource } from '@dala/model'
import { attributeOf, relatedViewOf, type View } from '../attributes.ts'
import { badParameter, isObject, type QueryContext, toList, tooLarge } from './context.ts'
import { scopeOf } from './parse-filters.ts'
import type { Condition, Sort } from './query.ts'
import { readText } from './query-values.ts'

/** The maximum number of sorts in one query, and of relations in one sort (checklist §3). */
const maxSorts = 5
const maxDepth = 5

/** Every form of `sort` (contract §6): comma text, lists, objects, paths through relations. */
export function readSort(value: unknown, resource: Resource, view: View, context: QueryContext): Sort[] {
  const sorts = toList(value ?? []).flatMap((item): [string, string][] => {
    if (isObject(item)) return sortPairs(item)
    return readText(item, 'sort')
      .split(',')
      .filter(Boolean)
      .map((part) => {
        const [path = '', direction = 'asc'] = part.trim().split(':')
        return [path, direction]
      })
  })
  if (sorts.length > maxSorts) throw tooLarge(`${sorts.length} sorts`)
  return sorts.map(([path, direction]) => {
    if (!/^(asc|desc)$/i.test(direction)) throw fault('query.direction', { params: { direction } })
    return { ...sortPath(path, resource, view, context), descending: /^desc$/i.test(direction) }
  })
}

function sortPairs(object: Record<string, unknown>, prefix = ''): [string, string][] {
  return Object.entries(object).flatMap(([key, value]) =>
    isObject(value) ? sortPairs(value, `${prefix}${key}.`) : [[`${prefix}${key}`, readText(value, 'sort')]],
  )
}

/** The columns and links of a path. A target outside the caller's rows sorts like a missing one. */
function sortPath(path: string, resource: Resource, view: View, context: QueryContext): Pick<Sort, 'path' | 'scopes'> {
  const names = path.split('.')
  let here = resource
  let currentView: View | undefined = view
  const scopes: (Condition | null)[] = []
  for (const [index, name] of names.entries()) {
    const attribute = currentView && attributeOf(here, currentView, name)
    const last = index === names.length - 1
    // A link named without a column sorts by its id.
    if (!attribute || (attribute.is === 'column' ? !last || attribute.storage === 'json' : index >= maxDepth)) {
      throw badParameter(name)
    }
    if (attribute.is === 'link') {
      currentView = relatedViewOf(attribute.target, context.caller, here)
      here = attribute.target
      context.dependsOn.add(here.name)
      const isFamily = attribute.place.in === 'family'
      scopes.push((isFamily ? undefined : scopeOf(context, here, currentView?.rows)) ?? null)
      if (last) return currentView ? { path: [...names, 'id'], ...limited(scopes) } : { path: [] }
    }
  }
  return { path: names, ...limited(scopes) }
}

/** Scopes that limit nothing are left out, so that equal queries keep equal shapes. */
const limited = (scopes: (Condition | null)[]): Pick<Sort, 'scopes'> =>
  scopes.some((scope) => scope !== null) ? { scopes } : {}
