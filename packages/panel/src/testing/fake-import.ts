/**
 * An import of prices for tests, as the server returns it: its record, its rows, and the answers to the calls
 * of its screens.
 */
import type { ImportAttributes, ImportColumn, ImportIssue, ImportMapping, ImportRow, ImportSummary } from '@dala/model'
import { owner } from './fake-api.ts'

const column = (
  letter: string,
  heading: string,
  key: string | null,
  columnFields: Partial<ImportColumn> = {},
): ImportColumn => ({
  letter,
  heading,
  samples: ['one', 'two'],
  key,
  status: key === null ? 'open' : 'matched',
  why: 'heading',
  since: null,
  candidates: [],
  isHidden: false,
  ...columnFields,
})

const decidedColumns: readonly ImportColumn[] = [
  column('A', 'Product', 'product'),
  column('B', 'District', 'district'),
  column('C', 'Price', 'price'),
]

/** Mapping of an import: one column with a suggestion, one with two candidates, and an unknown name. */
export const openColumns: readonly ImportColumn[] = [
  column('A', 'Product', 'product'),
  column('B', 'Tuman', null, { why: 'near', candidates: ['district'] }),
  column('C', 'Narx', null, { why: 'several', candidates: ['price', 'price_max'] }),
]

export const mappingOf = (mappingFields: Partial<ImportMapping> = {}): ImportMapping => ({
  date: '2026-03-09',
  locale: 'en',
  columns: decidedColumns,
  names: [],
  names_count: 0,
  open_columns: 0,
  open_names: 0,
  missing: [],
  remember: true,
  aliases: false,
  first: { row: 2, values: { product: { id: 21, name: 'Wheat' }, price: 4150 } },
  ...mappingFields,
})

export const summaryOf = (summaryFields: Partial<ImportSummary> = {}): ImportSummary => ({
  total: 4,
  create: 1,
  update: 1,
  same: 0,
  skip: 0,
  error: 2,
  warning: 0,
  issues: 2,
  ...summaryFields,
})

/** Answer of the fake server to a call for an import. */
export const importAnswer = (importFields: Partial<ImportAttributes> = {}) => ({
  data: {
    id: 48,
    attributes: {
      kind: 'pricelists',
      file_name: 'prices.xlsx',
      state: 'preview',
      progress: null,
      reading: {
        seconds: 2,
        sheets: ['Retail', 'Notes'],
        sheet: 'Retail',
        heading_row: 3,
        formulas: 18,
        hidden_rows: [5],
        hidden_rows_count: 1,
        merged: ['B7:B9'],
        merged_count: 1,
        is_protected: false,
      },
      mapping: mappingOf(),
      summary: summaryOf(),
      same_as: null,
      failure: null,
      total: null,
      created_count: null,
      updated_count: null,
      skipped_count: null,
      failed_count: null,
      committed_at: null,
      reverted_at: null,
      version: 4,
      createdAt: '2026-03-09T06:00:00.000Z',
      updatedAt: '2026-03-09T06:00:00.000Z',
      author: { data: { id: 1, attributes: { name: 'Aysánem', surname: 'Qurbanbaeva', username: 'owner' } } },
      ...importFields,
    },
  },
  meta: {},
})

const issueOf = (issueFields: Partial<ImportIssue>): ImportIssue => ({
  level: 'error',
  cell: null,
  field: null,
  code: 'validation.number',
  params: {},
  message: 'Please enter a number',
  value: null,
  suggestion: null,
  ...issueFields,
})

export const rowOf = (row: number, rowFields: Partial<ImportRow> = {}): ImportRow => ({
  row,
  action: 'update',
  id: row,
  given: { product: 'Wheat', district: 'Near', price: '4150' },
  corrected: {},
  before: { product: { id: 21, name: 'Wheat' }, district: { id: 11, name: 'Near' }, price: 4000 },
  after: { product: { id: 21, name: 'Wheat' }, district: { id: 11, name: 'Near' }, price: 4150 },
  changed: ['price'],
  issues: [],
  twins: [],
  is_confirmed: false,
  is_hidden: false,
  is_written: false,
  ...rowFields,
})

/** Rows of an import: two with faults, one that changes a price and one that is new. */
export const faultyRows: readonly ImportRow[] = [
  rowOf(17, {
    action: 'error',
    given: { product: 'Tomato', district: 'Neer', price: '14000' },
    after: { product: { id: 23, name: 'Tomato' }, price: 14_000 },
    before: null,
    changed: [],
    issues: [
      issueOf({
        cell: 'B17',
        field: 'district',
        code: 'validation.required',
        value: 'Neer',
        suggestion: { value: 'Near', label: 'Near' },
      }),
    ],
  }),
  rowOf(58, {
    action: 'error',
    given: { product: 'Rice', district: 'Far', price: '155O0' },
    after: { product: { id: 22, name: 'Rice' }, district: { id: 12, name: 'Far' } },
    changed: [],
    issues: [issueOf({ cell: 'C58', field: 'price', value: '155O0', suggestion: { value: '15500', label: '15,500' } })],
  }),
  rowOf(5),
  rowOf(6, {
    action: 'create',
    before: null,
    changed: [],
    given: { product: 'Mung', district: 'Far', price: '16900' },
  }),
]

export const rowsAnswer = (rows: readonly ImportRow[] = faultyRows, summary = summaryOf(), version = 4) => ({
  data: rows,
  meta: { pagination: { page: 1, pageSize: 50, pageCount: 1, total: rows.length }, summary, version },
})

/** Answers to the calls of an import in its preview. */
export const importAnswers = {
  'GET /api/users/me': owner,
  'GET /api/insert_excel/48': importAnswer(),
  'GET /api/insert_excel/48/rows': rowsAnswer(),
  'PUT /api/insert_excel/48': importAnswer({ version: 5 }),
} as const
