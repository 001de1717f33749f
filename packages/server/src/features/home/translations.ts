/** Finds translations that are older than their source. */
import { type Caller, decideAccess, homeGroups, isLocale, type HomeGroup, type Locale } from '@dala/model'
import type { Database } from '../../db/database.ts'
import { resources } from '../../resources/attributes.ts'
import type { FeatureRoutes } from '../../resources/feature-routes.ts'
import type { FlatEntry } from '../../resources/read/read-rows.ts'
import { type HomeRequest, emptyRow, readFlatEntries, textOf } from './rows.ts'

/** Translation progress of a resource in one language, as the translations workspace counts it. */
interface Progress {
  resource: string
  locale: Locale
  outdated: number
}

export type ReadTranslations = (database: Database, caller: Caller) => Promise<readonly Progress[]>

const mayTranslate = (caller: Caller) => {
  const wires = Object.values(resources)
    .filter(({ localized, access }) => localized && decideAccess(access, 'update', caller) !== false)
    .map(({ wire, name }): [string, string] => [wire, name])
  return new Map(wires)
}

const localesOf = (entry: FlatEntry, isWanted: (textFields: Record<string, unknown>) => boolean): Locale[] => {
  const otherTexts: unknown[] = Array.isArray(entry.localizations) ? entry.localizations : []
  return [entry, ...otherTexts].flatMap((entryText) => {
    if (typeof entryText !== 'object' || entryText === null) return []
    const { locale, ...otherFields } = entryText as Record<string, unknown>
    return isLocale(locale) && isWanted(otherFields) ? [locale] : []
  })
}

/**
 * Reads the outdated translations that the caller may write.
 *
 * @param routes - The database and its totals.
 * @param readTranslations - The counts of the translations workspace.
 * @param request - The caller, and the rows that the caller has postponed.
 * @returns The number of all, and records of the resources that have most, those that changed first.
 */
export async function readOutdatedTexts(
  routes: Pick<FeatureRoutes, 'database' | 'totals'>,
  readTranslations: ReadTranslations,
  { caller, locale, putOff, onlyPutOff }: HomeRequest,
): Promise<Pick<HomeGroup, 'count' | 'rows' | 'all'>> {
  const listLink = homeGroups.translations.all(caller.id)
  const nameOf = mayTranslate(caller)
  const parts = (await readTranslations(routes.database, caller)).filter(
    ({ resource, outdated }) => outdated > 0 && nameOf.has(resource),
  )
  const count = parts.reduce((sum, { outdated }) => sum + outdated, 0)
  const putOffByRef = new Map(
    putOff.filter(({ group }) => group === 'translations').map(({ ref, until }) => [ref, until]),
  )
  const sortedParts = parts.toSorted((onePart, otherPart) => otherPart.outdated - onePart.outdated)
  const requestedProgress = onlyPutOff
    ? sortedParts
    : sortedParts
        .filter(
          (translationPart, index) =>
            sortedParts.findIndex(({ resource }) => resource === translationPart.resource) === index,
        )
        .slice(0, homeGroups.translations.rows)
  const rows: HomeGroup['rows'] = []
  for (const { resource: wire, locale: outdatedLocale } of requestedProgress) {
    const putOffDocuments = [...putOffByRef.keys()].flatMap((ref) => {
      const [wireName, language, id] = ref.split('/')
      return wireName === wire && language === outdatedLocale && id ? [id] : []
    })
    if (onlyPutOff ? putOffDocuments.length === 0 : rows.length >= homeGroups.translations.rows) continue
    const resource = Object.values(resources).find((knownResource) => knownResource.wire === wire)
    if (!resource || resource.single) continue
    const entries = await readFlatEntries(routes, {
      caller,
      resource: resource.name,
      query: {
        locale,
        fallback: 'true',
        outdated_locale: outdatedLocale,
        fields: [resource.title, 'locale', 'outdated', 'updatedAt'],
        populate: { localizations: { fields: ['locale', 'outdated'] } },
        sort: 'updatedAt:asc',
        ...(putOffDocuments.length > 0 && {
          filters: { id: { [onlyPutOff ? '$in' : '$notIn']: putOffDocuments.slice(0, 100) } },
        }),
      },
      limit: onlyPutOff ? 50 : homeGroups.translations.rows - rows.length,
    })
    for (const entry of entries) {
      const ref = `${wire}/${outdatedLocale}/${entry.id}`
      rows.push({
        ...emptyRow,
        ref,
        id: entry.id,
        title: textOf(entry[resource.title]),
        locale: isLocale(entry.locale) ? entry.locale : null,
        resource: wire,
        outdated: outdatedLocale,
        languages: localesOf(entry, () => true),
        outdatedLanguages: localesOf(entry, (textFields) => textFields.outdated === true),
        since: textOf(entry.updatedAt),
        putOffUntil: putOffByRef.get(ref) ?? null,
      })
    }
  }
  return { count, rows, all: listLink }
}
