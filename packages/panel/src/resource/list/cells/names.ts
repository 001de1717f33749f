/**
 * The context of cell texts for the user: labels of choices, names of linked records, and look-up by name.
 */
import type { Entry, Locale, Resource } from '@dala/model'
import type { QueryClient } from '@tanstack/react-query'
import { languageOf, resourceQueries } from '../../../api/resource-queries.ts'
import { namingFields, titleText } from '../../../fields/field-display.tsx'
import { resourceNamed } from '../../../fields/relation/targets.ts'
import { t, tFirst } from '../../../lib/i18n.ts'
import type { CellTextContext } from './cell-text.ts'

export function cellWords(locale: Locale, found: ReadonlyMap<string, readonly Entry[]> = new Map()): CellTextContext {
  const nameOf = (target: string, entry: Entry) => titleText(resourceNamed(target), entry, locale, t)
  return {
    locale,
    t,
    word: tFirst,
    nameOf,
    named: (target, name) => (found.get(target) ?? []).filter((entry) => nameOf(target, entry) === name),
  }
}

/** The maximum number of records with one name: two would be enough to see that the name is not unique. */
const looked = 20

/**
 * Loads the records that the names in a block may mean.
 *
 * @param names - The names by target.
 * @param language - The language of the names.
 */
export async function findNamed(
  cache: QueryClient,
  names: ReadonlyMap<string, ReadonlySet<string>>,
  language: Locale,
): Promise<ReadonlyMap<string, readonly Entry[]>> {
  const look = async (target: Resource, name: string) => {
    const query = {
      ...languageOf(target, language),
      fields: namingFields(target),
      _q: name,
      pagination: { pageSize: looked },
    }
    return (await cache.query(resourceQueries(target).list(query))).entries
  }
  const found = await Promise.all(
    [...names].map(async ([target, wanted]) => {
      const entries = await Promise.all([...wanted].map((name) => look(resourceNamed(target), name)))
      return [target, [...new Map(entries.flat().map((entry) => [entry.id, entry])).values()]] as const
    }),
  )
  return new Map(found)
}
