/** What the search over all resources says of itself. */
import { locales } from '@dala/model'
import { type Descriptions, exactly, json, listOf } from '../../http/description.ts'
import { foundAtMost, foundPerResource } from './statement.ts'

export const searchDescriptions: Descriptions = {
  'GET /api/search': {
    group: 'Search',
    id: 'search',
    summary: 'Find records of all resources by name',
    details: `At most ${foundAtMost}, best first, at most ${foundPerResource} of a resource: the name itself (rank 0), names that begin so (1), words that begin so (2), names that hold it (3). Any language and alphabet finds any; \`id\` and \`name\` are those of the entry in \`locale\`, or of the language that stands in for it. One or two letters find beginnings only. Nothing is found but what the caller may list.`,
    query: [
      {
        name: 'q',
        description: 'What the name is or holds; empty finds nothing',
        schema: { type: 'string', maxLength: 200 },
      },
      {
        name: 'locale',
        description: "Language of the names; the caller's own when absent",
        schema: { type: 'string', enum: locales },
      },
    ],
    answers: {
      200: json(
        exactly({
          data: listOf(
            exactly({
              resource: { type: 'string', description: 'Name of the resource on the wire' },
              id: { type: 'integer', minimum: 1 },
              name: { type: 'string' },
              locale: { enum: [...locales, null] },
              rank: { type: 'integer', minimum: 0, maximum: 3 },
            }),
          ),
        }),
      ),
    },
    refusals: ['query.parameter', 'query.value'],
  },
}
