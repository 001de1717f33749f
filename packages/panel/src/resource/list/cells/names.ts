/** The reader's words for cells: names of choices and of linked records, and the records that a name means. */
import type { Entry, Locale, Resource } from '@dala/model'
import type { QueryClient } from '@tanstack/react-query'
import { languageOf, resourceQueries } from '../../../api/resource-queries.ts'
import { titleFields, titleText } from '../../../fields/field-display.tsx'
import { resourceNamed } from '../../../fields/relation/targets.ts'
import { t, tFirst } from '../../../lib/i18n.ts'
import type { CellWords } from './cell-words.ts'

export function cellWords(locale: Locale, found: ReadonlyMap<string, readonly Entry[]> = new Map()): CellWords {
  const nameOf = (target: string, entry: Entry) => titleText(resourceNamed(target), entry, locale, t)
  return {
    locale,
    t,
    word: tFirst,
    nameOf,
    named: (target, name) => (found.get(target) ?? []).filter((entry) => nameOf(target, entry) === name),
  }
}

/** How many records of one name are looked at: two would do to see that it is not the only one. */
const looked = 20

/** Reads the records that a block's names may mean. In: the names by target, the language of the names. */
export async function findNamed(
  cache: QueryClient,
  names: ReadonlyMap<string, ReadonlySet<string>>,
  language: Locale,
): Promise<ReadonlyMap<string, readonly Entry[]>> {
  const look = async (target: Resource, name: string) => {
    const query = {
      ...languageOf(target, language),
      fields: titleFields(target),
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
