/** Reads the fields of an audit line, and finds the record that it refers to. */
import { type Entry, type Locale, type Resource, resources, resourceSingular, screensOf } from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../api/route.ts'
import { findResource } from '../../fields/relation/targets.ts'
import { firstTranslation } from '../../lib/i18n.ts'
import { type Address, recordAddress } from '../../resource/screen-address.ts'

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * Kind of record that an audit line is about; undefined if there is none, or if the model no longer has it.
 */
export const kindOfLine = (line: Entry): Resource | undefined => findResource(textOf(line.resource))

/** Label of a kind of records: "News article". */
export const kindLabel = (resource: Resource): string => firstTranslation([resourceSingular(resource)])

/** Kinds of records that have screens, by their labels in the order of the menu. */
export const kinds: readonly Resource[] = Object.values<Resource>(resources).filter(
  ({ screens, storedAs, appendOnly }) => (screens?.length ?? 0) > 0 && storedAs === undefined && !appendOnly,
)

/** Address of the record of an audit line; a consultant opens on their page as a user. */
export function addressOfLine(line: Entry): Address | undefined {
  const resource = kindOfLine(line)
  const screen = resource && screensOf(resource).at(-1)
  if (!screen || typeof line.entry !== 'number') return undefined
  return resource.single ? { to: `/app/${screen.path}`, search: {} } : recordAddress(screen, line.entry)
}

/** Changes of an audit line that the user may see. */
export const changesQuery = (id: number, locale: Locale) =>
  queryOptions({
    queryKey: ['resource', 'audit', 'changes', id, locale],
    queryFn: ({ signal }) => callRoute('GET /api/audit/:id/changes', { params: { id }, query: { locale }, signal }),
    meta: { inPlace: true },
  })

/**
 * Display order of the details of an audit line, which are stored without an order; other keys come after
 * these.
 */
const detailOrder = ['reason', 'to', 'consultations', 'rooms']

/** Further details of an audit line, as pairs. */
export function detailsOf(line: Entry): [string, string][] {
  const { details } = line
  if (typeof details !== 'object' || details === null) return []
  const pairs = new Map(Object.entries(details))
  const names = new Set([...detailOrder.filter((name) => pairs.has(name)), ...pairs.keys()])
  return [...names].map((name) => {
    const value: unknown = pairs.get(name)
    return [name, typeof value === 'string' ? value : JSON.stringify(value)]
  })
}
