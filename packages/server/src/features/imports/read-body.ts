/** Reads the bodies of corrections and commits: everything that is wrong with them is said at once. */
import {
  type ImportColumn,
  type ImportField,
  type ImportMapping,
  type ImportMode,
  type ImportPlace,
  importModes,
  isStorable,
  maxInteger,
  toMoment,
} from '@dala/model'
import type { FastifyRequest } from 'fastify'
import { ActionBody } from '../../resources/action-body.ts'
import { isObject } from '../../resources/read/parse-filters.ts'
import { nameKey } from './resolve-names.ts'
import { sheetLimits } from './sheet/cells.ts'

/** Rows and names of one call. */
export const maxCorrected = 500

export interface Correction {
  version: number
  sheet: string | undefined
  headingRow: number | undefined
  date: string | null | undefined
  columns: ReadonlyMap<string, string | null>
  remember: boolean | undefined
  aliases: boolean | undefined
  left: readonly ImportPlace[] | undefined
  leftRest: boolean | undefined
  names: readonly { key: string; name: string; target: number | null }[]
  rows: readonly { row: number; values: Readonly<Record<string, string | null>> }[]
  skip: readonly number[]
  keep: readonly number[]
  confirm: readonly number[]
  unconfirm: readonly number[]
}

const isRow = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= maxInteger
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= sheetLimits.letters && isStorable(value)

function requiredVersion(body: ActionBody): number {
  const version = body.count('version')
  if (version === undefined && !body.has('version')) body.wrong('version', 'validation.required')
  return version ?? 0
}

/** Numbers of rows. */
function rowsIn(body: ActionBody, field: string): number[] {
  const raw = body.raw(field)
  if (raw === undefined || raw === null) return []
  const rows = Array.isArray(raw) ? raw.filter(isRow) : []
  if (!Array.isArray(raw) || rows.length < raw.length) body.wrong(field, 'validation.integer')
  if (rows.length > sheetLimits.rows) body.wrong(field, 'validation.maxItems', { max: sheetLimits.rows })
  return rows
}

function listIn(body: ActionBody, field: string): Readonly<Record<string, unknown>>[] {
  const raw = body.raw(field)
  if (raw === undefined || raw === null) return []
  const items = Array.isArray(raw) ? raw.filter(isObject) : []
  if (!Array.isArray(raw) || items.length < raw.length) body.wrong(field, 'validation.json')
  if (items.length > maxCorrected) body.wrong(field, 'validation.maxItems', { max: maxCorrected })
  return items
}

/** Names in the fields that they stand for, each once. */
function placesIn(body: ActionBody, raw: unknown, keys: ReadonlyMap<string, ImportField>): ImportPlace[] {
  const items = Array.isArray(raw) ? raw : [raw]
  const places = new Map<string, ImportPlace>()
  for (const item of items) {
    const { key, name } = isObject(item) ? item : {}
    if (typeof key === 'string' && keys.get(key)?.target !== undefined && isText(name))
      places.set(nameKey(key, name), { key, name })
    else body.wrong('left', 'validation.relation')
  }
  if (items.length > maxCorrected) body.wrong('left', 'validation.maxItems', { max: maxCorrected })
  return [...places.values()]
}

const isTruth = (value: unknown): value is boolean => typeof value === 'boolean'

/**
 * Reads a correction.
 *
 * @param request - The request.
 * @param fields - The fields that columns can fill.
 * @returns The corrections.
 * @throws 422 with every fault.
 */
export function readCorrection(request: FastifyRequest, fields: readonly ImportField[]): Correction {
  const body = new ActionBody(request)
  const version = requiredVersion(body)
  const keys = new Map(fields.map((field) => [field.key, field]))
  const raw = body.raw('mapping')
  const mapping = isObject(raw) ? raw : {}
  if (raw !== undefined && raw !== null && !isObject(raw)) body.wrong('mapping', 'validation.json')
  const { sheet, heading_row: headingRow, date, columns, remember, aliases, left, left_rest: leftRest } = mapping
  if (sheet !== undefined && !isText(sheet)) body.wrong('sheet', 'validation.text')
  if (headingRow !== undefined && !isRow(headingRow)) body.wrong('heading_row', 'validation.integer')
  const isDay = typeof date === 'string' && date.length === 10 && toMoment(date) !== undefined
  if (date !== undefined && date !== null && !isDay) body.wrong('date', 'validation.date')
  if (remember !== undefined && !isTruth(remember)) body.wrong('remember', 'validation.boolean')
  if (aliases !== undefined && !isTruth(aliases)) body.wrong('aliases', 'validation.boolean')
  if (leftRest !== undefined && !isTruth(leftRest)) body.wrong('left_rest', 'validation.boolean')
  const places = left === undefined ? undefined : placesIn(body, left, keys)
  if (columns !== undefined && !isObject(columns)) body.wrong('columns', 'validation.json')
  const chosen = new Map<string, string | null>()
  for (const [letter, key] of Object.entries(isObject(columns) ? columns : {})) {
    if (!/^[A-Z]{1,3}$/.test(letter) || !(key === null || (typeof key === 'string' && keys.has(key))))
      body.wrong('columns', 'validation.choice', { values: [...keys.keys()].join(', ') })
    else chosen.set(letter, key)
  }
  const names = listIn(body, 'names').flatMap(({ key, name, target }) => {
    const isLink = typeof key === 'string' && keys.get(key)?.target !== undefined
    if (isLink && isText(name) && (target === null || isRow(target))) return [{ key, name, target }]
    body.wrong('names', 'validation.relation')
    return []
  })
  const rows = listIn(body, 'rows').flatMap(({ row, values }) => {
    const entries = isObject(values) ? Object.entries(values) : []
    const isRight = entries.every(([key, value]) => keys.has(key) && (value === null || isText(value)))
    if (isRow(row) && isObject(values) && isRight) return [{ row, values: values as Record<string, string | null> }]
    body.wrong('rows', 'validation.text')
    return []
  })
  const [skip, keep] = [rowsIn(body, 'skip'), rowsIn(body, 'keep')]
  const [confirm, unconfirm] = [rowsIn(body, 'confirm'), rowsIn(body, 'unconfirm')]
  body.check()
  return {
    version,
    sheet: isText(sheet) ? sheet : undefined,
    headingRow: isRow(headingRow) ? headingRow : undefined,
    date: date === null || isDay ? date : undefined,
    columns: chosen,
    remember: isTruth(remember) ? remember : undefined,
    aliases: isTruth(aliases) ? aliases : undefined,
    left: places,
    leftRest: isTruth(leftRest) ? leftRest : undefined,
    names,
    rows,
    skip,
    keep,
    confirm,
    unconfirm,
  }
}

/** Reads a commit. Throws 422 with every fault. */
export function readCommit(request: FastifyRequest): { version: number; mode: ImportMode; warnings: boolean } {
  const body = new ActionBody(request)
  const version = requiredVersion(body)
  const mode = importModes.find((one) => one === body.raw('mode'))
  if (!mode)
    body.wrong('mode', body.has('mode') ? 'validation.choice' : 'validation.required', {
      values: importModes.join(', '),
    })
  const warnings = body.truth('confirm_warnings')
  body.check()
  return { version, mode: mode ?? 'all_or_nothing', warnings }
}

/**
 * Puts the chosen fields into the columns. A field that another column has is taken from it.
 *
 * @param mapping - As it is.
 * @param chosen - Fields by the letter of the column, null for columns that are not loaded.
 * @returns The columns.
 */
export function withColumns({ columns }: ImportMapping, chosen: ReadonlyMap<string, string | null>): ImportColumn[] {
  const taken = new Set([...chosen.values()].filter((key) => key !== null))
  return columns.map((column): ImportColumn => {
    const key = chosen.get(column.letter)
    if (key !== undefined)
      return { ...column, key, status: key === null ? 'skipped' : 'matched', why: 'person', since: null }
    const isTaken = column.key !== null && taken.has(column.key)
    return isTaken ? { ...column, key: null, status: 'open', why: 'several' } : column
  })
}
