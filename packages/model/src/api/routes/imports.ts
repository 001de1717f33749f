/** Contracts of imports: started with a sheet, corrected, written and reverted (contract §12). */
import * as z from 'zod'
import type { ErrorCode } from '../../errors/errors.ts'
import { maxInteger, toMoment } from '../../fields/value-kinds.ts'
import { locales } from '../../locales.ts'
import { resources } from '../../resources/index.ts'
import { writtenLocales } from '../../text/script/scripts.ts'
import { importActions, importFieldKinds, importFilters, importModes, isImportable } from '../imports.ts'
import { importLimits } from '../import-limits.ts'
import { cellText, nameInField, importSummary } from './imports/parts.ts'
import { cell, type ImportAnswer, importAnswer } from './imports/record.ts'
import type { Resource } from '../../declaration/define-resource.ts'
import type { Contracts } from './contract.ts'
import {
  data,
  dataAnswer,
  entryOf,
  handlerKey,
  issue,
  locale,
  oneOf,
  pagination,
  recordAnswer,
  whole,
  listRefusals,
} from './parts.ts'

const group = 'Imports'
const staff = { admin: 'all', 'super-admin': 'all', owner: 'all' }
const changingCodes = [
  'access.denied',
  'record.not-found',
  'record.stale',
  'request.unprocessable',
  'import.state',
  'query.parameter',
  'query.value',
] as const satisfies readonly ErrorCode[]
const sharedKeys = ['fields', 'populate'] as const
const kinds = Object.values<Resource>(resources)
  .filter(isImportable)
  .map(({ name }) => name)
const sheetMedia = {
  media: {
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { type: 'string', format: 'binary' },
  },
} as const
const byKey = <T extends z.ZodType>(value: T, description: string) =>
  z.record(z.string(), value).describe(`By the key of the field. ${description}`)

/** An import as a record; its schema in the OpenAPI document is that of the resource. */
const importRecord = recordAnswer('insert_excel')
  .transform((rawValue, context): ImportAnswer => {
    const parsedAnswer = importAnswer.safeParse(rawValue)
    if (parsedAnswer.success) return parsedAnswer.data
    for (const { path, message } of parsedAnswer.error.issues)
      context.issues.push({ code: 'custom', input: rawValue, path, message })
    return z.NEVER
  })
  .meta({ $ref: '#/components/schemas/insert_excel.Single' })

// Query keys of the import routes

const language = oneOf(writtenLocales, "Language of the sheet; the caller's when absent", 'query.parameter')
const isDay = (rawText: string) => /^\d{4}-\d{2}-\d{2}$/.test(rawText) && toMoment(rawText) !== undefined
const key = (
  matches: (keyText: string) => boolean,
  schema: { type: string; format?: string; minimum?: number; description: string },
) =>
  z
    .custom<string>()
    .optional()
    .transform((rawValue: unknown, context): string | undefined => {
      if (rawValue === undefined || (typeof rawValue === 'string' && matches(rawValue))) return rawValue
      context.issues.push(issue(rawValue, 'query.parameter'))
      return z.NEVER
    })
    .meta(schema)

// Answers of the import routes

const suggestion = z.strictObject({
  value: z.string(),
  /** Label of the button that applies the suggestion for a faulty cell. */
  label: z.string(),
})
const rowIssue = z.strictObject({
  level: z.enum(['error', 'warning']),
  /** Address of the faulty cell; null for a fault of the whole row. */
  cell: z.string().describe('For example `C17`').nullable(),
  /** Key of the faulty field; null for a fault of the whole row. */
  field: z.string().describe('The key of the field').nullable(),
  code: z.string().describe('A code of the error catalogue'),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  /** Error message of an imported cell in English. */
  message: z.string(),
  /** Rejected value of an imported cell, as in the file or the correction. */
  value: z.string().nullable(),
  suggestion: suggestion.nullable(),
  /**
   * Positions of letters of the other alphabet in an imported value, or of letters that differ from the
   * suggestion.
   */
  wrong_letters: z
    .array(whole)
    .readonly()
    .describe('Positions, from 0, of letters of `value` that are probably wrong')
    .optional(),
})
const row = z.strictObject({
  row: whole.describe('Number of the row in the file'),
  action: z.enum(importActions),
  id: whole.describe('Id of the record that the row changes').nullable(),
  given: byKey(z.string(), 'The text in the file; only loaded columns'),
  corrected: byKey(z.string(), 'The correction of the text in the file'),
  before: byKey(cell, 'The present value of the record; only loaded columns').nullable(),
  after: byKey(cell, 'The value after the import; keys with an invalid cell are left out'),
  /** Keys of the fields that an imported row changes. */
  changed: z.array(z.string()).readonly(),
  issues: z.array(rowIssue).readonly(),
  /** Other rows of the imported file with the same key. */
  twins: z.array(whole).readonly(),
  is_confirmed: z.boolean().describe('The warnings were confirmed for this row alone'),
  is_hidden: z.boolean(),
  is_written: z.boolean(),
})
const district = z.strictObject({
  id: whole,
  name: z.string(),
  created: whole.describe('New prices of the import'),
  updated: whole.describe('Changed prices of the import'),
  before: whole,
  after: whole,
})
const field = z.strictObject({
  key: z.string(),
  name: z.string(),
  locale: locale.optional(),
  kind: z.enum(importFieldKinds),
  isRequired: z.boolean(),
  target: z.string().optional(),
  values: z.array(z.string()).readonly().optional(),
})
const rowsAnswer = z.strictObject({
  data: z.array(row),
  meta: z.strictObject({ pagination, summary: importSummary.nullable(), version: whole }),
})
const districtsAnswer = z.strictObject({
  data: z.array(district),
  /**
   * Number of districts, and the possible prices of one: those of the active products, or more where it has
   * more.
   */
  meta: z.strictObject({ total: whole, possible: whole.describe('Prices that a district can have') }),
})

// Bodies of the import routes

const number = z.int().min(1).max(maxInteger)
const version = whole.max(maxInteger)
const numbers = (description: string) =>
  z.array(number).max(importLimits.rows).readonly().nullish().describe(description)
const shortListOf = <T extends z.ZodType>(items: T) => z.array(items).max(importLimits.corrected).readonly()
const date = z.string().check(({ value, issues }) => {
  if (value.length !== 10 || toMoment(value) === undefined) issues.push(issue(value, 'validation.date'))
})

const correction = z.object({
  version,
  mapping: z
    .object({
      sheet: cellText.optional(),
      heading_row: number.optional(),
      date: date.meta({ format: 'date' }).nullable().optional(),
      columns: z
        .record(z.string(), z.string().nullable())
        .describe('Keys of fields by the letter of the column; a column with null is not loaded')
        .optional(),
      remember: z.boolean().optional(),
      aliases: z.boolean().optional(),
      left: shortListOf(nameInField).describe('All names whose rows are not loaded').optional(),
      left_rest: z.boolean().describe('Names beyond the listed ones are not loaded either').optional(),
    })
    .nullish(),
  /** Decisions on names in the imported file: id of the record; null withdraws the decision. */
  names: shortListOf(z.object({ key: z.string(), name: cellText, target: number.nullable() })).nullish(),
  /**
   * Corrections of imported cells by the key of the field; null withdraws a correction, an empty text empties
   * the cell.
   */
  rows: shortListOf(
    z.object({ row: number, values: z.record(z.string(), cellText.nullable()).describe('By the key of the field') }),
  ).nullish(),
  skip: numbers('Rows that are not written'),
  keep: numbers('Skipped rows that are written after all'),
  confirm: numbers('Rows whose warnings are confirmed as they are shown'),
  unconfirm: numbers('Rows whose warnings are no longer confirmed'),
})

const commitBody = z.object({
  version,
  mode: z.enum(importModes),
  confirm_warnings: z.boolean().nullish().describe('Rows with warnings are written too'),
})

export const importRoutes = {
  'GET /api/insert_excel': {
    group,
    id: 'insert_excel.list',
    summary: 'List imports',
    shared: ['search', 'sort', 'fields', 'populate', 'pagination'],
    query: z.object({
      filters: handlerKey({ $ref: '#/components/schemas/insert_excel.Filters', description: 'Conditions' }),
      start: handlerKey({ type: 'integer', minimum: 0, description: 'Number of rows to skip' }),
      limit: handlerKey({
        type: 'integer',
        minimum: 0,
        description: 'Rows of a page: 15 by default, at most 100',
      }),
    }),
    answers: {
      200: z.strictObject({
        data: z.array(entryOf('insert_excel')),
        meta: z.strictObject({ pagination }),
        count: whole.describe('All matches; with `start` or `limit` only').optional(),
      }),
    },
    refusals: listRefusals,
    roles: staff,
  },
  'POST /api/insert_excel': {
    group,
    id: 'insert_excel.start',
    summary: 'Start an import from a sheet',
    details:
      'An xlsx sheet, recognised by its content, without macros, of at most 10 MB and 50,000 rows. It is read in the background: `state` is `parsing` until the preview is ready.',
    shared: sharedKeys,
    headers: ['idempotencyKey'],
    body: {
      media: {
        'multipart/form-data': {
          type: 'object',
          properties: {
            files: { type: 'string', format: 'binary' },
            kind: { type: 'string', enum: kinds, description: 'Resource of the rows' },
            date: { type: 'string', format: 'date', description: 'For price lists: the day of the prices' },
            locale: { type: 'string', enum: locales, description: 'Language of the texts and names' },
          },
          required: ['files', 'kind'],
        },
      },
    },
    answers: { 200: importRecord },
    refusals: [
      'access.denied',
      'query.parameter',
      'query.value',
      'request.unprocessable',
      'request.key-reused',
      'file.not-xlsx',
      'file.macros',
      'bulk.busy',
    ],
    roles: staff,
  },
  'GET /api/insert_excel/kinds': {
    group,
    id: 'insert_excel.kinds',
    summary: 'List the resources that can be imported, with their fields',
    answers: { 200: dataAnswer(z.array(z.strictObject({ kind: z.enum(kinds), fields: z.array(field) }))) },
    refusals: ['access.denied'],
    roles: staff,
  },
  'GET /api/insert_excel/template': {
    group,
    id: 'insert_excel.template',
    summary: 'Download an empty sheet to be filled in',
    details:
      'The sheet has headings in the given language, and drop-down lists of choices and of the names of linked records.',
    query: z.object({
      kind: oneOf(kinds, 'Resource of the rows', 'query.parameter'),
      locale: language,
      date: key(isDay, { type: 'string', format: 'date', description: 'For price lists: the day' }),
      region: key((rawText) => /^[1-9]\d{0,8}$/.test(rawText), {
        type: 'integer',
        minimum: 0,
        description: 'For price lists: the sheet contains the products of the districts of this region',
      }),
    }),
    answers: { 200: sheetMedia },
    refusals: ['access.denied', 'query.parameter'],
    roles: staff,
  },
  'GET /api/insert_excel/:id/rows': {
    group,
    id: 'insert_excel.rows',
    summary: 'List the rows of the preview',
    details: 'Rows with errors come first, then rows with warnings, then changed, new and unchanged rows.',
    shared: ['pagination'],
    query: z.object({
      filter: oneOf(importFilters, 'Only rows of one kind', 'query.parameter'),
      _q: key(() => true, { type: 'string', description: 'Text that a row contains' }),
    }),
    answers: { 200: rowsAnswer },
    refusals: ['access.denied', 'record.not-found', 'query.parameter', 'query.pagination', 'query.pagination-mixed'],
    roles: staff,
  },
  'PUT /api/insert_excel/:id': {
    group,
    id: 'insert_excel.correct',
    summary: 'Correct an import before it is written',
    details:
      'Corrects columns, names and cells, and sets the rows to skip. All keys except `version` are optional. Corrections that affect the reading of many rows are applied in the background (202).',
    shared: sharedKeys,
    body: data(correction.shape),
    unnamed: ['mapping'],
    answers: { 200: importRecord, 202: importRecord },
    refusals: changingCodes,
    roles: staff,
  },
  'POST /api/insert_excel/:id/commit': {
    group,
    id: 'insert_excel.commit',
    summary: 'Write the rows of an import',
    details:
      'Runs as one transaction in the background. If rows differ from the preview that was shown, the answer is 409 with their `count`, and the preview is updated.',
    shared: sharedKeys,
    headers: ['idempotencyKey'],
    body: data(commitBody.shape),
    answers: { 202: importRecord },
    refusals: [
      ...changingCodes,
      'request.key-reused',
      'import.changed',
      'import.open',
      'import.faulty',
      'import.warnings',
      'import.nothing',
    ],
    roles: staff,
  },
  'POST /api/insert_excel/:id/revert': {
    group,
    id: 'insert_excel.revert',
    summary: 'Undo an import',
    details:
      'Possible until one of its records is changed again, published or deleted. After that, 409 lists these `records`, each with its row and the reason as `why`.',
    shared: sharedKeys,
    headers: ['idempotencyKey'],
    answers: { 200: importRecord },
    refusals: [...changingCodes, 'request.key-reused', 'import.touched'],
    roles: staff,
  },
  'GET /api/insert_excel/:id/districts': {
    group,
    id: 'insert_excel.districts',
    summary: 'List the prices that an import has filled, by district',
    details:
      'Counts prices before and after the import, on the days and in the markets that were written. At most 500 districts; those with the most filled prices come first. Empty for other kinds, before the commit, and after a revert.',
    query: z.object({ locale: language }),
    answers: { 200: districtsAnswer },
    refusals: ['access.denied', 'record.not-found', 'query.parameter'],
    roles: staff,
  },
  'GET /api/insert_excel/:id/errors': {
    group,
    id: 'insert_excel.errors',
    summary: 'Download the rows with errors',
    details: 'A sheet with a column of reasons, ready to be corrected and imported again.',
    query: z.object({ locale: language }),
    answers: { 200: sheetMedia },
    refusals: ['access.denied', 'record.not-found', 'import.state', 'query.parameter'],
    roles: staff,
  },
} as const satisfies Contracts

export type ImportSuggestion = z.output<typeof suggestion>
/** A fault of an imported cell or row, or a warning. */
export type ImportIssue = z.output<typeof rowIssue>
/** A row of an import's preview. */
export type ImportRow = z.output<typeof row>
/** The prices of a district on the days and in the markets of an import. */
export type ImportDistrict = z.output<typeof district>
export type ImportRowsAnswer = z.output<typeof rowsAnswer>
export type ImportDistrictsAnswer = z.output<typeof districtsAnswer>
export type ImportCorrection = z.output<typeof correction>
export type ImportCommit = z.output<typeof commitBody>
