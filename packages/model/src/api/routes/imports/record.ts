/** What the record of an import holds beside plain values: how its file was read, its columns and names, its outcome (contract §12). */
import * as z from 'zod'
import { locales } from '../../../locales.ts'
import { cellText, summary } from './parts.ts'
import { day, moment, whole } from '../parts.ts'

/** A record by its wire id, with what people call it. */
const link = z.strictObject({ id: z.int(), name: z.string() })

/** The value of a cell: a link is `{id, name}`, a list of words or of links is an array; null is an empty cell. */
export const cell = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  link,
  z.array(z.string()).readonly(),
  z.array(link).readonly(),
  z.null(),
])

/** `parsing` reads the file, `preview` waits for a person, `committing` writes. */
const state = z.enum(['parsing', 'preview', 'committing', 'done', 'failed', 'reverted'])

/** The progress of an import in `parsing` and `committing`. */
const progress = z.strictObject({
  /** `reading` the file, `checking` its rows, `writing` them. */
  step: z.enum(['reading', 'checking', 'writing']),
  /** Rows so far. */
  done: whole,
  /** Rows in all; null while that is unknown. */
  total: whole.nullable(),
})

/**
 * Why a column has its field. `heading`: it has the field's name; `remembered`: somebody accepted it before, on
 * `since`; `near`: the names are alike; `several`: two fields fit; `none`: no field fits; `person`: chosen here.
 */
const reason = z.enum(['heading', 'remembered', 'near', 'several', 'none', 'person'])

/** A column of the file. */
const column = z.strictObject({
  /** `A`, `B` … `AA`. */
  letter: z.string(),
  heading: z.string(),
  /** Up to three values as the file shows them. */
  samples: z.array(z.string()).readonly(),
  /** The field that it fills; null when it is not loaded or waits for a decision. */
  key: z.string().nullable(),
  /** `matched` fills a field, `open` waits for a person, `skipped` is not loaded. */
  status: z.enum(['matched', 'open', 'skipped']),
  why: reason,
  /** The day on which the heading was accepted before. */
  since: day.nullable(),
  /** Fields that may be meant, best first: one is a suggestion, two are a choice. */
  candidates: z.array(z.string()).readonly(),
  /** The column is hidden in the file; it is read all the same. */
  isHidden: z.boolean(),
})

/** A name in the file that no record has. */
const name = z.strictObject({
  /** The link field. */
  key: z.string(),
  /** As it is written in the file. */
  name: z.string(),
  /** Rows that have it. */
  rows: whole,
  /** The record that a person chose; null while nobody has. */
  target: link.nullable(),
  /** Records that may be meant, best first. One is a suggestion, several are a choice. */
  candidates: z.array(link).readonly(),
  /** The name was known from an earlier import, and is shown so that it can be seen. */
  isRemembered: z.boolean(),
  /** Letters of the name that are probably wrong, by their place from 0. */
  wrong_letters: z.array(whole).readonly().exactOptional(),
})

/** How the file was read, for people. */
const reading = z.strictObject({
  /** Seconds that reading took. */
  seconds: z.number(),
  /** Sheets of the file that have cells. */
  sheets: z.array(z.string()).readonly(),
  /** The sheet that was read. */
  sheet: z.string(),
  /** The row that holds the headings, from 1. */
  heading_row: whole,
  /** Cells with a formula, read by the value that is stored with it. */
  formulas: whole,
  /** Hidden rows, the first 100 of them; they are read. */
  hidden_rows: z.array(whole).readonly(),
  hidden_rows_count: whole,
  /** Merged cells among the rows, `B7:B9`, the first 100 of them. Only the first cell of each has a value. */
  merged: z.array(z.string()).readonly(),
  merged_count: whole,
  /** The sheet is protected; it is read all the same. */
  is_protected: z.boolean(),
})

/** The columns step: sheet, headings, fields and unknown names. */
const mapping = z.strictObject({
  /** Prices: the day of rows that name none, `2026-03-01`. */
  date: day.exactOptional(),
  /** The language of headings and names, and of texts in columns without a language. */
  locale: z.enum(locales),
  columns: z.array(column).readonly(),
  /** Names without a record, and those that were decided; the first 500. */
  names: z.array(name).readonly(),
  names_count: whole,
  /** Names of the list whose rows are not loaded. */
  left: z
    .array(z.strictObject({ key: z.string(), name: cellText }))
    .readonly()
    .exactOptional(),
  /** The names beyond the listed ones are not loaded either. */
  left_rest: z.boolean().exactOptional(),
  /** Columns and names that wait for a decision. */
  open_columns: whole,
  open_names: whole,
  /** Fields that a new record needs and no column fills. */
  missing: z.array(z.string()).readonly(),
  /** Whether decisions on headings and names are remembered with the next commit. */
  remember: z.boolean(),
  /** Whether decided names are added to the aliases of the products themselves. */
  aliases: z.boolean(),
  /** The first row of data as it is understood, by key; undecided columns are left out. */
  first: z.strictObject({ row: whole, values: z.record(z.string(), cell).readonly() }).nullable(),
})

/** What was given with the file, before it has been read. */
const given = z.strictObject({ date: day.exactOptional(), locale: z.enum(locales).exactOptional() })

/** An earlier import of the same file. */
const twin = z.strictObject({ id: whole, file_name: z.string(), state, author: z.string(), at: moment })

/** Why an import failed, or came back to its preview. */
const failure = z.strictObject({
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).readonly(),
  /** English. */
  message: z.string(),
})

/** Rows by kind, after the commit. */
const rows = whole.nullable()

/** Attributes of `insert_excel`, without the links that a query may ask for. */
const attributes = z.object({
  kind: z.string(),
  file_name: z.string(),
  state,
  progress: progress.nullable(),
  /** Null until the file has been read. */
  reading: reading.nullable(),
  mapping: z.union([mapping, given]).nullable(),
  summary: summary.nullable(),
  same_as: twin.nullable(),
  /** In `failed`: why. In `preview`: why a commit came back. */
  failure: failure.nullable(),
  total: rows,
  created_count: rows,
  updated_count: rows,
  skipped_count: rows,
  failed_count: rows,
  committed_at: moment.nullable(),
  reverted_at: moment.nullable(),
  version: whole,
  createdAt: moment,
  updatedAt: moment,
})

/** Answers of `GET /insert_excel/{id}`, `PUT`, `POST …/commit` and `POST …/revert`. */
export const importAnswer = z.strictObject({
  data: z.strictObject({ id: whole, attributes: attributes.loose() }),
  meta: z.strictObject({}),
})

export type ImportLink = z.output<typeof link>
export type ImportValue = z.output<typeof cell>
export type ImportState = z.output<typeof state>
export type ImportProgress = z.output<typeof progress>
export type ImportColumn = z.output<typeof column>
export type ImportName = z.output<typeof name>
export type ImportReading = z.output<typeof reading>
export type ImportMapping = z.output<typeof mapping>
export type ImportTwin = z.output<typeof twin>
export type ImportFailure = z.output<typeof failure>
export type ImportAttributes = z.output<typeof attributes>
export interface ImportAnswer {
  data: { id: number; attributes: ImportAttributes }
  meta: Record<string, never>
}
