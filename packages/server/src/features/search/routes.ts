/** Registers the search over all resources by name, which the command palette uses. */
import type { Queries } from '../../db/database.ts'
import { type Caller, type Locale, type Resource, searchKey, searchNeedles } from '@dala/model'
import type { FoundRecord } from '@dala/model/api/search'
import type { FastifyInstance } from 'fastify'
import { nameTexts } from '../../db/schema-parts.ts'
import { addRoutes } from '../../http/contract-routes.ts'
import { attributeOf, resources, type View, viewOfResource } from '../../resources/attributes.ts'
import type { FeatureRoutes } from '../../resources/feature-routes.ts'
import { QueryContext } from '../../resources/read/context.ts'
import { scopeOf } from '../../resources/read/parse-filters.ts'
import { isReader } from '../../resources/read/published.ts'
import { escapePattern } from '../../resources/read/query-values.ts'
import { type SearchedResource, searchStatement, toFoundRecord } from './statement.ts'

/** Minimum length for matches inside names, because the trigram index needs three letters. */
const minLengthInside = 3

/** Whether the caller sees the fields that name the records of a resource. */
function areNamesVisible(resource: Resource, view: View): boolean {
  const { title, fields, titleFields = [], screens = [] } = resource
  const names = fields[title]?.kind === 'translations' && screens.length > 0 ? [title] : nameTexts(resource)
  return (
    names.length > 0 && [...names, ...titleFields].every((name) => attributeOf(resource, view, name)?.is === 'column')
  )
}

/** Returns the resources whose records and names the caller may list, with the condition on their rows. */
function searchableResources(caller: Caller, context: QueryContext): SearchedResource[] {
  const allResources = Object.values(resources)
  const views = new Map(allResources.map((resource) => [resource.name, viewOfResource(resource, caller, 'list')]))
  return allResources.flatMap((resource) => {
    const view = views.get(resource.name)
    if (!view || !areNamesVisible(resource, view)) return []
    if (resource.storedAs !== undefined && views.get(resource.storedAs)) return []
    const scope = scopeOf(context, resource, view.rows)
    return [{ resource: resource.name, ...(scope && { scope }) }]
  })
}

/**
 * Finds records by name in one statement, in any language and alphabet. Rows and fields are those of the
 * caller's lists (contract §14, checklist §2).
 *
 * @param runner - The database or a transaction.
 * @param caller - The caller.
 * @param typedText - The typed text.
 * @param locale - The language of the names in the answer.
 * @returns At most 30 records, best first: equal names, names that begin with the text, words that begin with
 * it, names that contain it. One or two letters match beginnings only.
 */
export async function findByName(
  runner: Queries,
  caller: Caller,
  typedText: string,
  locale: Locale,
): Promise<FoundRecord[]> {
  const text = typedText.trim().replaceAll(/\s+/g, ' ')
  if (searchKey(text) === '') return []
  const context = new QueryContext(caller)
  const spelledNeedles = searchNeedles(text).filter((needle) => needle !== '')
  const isShort = searchKey(text).length < minLengthInside
  const needles = spelledNeedles
    .filter((needle) => isShort || needle.length >= minLengthInside)
    .map((needle) => ({
      from: context.slot(needle),
      // The upper bound of a name search sorts after every text that begins with the needle.
      to: context.slot(`${needle}\u{10ffff}`),
      escapedSlot: context.slot(escapePattern(needle)),
      pattern: context.slot(`%${escapePattern(needle)}%`),
    }))
  const searchedResources = searchableResources(caller, context)
  if (searchedResources.length === 0) return []
  const rows = await runner.rows(
    searchStatement(
      runner,
      { isPublished: isReader(caller), locale, isShort, needles, searchedResources },
      context.values,
    ),
  )
  return rows.map(toFoundRecord)
}

/** Registers the route of the search over all resources. */
export function registerSearch(app: FastifyInstance, { database, callerOf }: FeatureRoutes): void {
  addRoutes(app, async () => (await import('@dala/model/api/search')).searchRoutes, {
    'GET /api/search': async ({ request, query }) => {
      const caller = await callerOf(request)
      const { q = '', locale = caller.language } = await query()
      return { data: await findByName(database, caller, q, locale) }
    },
  })
}
