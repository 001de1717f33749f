/** What the routes of imports say of themselves (contract §12). */
import {
  type ErrorCode,
  importActions,
  importFilters,
  importModes,
  isImportable,
  type JsonSchema,
  locales,
} from '@dala/model'
import { type Descriptions, exactly, json, listOf, schemaRef } from '../../http/description.ts'
import { resources } from '../../resources/attributes.ts'

const group = 'Imports'
const whole: JsonSchema = { type: 'integer', minimum: 0 }
const text: JsonSchema = { type: 'string' }
const staff = { admin: 'all', 'super-admin': 'all', owner: 'all' }
const reading: readonly ErrorCode[] = [
  'access.denied',
  'query.parameter',
  'query.operator',
  'query.value',
  'query.direction',
  'query.pagination',
  'query.pagination-mixed',
]

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })
const flag: JsonSchema = { type: 'boolean' }
const byKey: JsonSchema = { type: 'object', description: 'By the key of the field' }
const kinds = Object.values(resources)
  .filter(isImportable)
  .map(({ name }) => name)
const kind: JsonSchema = { type: 'string', enum: kinds }
const locale = {
  name: 'locale',
  description: "Language of the sheet; the caller's when absent",
  schema: { type: 'string', enum: locales },
} as const
const sheet = {
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { type: 'string', format: 'binary' },
}
const single = json(schemaRef('insert_excel.Single'))
const changing: readonly ErrorCode[] = [
  'access.denied',
  'record.not-found',
  'record.stale',
  'request.unprocessable',
  'import.state',
  'query.parameter',
  'query.value',
]

const counts = exactly({
  total: whole,
  create: whole,
  update: whole,
  same: whole,
  skip: whole,
  error: whole,
  warning: whole,
  issues: whole,
})

const issue = exactly(
  {
    level: { type: 'string', enum: ['error', 'warning'] },
    cell: orNull({ ...text, description: '`C17`' }),
    field: orNull({ ...text, description: 'The key of the field' }),
    code: { ...text, description: 'A code of the error catalogue' },
    params: { type: 'object' },
    message: text,
    value: orNull(text),
    suggestion: orNull(exactly({ value: text, label: text })),
    wrong_letters: {
      ...listOf(whole),
      description: 'Letters of `value` that are probably wrong, by their place from 0',
    },
  },
  ['wrong_letters'],
)

const row = exactly({
  row: { ...whole, description: 'Its number in the file' },
  action: { type: 'string', enum: importActions },
  id: orNull({ ...whole, description: 'The record that it changes' }),
  given: { ...byKey, description: 'As the file has it' },
  corrected: { ...byKey, description: 'What was typed instead' },
  before: orNull({ ...byKey, description: 'What the record holds now' }),
  after: { ...byKey, description: 'What it will hold' },
  changed: listOf(text),
  issues: listOf(issue),
  twins: listOf(whole),
  is_confirmed: { ...flag, description: 'Its warnings were confirmed for this row alone' },
  is_hidden: flag,
  is_written: flag,
})

const district = exactly({
  id: whole,
  name: text,
  created: { ...whole, description: 'New prices of the import' },
  updated: { ...whole, description: 'Changed prices of the import' },
  before: whole,
  after: whole,
})

const field = exactly(
  {
    key: text,
    name: text,
    locale: text,
    kind: text,
    isRequired: flag,
    target: text,
    values: listOf(text),
  },
  ['locale', 'target', 'values'],
)

export const importDescriptions: Descriptions = {
  'GET /api/insert_excel': {
    group,
    id: 'insert_excel.list',
    summary: 'List imports',
    query: [
      { name: 'filters', description: 'Conditions', schema: schemaRef('insert_excel.Filters') },
      'search',
      'sort',
      'fields',
      'populate',
      'pagination',
      { name: 'start', description: 'Rows to leave out before the page', schema: whole },
      { name: 'limit', description: 'Rows of the page, 15 when absent, 100 at most', schema: whole },
    ],
    answers: {
      200: json(
        exactly(
          {
            data: listOf(schemaRef('insert_excel.Entry')),
            meta: exactly({ pagination: schemaRef('Pagination') }),
            count: { ...whole, description: 'All matches; with `start` or `limit` only' },
          },
          ['count'],
        ),
      ),
    },
    refusals: reading,
    roles: staff,
  },
  'POST /api/insert_excel': {
    group,
    id: 'insert_excel.start',
    summary: 'Start an import from a sheet',
    details:
      'An xlsx sheet by its content, 10 MB and 50,000 rows at most, without macros. It is read in the background: `state` is `parsing` until the preview can be read.',
    query: ['fields', 'populate'],
    headers: ['idempotencyKey'],
    body: {
      'multipart/form-data': {
        type: 'object',
        properties: {
          files: { type: 'string', format: 'binary' },
          kind: { ...kind, description: 'The resource that the rows are records of' },
          date: { ...text, format: 'date', description: 'Of price lists: the day of the prices' },
          locale: { type: 'string', enum: locales, description: 'Language of the texts and names' },
        },
        required: ['files', 'kind'],
      },
    },
    answers: { 200: json(schemaRef('insert_excel.Single')) },
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
    summary: 'List what can be imported, with the fields of each',
    answers: { 200: json(exactly({ data: listOf(exactly({ kind, fields: listOf(field) })) })) },
    refusals: ['access.denied'],
    roles: staff,
  },
  'GET /api/insert_excel/template': {
    group,
    id: 'insert_excel.template',
    summary: 'Download an empty sheet to be filled in',
    details: 'Headings in the language, and drop-downs of choices and of the names that links lead to.',
    query: [
      { name: 'kind', description: 'What is imported', schema: kind },
      locale,
      { name: 'date', description: 'Of price lists: the day', schema: { type: 'string', format: 'date' } },
      { name: 'region', description: 'Of price lists: lays out the products of its districts', schema: whole },
    ],
    answers: { 200: sheet },
    refusals: ['access.denied', 'query.parameter'],
    roles: staff,
  },
  'GET /api/insert_excel/:id/rows': {
    group,
    id: 'insert_excel.rows',
    summary: 'List the rows of the preview',
    details: 'Rows with faults first, then those with warnings, changed, new and unchanged ones.',
    query: [
      { name: 'filter', description: 'Rows of one action only', schema: { type: 'string', enum: importFilters } },
      { name: '_q', description: 'Text that a row has', schema: text },
      'pagination',
    ],
    answers: {
      200: json(
        exactly({
          data: listOf(row),
          meta: exactly({ pagination: schemaRef('Pagination'), summary: orNull(counts), version: whole }),
        }),
      ),
    },
    refusals: ['access.denied', 'record.not-found', 'query.parameter', 'query.pagination', 'query.pagination-mixed'],
    roles: staff,
  },
  'PUT /api/insert_excel/:id': {
    group,
    id: 'insert_excel.correct',
    summary: 'Correct an import before it is written',
    details:
      'Columns, names, cells and rows that stay out; everything but `version` may be left out. What changes the reading of many rows is worked out in the background (202).',
    query: ['fields', 'populate'],
    body: json({
      type: 'object',
      required: ['data'],
      properties: {
        data: {
          type: 'object',
          required: ['version'],
          properties: {
            version: whole,
            mapping: {
              type: 'object',
              properties: {
                sheet: text,
                heading_row: whole,
                date: orNull({ type: 'string', format: 'date' }),
                columns: {
                  type: 'object',
                  description: 'Keys of fields by the letter of the column; null is not loaded',
                },
                remember: flag,
                aliases: flag,
                left: {
                  ...listOf({ type: 'object', required: ['key', 'name'], properties: { key: text, name: text } }),
                  maxItems: 500,
                  description: 'All names whose rows are not loaded',
                },
                left_rest: { ...flag, description: 'Names beyond the listed ones are not loaded either' },
              },
            },
            names: {
              ...listOf({
                type: 'object',
                required: ['key', 'name', 'target'],
                properties: { key: text, name: text, target: orNull(whole) },
              }),
              maxItems: 500,
            },
            rows: {
              ...listOf({ type: 'object', required: ['row', 'values'], properties: { row: whole, values: byKey } }),
              maxItems: 500,
            },
            skip: listOf(whole),
            keep: listOf(whole),
            confirm: { ...listOf(whole), description: 'Rows whose warnings are confirmed as they are shown' },
            unconfirm: { ...listOf(whole), description: 'Rows whose warnings are confirmed no longer' },
          },
        },
      },
    }),
    answers: { 200: single, 202: single },
    refusals: changing,
    roles: staff,
  },
  'POST /api/insert_excel/:id/commit': {
    group,
    id: 'insert_excel.commit',
    summary: 'Write the rows of an import',
    details:
      'One transaction, in the background. Rows that are not as the preview has shown them any more are 409 with their `count`, and the preview shows them anew.',
    query: ['fields', 'populate'],
    headers: ['idempotencyKey'],
    body: json({
      type: 'object',
      required: ['data'],
      properties: {
        data: {
          type: 'object',
          required: ['version', 'mode'],
          properties: {
            version: whole,
            mode: { type: 'string', enum: importModes },
            confirm_warnings: { ...flag, description: 'Rows with warnings are written too' },
          },
        },
      },
    }),
    answers: { 202: single },
    refusals: [
      ...changing,
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
    summary: 'Take an import back',
    details:
      'Until one of its records is changed again, published or removed: then 409 with `records`, each with its row and `why`.',
    query: ['fields', 'populate'],
    headers: ['idempotencyKey'],
    answers: { 200: single },
    refusals: [...changing, 'request.key-reused', 'import.touched'],
    roles: staff,
  },
  'GET /api/insert_excel/:id/districts': {
    group,
    id: 'insert_excel.districts',
    summary: 'List what an import of prices has filled in each district',
    details:
      'Prices before and after, on the days and in the markets that were written; at most 500 districts, those where the most was filled first. Empty for other kinds, before the commit and after it was taken back.',
    query: [locale],
    answers: {
      200: json(
        exactly({
          data: listOf(district),
          meta: exactly({ total: whole, possible: { ...whole, description: 'Prices that a district can have' } }),
        }),
      ),
    },
    refusals: ['access.denied', 'record.not-found', 'query.parameter'],
    roles: staff,
  },
  'GET /api/insert_excel/:id/errors': {
    group,
    id: 'insert_excel.errors',
    summary: 'Download the rows with faults',
    details: 'A sheet with a column of reasons, ready to be corrected and imported again.',
    query: [locale],
    answers: { 200: sheet },
    refusals: ['access.denied', 'record.not-found', 'import.state', 'query.parameter'],
    roles: staff,
  },
}
