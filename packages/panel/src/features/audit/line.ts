/** What the screens of the audit read of a line, and how they find what it speaks of. */
import { type Entry, type Locale, type Resource, resources, resourceSingular, screensOf } from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../api/route.ts'
import { findResource } from '../../fields/relation/targets.ts'
import { tFirst } from '../../lib/i18n.ts'
import { type Address, seenAddress } from '../../resource/screen-address.ts'

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The kind of record a line speaks of; undefined for none, and for one that the model has no longer. */
export const kindOfLine = (line: Entry): Resource | undefined => findResource(textOf(line.resource))

/** Its word: "News article". */
export const wordOfKind = (resource: Resource): string => tFirst([resourceSingular(resource)])

/** The kinds that have screens, by their words in the order of the menu. */
export const kinds: readonly Resource[] = Object.values<Resource>(resources).filter(
  ({ screens, storedAs, appended }) => (screens?.length ?? 0) > 0 && storedAs === undefined && !appended,
)

/** Where the record of a line is read; a consultant has the page of every user. */
export function addressOfLine(line: Entry): Address | undefined {
  const resource = kindOfLine(line)
  const screen = resource && screensOf(resource).at(-1)
  if (!screen || typeof line.entry !== 'number') return undefined
  return resource.single ? { to: `/app/${screen.path}`, search: {} } : seenAddress(screen, line.entry)
}

/** What a line changed, as far as the reader may see it. */
export const changesQuery = (id: number, locale: Locale) =>
  queryOptions({
    queryKey: ['resource', 'audit', 'changes', id, locale],
    queryFn: ({ signal }) => callRoute('GET /api/audit/:id/changes', { params: { id }, query: { locale }, signal }),
    meta: { inPlace: true },
  })

/** In this order; the store has none of its own. What is not among them comes after. */
const detailOrder = ['reason', 'to', 'consultations', 'rooms']

/** What else a line says, in pairs. */
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
