/** The contract of the search by name across all resources. */
import * as z from 'zod'
import { isLocale, type Locale, locales } from '../../locales.ts'
import { maxFoundRecords, foundPerResource, maxSearchLength } from '../search.ts'
import type { Contracts } from './contract.ts'
import { dataAnswer, id, issue, locale, spelledValue, textKey } from './parts.ts'

const foundRecord = z.strictObject({
  resource: z.string().describe('Name of the resource on the wire'),
  id,
  name: z.string(),
  /** Language of the found record's name; null where names have none. */
  locale: locale.nullable(),
  rank: z.int().min(0).max(3),
})

const searchTextKey = textKey('')
  .check(({ value, issues }) => {
    if (value.length > maxSearchLength) issues.push(issue(value, 'query.parameter'))
  })
  .optional()
  .meta({
    type: 'string',
    maxLength: maxSearchLength,
    description: 'A name or a part of a name; an empty text finds nothing',
  })

const language = spelledValue<Locale, Locale>(
  (rawValue) => (isLocale(rawValue) ? rawValue : undefined),
  'query.parameter',
  {
    type: 'string',
    enum: [...locales],
    description: "Language of names; the caller's language when absent",
  },
).optional()

export const searchRoutes = {
  'GET /api/search': {
    group: 'Search',
    id: 'search',
    summary: 'Find records of all resources by name',
    details: `At most ${maxFoundRecords} records, best matches first, and at most ${foundPerResource} of one resource. The text is the whole name (rank 0), its beginning (1), the beginning of one of its words (2), or any part of it (3). A text in any language and alphabet finds names in all of them. \`id\` and \`name\` are those of the entry in \`locale\`, or in the language that replaces it. One or two letters match beginnings only. Only records that the caller may list are found.`,
    query: z.object({ q: searchTextKey, locale: language }),
    answers: { 200: dataAnswer(z.array(foundRecord)) },
    refusals: ['query.parameter', 'query.value'],
  },
} as const satisfies Contracts

/** One record in the result of a search. */
export type FoundRecord = z.output<typeof foundRecord>
