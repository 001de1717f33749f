/** What the export says of itself. */
import { type JsonSchema, locales } from '@dala/model'
import { type Descriptions, exactly, json, listOf } from '../../http/description.ts'
import { formats, maxColumns, maxIds, queryKeys } from './body.ts'
import { maxRows, maxRowsOfGuests } from './rows.ts'

const text: JsonSchema = { type: 'string' }
const file = { type: 'string', format: 'binary' }

export const exportDescriptions: Descriptions = {
  'POST /api/export': {
    group: 'Export',
    id: 'export',
    summary: 'What a list shows, as a file',
    details: `Columns in the order given; \`localizations\` is the languages of a record. Headings, choices and yes or no are words of \`language\`, links the names of their records joined by "; ", rich texts plain. Numbers, days and moments (on the clock of \`timeZone\`) are numbers and dates of the sheet, prices with their currency in the format of the cell. Texts that would be formulas get a leading apostrophe. CSV has semicolons, decimal commas and a byte order mark. \`query\` has the keys of the list; with \`ids\` only these of its rows. ${maxRows} rows at most, ${maxRowsOfGuests} for callers who are neither administrators nor consultants. On a PostgreSQL server all rows are of one moment; on the embedded database, which serves others meanwhile, each page of rows is: a row that changes while the file is made may be in it before or after the change, and one that is deleted may be missing.`,
    body: json(
      exactly({
        data: exactly(
          {
            resource: { ...text, description: 'Name of the resource on the wire' },
            format: { enum: formats },
            columns: { ...listOf(text), minItems: 1, maxItems: maxColumns, uniqueItems: true },
            query: { type: 'object', properties: Object.fromEntries(queryKeys.map((key) => [key, {}])) },
            ids: { anyOf: [{ ...listOf({ type: 'integer', minimum: 1 }), maxItems: maxIds }, { type: 'null' }] },
            language: { enum: locales, description: "The caller's own when absent" },
            timeZone: { ...text, description: 'As `Asia/Tashkent`; UTC when absent' },
          },
          ['query', 'ids', 'language', 'timeZone'],
        ),
      }),
    ),
    answers: {
      200: { 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': file, 'text/csv': file },
    },
    refusals: [
      'access.denied',
      'request.data-missing',
      'query.parameter',
      'query.operator',
      'query.value',
      'query.direction',
      'query.too-large',
      'export.too-many',
      'auth.throttled',
      'server.busy',
    ],
  },
}
