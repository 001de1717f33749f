/** Parses `fields` and `populate` in all their forms (contract §6) into the levels of a query. */
import type { Caller, Resource, RowFilter } from '@dala/model'
import { attributeOf, visibleColumns, linksInView, relatedViewOf, type View } from '../attributes.ts'
import { badParameter, type CheckedCall, checkedCall, isObject, toList, tooLargeFault } from './context.ts'
import { readText } from './query-values.ts'

/** The maximum depth of populated relations, and their number in one query (checklist §3). */
const maxDepth = 5
const maxNodes = 20

/** Returns the columns that a query requests, in wire order; all visible ones when it names none. */
function readFields(value: unknown, resource: Resource, view: View): string[] {
  const columns = visibleColumns(resource, view)
  if (value === undefined) return columns
  const names = new Set(
    toList(value).flatMap((item) =>
      readText(item, 'fields')
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    ),
  )
  if (names.has('*')) return columns
  for (const name of names) {
    if (attributeOf(resource, view, name)?.is !== 'column') throw badParameter(name)
  }
  return columns.filter((name) => names.has(name))
}

interface LevelOptions {
  readonly fields?: unknown
  readonly populate?: unknown
  readonly filters?: unknown
  readonly sort?: unknown
}

/** A level of a query: its list or record, or a populated link. */
export interface Level extends Pick<LevelOptions, 'filters' | 'sort'> {
  readonly resource: Resource
  readonly view: View
  /** Filter of the caller's rows; undefined for other languages of a document, which are all visible. */
  readonly rows: RowFilter | undefined
  readonly fields: CheckedCall<string[]>
  readonly links: CheckedCall<readonly CheckedCall<LinkedLevel>[]>
}
type LinkedLevel = [link: string, level: Level]

interface Levels {
  firstLevel: Level
  all: readonly Level[]
}

type PopulateTree = Map<string, unknown>

/** Converts every form of `populate` into one tree of links and their options. */
function toPopulateTree(value: unknown, links: readonly string[]): PopulateTree {
  const tree: PopulateTree = new Map()
  const add = (path: string) => {
    const [linkName = '', ...innerPath] = path.split('.')
    if (linkName === '*') for (const link of links) tree.set(link, tree.get(link) ?? {})
    else if (innerPath.length === 0) tree.set(linkName, tree.get(linkName) ?? {})
    else {
      const existingOptions = tree.get(linkName)
      const existingLevel = isObject(existingOptions) ? existingOptions : {}
      tree.set(linkName, { ...existingLevel, populate: [...toList(existingLevel.populate ?? []), innerPath.join('.')] })
    }
  }
  if (isObject(value) && !Object.keys(value).every((key) => /^\d+$/.test(key))) {
    for (const [link, linkOptions] of Object.entries(value)) {
      if (link === '*') add('*')
      else if (linkOptions === 'false' || linkOptions === false) tree.delete(link)
      else tree.set(link, isObject(linkOptions) ? linkOptions : {})
    }
    return tree
  }
  for (const item of toList(value)) {
    if (isObject(item)) for (const [link, linkOptions] of toPopulateTree(item, links)) tree.set(link, linkOptions)
    else for (const path of readText(item, 'populate').split(',')) if (path.trim()) add(path.trim())
  }
  return tree
}

/**
 * Collects the levels of a query: the list or record itself, and each populated link. Names that are no links
 * are ignored.
 *
 * @param options - `fields`, `populate`, `filters` and `sort` of the query.
 * @param resource - The resource of the list or record.
 * @param view - What the caller may see of it.
 * @param caller - The caller.
 * @returns The first level, and all levels. Fields and links are checked; filters and sorts are not.
 */
export function collectLevels(options: LevelOptions, resource: Resource, view: View, caller: Caller): Levels {
  const allLevels: Level[] = []
  let nodes = 0

  function levelOf(wants: LevelOptions, levelSource: Pick<Level, 'resource' | 'view' | 'rows'>, depth: number): Level {
    const level: Level = {
      ...levelSource,
      filters: wants.filters,
      sort: wants.sort,
      fields: checkedCall(() => readFields(wants.fields, levelSource.resource, levelSource.view)),
      links: checkedCall(() => linksOf(wants.populate, levelSource, depth)),
    }
    allLevels.push(level)
    return level
  }

  function linksOf(
    value: unknown,
    sourceLevel: Pick<Level, 'resource' | 'view'>,
    depth: number,
  ): CheckedCall<LinkedLevel>[] {
    if (value === undefined || value === 'false' || value === false) return []
    const names = linksInView(sourceLevel.resource, sourceLevel.view)
    return [...toPopulateTree(value === 'true' ? '*' : value, names)].flatMap(([name, linkOptions]) => {
      const attribute = attributeOf(sourceLevel.resource, sourceLevel.view, name)
      // Unknown names are ignored, and so are columns: clients name `room` (contract §6, §11).
      if (attribute?.is !== 'link') return []
      const { target } = attribute
      const family = attribute.place.in === 'family'
      const targetView = family ? sourceLevel.view : relatedViewOf(target, caller, sourceLevel.resource)
      if (!targetView) return []
      return checkedCall((): LinkedLevel => {
        nodes += 1
        if (depth > maxDepth) throw tooLargeFault('populate depth')
        if (nodes > maxNodes) throw tooLargeFault('populated relations')
        const linkedSource = { resource: target, view: targetView, rows: family ? undefined : targetView.rows }
        return [name, levelOf(isObject(linkOptions) ? linkOptions : {}, linkedSource, depth + 1)]
      })
    })
  }

  return { firstLevel: levelOf(options, { resource, view, rows: view.rows }, 1), all: allLevels }
}
