/**
 * The context of cell texts for the user: labels of choices, names of linked records, and look-up by name.
 */
import type { Entry, Locale, Resource } from '@dala/model'
import type { QueryClient } from '@tanstack/react-query'
import { languageOf, resourceQueries } from '../../../api/resource-queries.ts'
import { namingFields, titleText } from '../../../fields/field-display.tsx'
import { resourceNamed } from '../../../fields/relation/targets.ts'
import { t, firstTranslation } from '../../../lib/i18n.ts'
import type { CellTextContext } from './cell-text.ts'

export function cellTextContext(
  locale: Locale,
  foundEntries: ReadonlyMap<string, readonly Entry[]> = new Map(),
): CellTextContext {
  const titleOf = (target: string, entry: Entry) => titleText(resourceNamed(target), entry, locale, t)
  return {
    locale,
    t,
    word: firstTranslation,
    titleOf,
    findByTitle: (target, name) => (foundEntries.get(target) ?? []).filter((entry) => titleOf(target, entry) === name),
  }
}

/**
 * Maximum number of records with one name to load: two would be enough to see that the name is not unique.
 */
const maxNames = 20

/**
 * Loads the records that the names in a block may mean.
 *
 * @param names - The names by target.
 * @param language - The language of the names.
 */
export async function findNamedRecords(
  cache: QueryClient,
  names: ReadonlyMap<string, ReadonlySet<string>>,
  language: Locale,
): Promise<ReadonlyMap<string, readonly Entry[]>> {
  const findByName = async (target: Resource, name: string) => {
    const query = {
      ...languageOf(target, language),
      fields: namingFields(target),
      _q: name,
      pagination: { pageSize: maxNames },
    }
    return (await cache.query(resourceQueries(target).list(query))).entries
  }
  const results = await Promise.all(
    [...names].map(async ([target, wantedNames]) => {
      const entries = await Promise.all([...wantedNames].map((name) => findByName(resourceNamed(target), name)))
      return [target, [...new Map(entries.flat().map((entry) => [entry.id, entry])).values()]] as const
    }),
  )
  return new Map(results)
}
