/**
 * Imports of sheets: which resources can be imported, which of their fields a sheet holds, and what the calls of
 * `insert_excel` send and answer (market §5).
 */
import { type Asker, decide } from '../access/access.ts'
import type { Resource } from '../declaration/define-resource.ts'
import { type Field, isLink, isToMany } from '../fields/field.ts'
import { type Locale, locales } from '../locales.ts'
import type { ImportPlace, ImportSummary } from './routes/import-parts.ts'

/** How the cells of a column are read. A `link` is the name of one record, `links` and `words` are lists. */
export const importFieldKinds = ['id', 'text', 'number', 'choice', 'yesNo', 'day', 'words', 'link', 'links'] as const
export type ImportFieldKind = (typeof importFieldKinds)[number]

/** A field of a resource as a column of a sheet. */
export interface ImportField {
  /** `price`; `name.ru` for the Russian text of a field that has one in each language; `id` for the record's own number. */
  key: string
  /** The field of the resource; `id` for the record's own number. */
  name: string
  /** The language of the text. */
  locale?: Locale
  kind: ImportFieldKind
  /** A new record needs it; of translated texts one language is enough. */
  isRequired: boolean
  /** The resource that a link leads to. */
  target?: string
  /** The codes of a choice. */
  values?: readonly string[]
}

const kindsOfCells: Readonly<Partial<Record<Field['kind'], ImportFieldKind>>> = {
  text: 'text',
  longText: 'text',
  rich: 'text',
  email: 'text',
  link: 'text',
  slug: 'text',
  colour: 'text',
  time: 'text',
  int: 'number',
  decimal: 'number',
  bool: 'yesNo',
  date: 'day',
  choice: 'choice',
  translations: 'text',
}

/** How cells of a field are read; undefined for a field that no sheet can hold. */
function cellsOf(field: Field): ImportFieldKind | undefined {
  if (field.kind === 'json') return field.list === 'words' ? 'words' : undefined
  if (!isLink(field)) return kindsOfCells[field.kind]
  if (field.target === 'uploads') return undefined
  return isToMany(field) ? 'links' : 'link'
}

const isWritten = (field: Field) => field.readOnly !== true && field.computed !== true && field.kind !== 'count'
/** The program makes the password of an account that a sheet names; its owner asks for a new one. */
const isMade = (field: Field) => field.kind === 'password'
const isPicture = (field: Field) => field.kind === 'picture' || field.kind === 'pictures'
const isPlain = (field: Field) => isMade(field) || (isPicture(field) ? !field.required : cellsOf(field) !== undefined)
const hasSteps = (field: Field) => 'steps' in field && (field.steps?.length ?? 0) > 0

/**
 * Tells whether records of a resource can be imported from a sheet: staff keep it as a list, everything a record needs
 * fits into cells, and no field of it is a state that a person decides on.
 *
 * @param resource - The declaration.
 * @returns True for reference lists, price lists, people, and content of plain fields.
 */
export function isImportable(resource: Resource): boolean {
  const { single, fixed, appended, storedAs, form, list, access, fields } = resource
  if (single || fixed || appended || storedAs !== undefined || !form || !list) return false
  if (!mayImport(resource, { role: 'admin', isConsultant: false })) return false
  // What farmers send themselves is answered one by one, and never arrives as a list.
  if (decide(access, 'create', { role: 'authenticated', isConsultant: false })) return false
  const all = Object.values<Field>(fields)
  if (all.some(hasSteps)) return false
  return all.filter(isWritten).every(isPlain) && importFields(resource).length > 1
}

/**
 * Tells whether somebody may import records of a resource: it takes the rights to make them and to change them.
 *
 * @param resource - The declaration.
 * @param who - Who asks.
 * @returns Whether both are granted, bounded or not.
 */
export function mayImport({ access }: Resource, who: Asker): boolean {
  return decide(access, 'create', who) !== false && decide(access, 'update', who) !== false
}

/**
 * The columns that a sheet of a resource can have, in the order of its form, the record's own number first.
 *
 * @param resource - The declaration.
 * @returns The fields; each text that differs by language is there once for each language.
 */
export function importFields(resource: Resource): ImportField[] {
  const { form, fields } = resource
  const inForm = form?.sections.flatMap((section) => section.fields) ?? []
  const names = [...new Set([...inForm, ...Object.keys(fields)])]
  const id: ImportField = { key: 'id', name: 'id', kind: 'id', isRequired: false }
  return [id, ...names.flatMap((name) => columnsOf(name, fields[name]))]
}

function columnsOf(name: string, field: Field | undefined): ImportField[] {
  if (!field || !isWritten(field) || field.private) return []
  if (isLink(field) && 'inverse' in field && field.inverse !== undefined && isToMany(field) && !field.required)
    return []
  const kind = cellsOf(field)
  if (kind === undefined) return []
  const column: ImportField = {
    key: name,
    name,
    kind,
    isRequired: field.required === true,
    ...(isLink(field) && { target: field.target }),
    ...('values' in field && { values: field.values }),
  }
  if (!field.localized && field.kind !== 'translations') return [column]
  return locales.map((locale) => ({ ...column, key: `${name}.${locale}`, locale }))
}

/** Whether a link names days: its target is known by the day it is of. */
export const isDayLink = (target: Resource): boolean => target.fields[target.title]?.kind === 'date'

/** A record by its wire id, with what people call it. */
export interface ImportLink {
  id: number
  name: string
}

/** The value of a cell: a link is `{id, name}`, a list of words or of links is an array; null is an empty cell. */
export type ImportValue = string | number | boolean | ImportLink | readonly string[] | readonly ImportLink[] | null

/** `parsing` reads the file, `preview` waits for a person, `committing` writes. */
export type ImportState = 'parsing' | 'preview' | 'committing' | 'done' | 'failed' | 'reverted'

/** The progress of an import in `parsing` and `committing`. */
export interface ImportProgress {
  /** `reading` the file, `checking` its rows, `writing` them. */
  step: 'reading' | 'checking' | 'writing'
  /** Rows so far. */
  done: number
  /** Rows in all; null while that is unknown. */
  total: number | null
}

/**
 * Why a column has its field. `heading`: it has the field's name; `remembered`: somebody accepted it before, on
 * `since`; `near`: the names are alike; `several`: two fields fit; `none`: no field fits; `person`: chosen here.
 */
export type ImportReason = 'heading' | 'remembered' | 'near' | 'several' | 'none' | 'person'

/** A column of the file. */
export interface ImportColumn {
  /** `A`, `B` … `AA`. */
  letter: string
  heading: string
  /** Up to three values as the file shows them. */
  samples: readonly string[]
  /** The field that it fills; null when it is not loaded or waits for a decision. */
  key: string | null
  /** `matched` fills a field, `open` waits for a person, `skipped` is not loaded. */
  status: 'matched' | 'open' | 'skipped'
  why: ImportReason
  /** The day on which the heading was accepted before. */
  since: string | null
  /** Fields that may be meant, best first: one is a suggestion, two are a choice. */
  candidates: readonly string[]
  /** The column is hidden in the file; it is read all the same. */
  isHidden: boolean
}

/** A name in the file that no record has. */
export interface ImportName {
  /** The link field. */
  key: string
  /** As it is written in the file. */
  name: string
  /** Rows that have it. */
  rows: number
  /** The record that a person chose; null while nobody has. */
  target: ImportLink | null
  /** Records that may be meant, best first. One is a suggestion, several are a choice. */
  candidates: readonly ImportLink[]
  /** The name was known from an earlier import, and is shown so that it can be seen. */
  isRemembered: boolean
  /** Letters of the name that are probably wrong, by their place from 0. */
  wrong_letters?: readonly number[]
}

/** How the file was read, for people. */
export interface ImportReading {
  /** Seconds that reading took. */
  seconds: number
  /** Sheets of the file that have cells. */
  sheets: readonly string[]
  /** The sheet that was read. */
  sheet: string
  /** The row that holds the headings, from 1. */
  heading_row: number
  /** Cells with a formula, read by the value that is stored with it. */
  formulas: number
  /** Hidden rows, the first 100 of them; they are read. */
  hidden_rows: readonly number[]
  hidden_rows_count: number
  /** Merged cells among the rows, `B7:B9`, the first 100 of them. Only the first cell of each has a value. */
  merged: readonly string[]
  merged_count: number
  /** The sheet is protected; it is read all the same. */
  is_protected: boolean
}

/** The columns step: sheet, headings, fields and unknown names. */
export interface ImportMapping {
  /** Prices: the day of rows that name none, `2026-03-01`. */
  date?: string
  /** The language of headings and names, and of texts in columns without a language. */
  locale: Locale
  columns: readonly ImportColumn[]
  /** Names without a record, and those that were decided; the first 500. */
  names: readonly ImportName[]
  names_count: number
  /** Names of the list whose rows are not loaded. */
  left?: readonly ImportPlace[]
  /** The names beyond the listed ones are not loaded either. */
  left_rest?: boolean
  /** Columns and names that wait for a decision. */
  open_columns: number
  open_names: number
  /** Fields that a new record needs and no column fills. */
  missing: readonly string[]
  /** Whether decisions on headings and names are remembered with the next commit. */
  remember: boolean
  /** Whether decided names are added to the aliases of the products themselves. */
  aliases: boolean
  /** The first row of data as it is understood, by key; undecided columns are left out. */
  first: { row: number; values: Readonly<Record<string, ImportValue>> } | null
}

/** The planned outcomes of a row. */
export const importActions = ['error', 'update', 'create', 'same', 'skip'] as const
export type ImportAction = (typeof importActions)[number]

/** The tabs of the preview. Warnings that nobody has confirmed are a part of `create` and `update`. */
export const importFilters = ['all', 'warning', ...importActions] as const
export type ImportFilter = (typeof importFilters)[number]

/** An earlier import of the same file. */
export interface ImportTwin {
  id: number
  file_name: string
  state: ImportState
  author: string
  at: string
}

/** Why an import failed, or came back to its preview. */
export interface ImportFailure {
  code: string
  params: Readonly<Record<string, string | number>>
  /** English. */
  message: string
}

/** Attributes of `insert_excel` that are more than plain values. The record also has `kind`, `file_name`, counts and `version`. */
export interface ImportAttributes {
  kind: string
  file_name: string
  state: ImportState
  progress: ImportProgress | null
  /** Null until the file has been read. */
  reading: ImportReading | null
  mapping: ImportMapping | { date?: string; locale?: Locale } | null
  summary: ImportSummary | null
  same_as: ImportTwin | null
  /** In `failed`: why. In `preview`: why a commit came back. */
  failure: ImportFailure | null
  /** Rows written by kind, after the commit. */
  total: number | null
  created_count: number | null
  updated_count: number | null
  skipped_count: number | null
  failed_count: number | null
  committed_at: string | null
  reverted_at: string | null
  version: number
  createdAt: string
  updatedAt: string
}

/** Answers of `GET /insert_excel/{id}`, `PUT`, `POST …/commit` and `POST …/revert`. */
export interface ImportAnswer {
  data: { id: number; attributes: ImportAttributes }
  meta: Record<string, never>
}

export const importModes = ['valid_only', 'all_or_nothing'] as const
export type ImportMode = (typeof importModes)[number]

/** A record that an import cannot take back any more: `details.records` of 409 `import.touched`. */
export interface ImportTouched {
  row: number
  id: number
  name: string
  why: 'changed' | 'published' | 'removed' | 'in_use'
}
