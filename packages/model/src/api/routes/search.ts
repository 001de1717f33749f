/** The contract of the search by name across all resources. */
import * as z from 'zod'
import { isLocale, type Locale, locales } from '../../locales.ts'
import { foundAtMost, foundPerResource, maxSearched } from '../search.ts'
import type { Contracts } from './contract.ts'
import { dataAnswer, id, issue, locale, spelled, textKey } from './parts.ts'

const found = z.strictObject({
  resource: z.string().describe('Name of the resource on the wire'),
  id,
  name: z.string(),
  /** The language of the name; null where names have none. */
  locale: locale.nullable(),
  rank: z.int().min(0).max(3),
})

const searched = textKey('')
  .check(({ value, issues }) => {
    if (value.length > maxSearched) issues.push(issue(value, 'query.parameter'))
  })
  .optional()
  .meta({
    type: 'string',
    maxLength: maxSearched,
    description: 'Name or part of a name; an empty text finds nothing',
  })

const language = spelled<Locale, Locale>((given) => (isLocale(given) ? given : undefined), 'query.parameter', {
  type: 'string',
  enum: [...locales],
  description: "Language of the names; the caller's own when absent",
}).optional()

export const searchRoutes = {
  'GET /api/search': {
    group: 'Search',
    id: 'search',
    summary: 'Find records of all resources by name',
    details: `At most ${foundAtMost}, best first, at most ${foundPerResource} of a resource: the name itself (rank 0), names that begin so (1), words that begin so (2), names that hold it (3). Any language and alphabet finds any; \`id\` and \`name\` are those of the entry in \`locale\`, or of the language that stands in for it. One or two letters find beginnings only. Nothing is found but what the caller may list.`,
    query: z.object({ q: searched, locale: language }),
    answers: { 200: dataAnswer(z.array(found)) },
    refusals: ['query.parameter', 'query.value'],
  },
} as const satisfies Contracts

/** One record of the result. */
export type Found = z.output<typeof found>
