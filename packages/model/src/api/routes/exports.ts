/** The contract of the export of a list to a file. */
import * as z from 'zod'
import {
  exportFormats,
  exportQueryKeys,
  maxExportColumns,
  maxExportIds,
  maxExportRows,
  maxExportRowsOfGuests,
} from '../exports.ts'
import type { Contracts } from './contract.ts'
import { data, declaredSchema, id, issue, writtenLanguage } from './parts.ts'

const file = { type: 'string', format: 'binary' } as const
const sheets = {
  media: { 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': file, 'text/csv': file },
} as const

/** Rejects an export of too many rows as too large a query. */
const limitItems =
  (itemKind: string, max: number) => (payload: { value: readonly unknown[]; issues: z.core.$ZodRawIssue[] }) => {
    const { length } = payload.value
    if (length > max) payload.issues.push(issue(payload.value, 'query.too-large', { what: `${length} ${itemKind}` }))
  }

const columns = z
  .array(z.string())
  .min(1)
  .check(limitItems('columns', maxExportColumns))
  .check(({ value, issues }) => {
    if (new Set(value).size < value.length) issues.push(issue(value, 'query.parameter'))
  })
  .meta({ maxItems: maxExportColumns, uniqueItems: true })

const ids = z.array(id).check(limitItems('ids', maxExportIds)).meta({ maxItems: maxExportIds })

export const exportRoutes = {
  'POST /api/export': {
    group: 'Export',
    id: 'export',
    summary: 'Export a list',
    details: `Columns are in the given order; \`localizations\` contains the languages of a record. Headings, choices and yes/no values are in \`language\`. Links are the names of their records, joined by "; "; rich texts are plain text. Numbers, days and moments (in \`timeZone\`) are numbers and dates of the sheet; prices have their currency in the format of the cell. Texts that would be formulas get a leading apostrophe. CSV files have semicolons, decimal commas and a byte order mark. \`query\` has the query keys of the list; with \`ids\`, only these of its rows are exported. At most ${maxExportRows} rows, or ${maxExportRowsOfGuests} for callers who are neither administrators nor consultants. On a PostgreSQL server, the file shows all rows at one moment. On the embedded database, which serves other calls meanwhile, it shows each page of rows at one moment: a row that changes during the export may be in the file before or after the change, and a row that is deleted may be missing.`,
    body: data({
      resource: z.string().describe('Name of the resource on the wire'),
      format: z.enum(exportFormats),
      columns,
      /** Conditions, sort order and language of the exported list; the query engine parses them. */
      query: declaredSchema<Readonly<Record<string, unknown>>>({
        type: 'object',
        properties: Object.fromEntries(exportQueryKeys.map((key) => [key, {}])),
      }).optional(),
      ids: ids.nullish(),
      language: writtenLanguage.describe("The caller's language when absent").nullish(),
      timeZone: z.string().describe('For example `Asia/Tashkent`; UTC when absent').nullish(),
    }),
    queryBody: true,
    answers: { 200: sheets },
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
} as const satisfies Contracts
