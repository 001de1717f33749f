/** Parses `fields` and `populate` in all their forms (contract §6). */
import type { Resource } from '@dala/model'
import { attributeOf, visibleColumns, linksInView, relatedViewOf, type View } from '../attributes.ts'
import { badParameter, isObject, type QueryContext, toList, tooLarge } from './context.ts'
import { parseFilters, scopeOf } from './parse-filters.ts'
import { readSort } from './parse-sort.ts'
import type { RelatedSelection } from './query.ts'
import { readText } from './query-values.ts'

/** The maximum depth of populated relations, and their number in one query (checklist §3). */
const maxDepth = 5
const maxNodes = 20

/** The requested columns, in wire order; all visible ones when none are named. */
export function readFields(value: unknown, resource: Resource, view: View): string[] {
  const columns = visibleColumns(resource, view)
  if (value === undefined) return columns
  const wanted = new Set(
    toList(value).flatMap((item) =>
      readText(item, 'fields')
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    ),
  )
  if (wanted.has('*')) return columns
  for (const name of wanted) {
    if (attributeOf(resource, view, name)?.is !== 'column') throw badParameter(name)
  }
  return columns.filter((name) => wanted.has(name))
}

type PopulateTree = Map<string, unknown>

/** Converts every form of `populate` into one: link → its options. */
function toPopulateTree(value: unknown, links: readonly string[]): PopulateTree {
  const tree: PopulateTree = new Map()
  const add = (path: string) => {
    const [first = '', ...rest] = path.split('.')
    if (first === '*') for (const link of links) tree.set(link, tree.get(link) ?? {})
    else if (rest.length === 0) tree.set(first, tree.get(first) ?? {})
    else {
      const held = tree.get(first)
      const before = isObject(held) ? held : {}
      tree.set(first, { ...before, populate: [...toList(before.populate ?? []), rest.join('.')] })
    }
  }
  if (isObject(value) && !Object.keys(value).every((key) => /^\d+$/.test(key))) {
    for (const [link, asked] of Object.entries(value)) {
      if (link === '*') add('*')
      else if (asked === 'false' || asked === false) tree.delete(link)
      else tree.set(link, isObject(asked) ? asked : {})
    }
    return tree
  }
  for (const item of toList(value)) {
    if (isObject(item)) for (const [link, asked] of toPopulateTree(item, links)) tree.set(link, asked)
    else for (const path of readText(item, 'populate').split(',')) if (path.trim()) add(path.trim())
  }
  return tree
}

/** The populated links with the options of each; names that are no links are ignored. */
export function readPopulate(
  value: unknown,
  resource: Resource,
  view: View,
  context: QueryContext,
  nodes: { count: number },
  depth: number,
): [string, RelatedSelection][] {
  if (value === undefined || value === 'false' || value === false) return []
  const links = linksInView(resource, view)
  const populated: [string, RelatedSelection][] = []
  for (const [name, asked] of toPopulateTree(value === 'true' ? '*' : value, links)) {
    const attribute = attributeOf(resource, view, name)
    // Unknown names are ignored, and so are columns: clients name `room` (contract §6, §11).
    if (attribute?.is !== 'link') continue
    const family = attribute.place.in === 'family'
    const targetView = family ? view : relatedViewOf(attribute.target, context.caller, resource)
    if (!targetView) continue
    nodes.count += 1
    if (depth > maxDepth) throw tooLarge('populate depth')
    if (nodes.count > maxNodes) throw tooLarge('populated relations')
    const wants = isObject(asked) ? asked : {}
    const where =
      wants.filters === undefined ? undefined : parseFilters(wants.filters, attribute.target, targetView, context)
    const scope = family ? undefined : scopeOf(context, attribute.target, targetView.rows)
    populated.push([
      name,
      {
        fields: readFields(wants.fields, attribute.target, targetView),
        populate: readPopulate(wants.populate, attribute.target, targetView, context, nodes, depth + 1),
        sort: readSort(wants.sort, attribute.target, targetView, context),
        ...(where && { where }),
        ...(scope && { scope }),
      },
    ])
  }
  return populated
}
