/** Reads what an export is asked for; every wrong part is a 400 with its name. */
import { type Caller, fault, isLocale, type Locale, maxInteger, type Resource } from '@dala/model'
import { resources } from '../../resources/attributes.ts'
import { narrowingKeys, readBodyQuery } from '../../resources/read/body-query.ts'
import type { FurtherRows } from '../../resources/further-rows.ts'
import { badParameter, isObject, tooLarge } from '../../resources/read/parse-filters.ts'
import type { QueryTree } from '../../resources/read/parse-query.ts'

export const formats = ['xlsx', 'csv'] as const
export type Format = (typeof formats)[number]

export const maxColumns = 60
export const maxIds = 1_000
/** Keys of a list's query that choose and order its rows. */
export const queryKeys = [...narrowingKeys, 'sort'] as const

export interface ExportOrder {
  resource: Resource
  format: Format
  columns: string[]
  query: QueryTree
  ids: number[] | undefined
  language: Locale
  timeZone: string
  /** Rows of another kind behind those of the list. */
  further?: FurtherRows | undefined
}

const isFormat = (value: unknown): value is Format => (formats as readonly unknown[]).includes(value)

function columnsIn(value: unknown): string[] {
  if (!Array.isArray(value) || value.length === 0) throw badParameter('columns')
  if (value.length > maxColumns) throw tooLarge(`${value.length} columns`)
  const names = value.map((name: unknown) => {
    if (typeof name !== 'string') throw badParameter('columns')
    return name
  })
  if (new Set(names).size < names.length) throw badParameter('columns')
  return names
}

function idsIn(value: unknown): number[] | undefined {
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value)) throw badParameter('ids')
  if (value.length > maxIds) throw tooLarge(`${value.length} ids`)
  return value.map((id: unknown) => {
    if (typeof id !== 'number' || !Number.isInteger(id) || id < 1 || id > maxInteger) throw badParameter('ids')
    return id
  })
}

const queryIn = (value: unknown, language: Locale): QueryTree => ({
  locale: language,
  ...(value !== undefined && readBodyQuery(value, queryKeys)),
})

/** The order of a body. Throws 400 naming the part that is wrong. */
export function readOrder(body: unknown, caller: Caller): ExportOrder {
  const data = isObject(body) ? body.data : undefined
  if (!isObject(data)) throw fault('request.data-missing')
  const resource = Object.values(resources).find(({ wire }) => wire === data.resource)
  if (!resource) throw badParameter('resource')
  if (!isFormat(data.format)) throw badParameter('format')
  const language = data.language ?? caller.language
  if (!isLocale(language)) throw badParameter('language')
  const timeZone = data.timeZone ?? 'UTC'
  if (typeof timeZone !== 'string') throw badParameter('timeZone')
  return {
    resource,
    format: data.format,
    columns: columnsIn(data.columns),
    query: queryIn(data.query, language),
    ids: idsIn(data.ids),
    language,
    timeZone,
  }
}
