/**
 * Structures in the record of an import: how its file was read, its columns and names, its outcome (contract
 * §12).
 */
import * as z from 'zod'
import { locales } from '../../../locales.ts'
import { cellText, importSummary } from './parts.ts'
import { day, moment, whole } from '../parts.ts'

/** A linked record of an import by its wire id and its name. */
const link = z.strictObject({ id: z.int(), name: z.string() })

/**
 * The value of an imported cell: a link is `{id, name}`, a list of words or links is an array, null is an
 * empty cell.
 */
export const cell = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  link,
  z.array(z.string()).readonly(),
  z.array(link).readonly(),
  z.null(),
])

/**
 * State of an import that is not over: `parsing` reads the file, `preview` waits for a person, `committing`
 * writes.
 */
const state = z.enum(['parsing', 'preview', 'committing', 'done', 'failed', 'reverted'])

/** The progress of an import in `parsing` and `committing`. */
const progress = z.strictObject({
  /** Step of the import: `reading` the file, `checking` its rows, `writing` them. */
  step: z.enum(['reading', 'checking', 'writing']),
  /** Number of imported rows that the step has processed so far. */
  done: whole,
  /** Number of all imported rows; null while it is unknown. */
  total: whole.nullable(),
})

/**
 * Reason why an imported column has its field. `heading`: it has the field's name; `remembered`: a user
 * accepted it before, on `since`; `near`: the names are similar; `several`: two fields match; `none`: no
 * field matches; `person`: chosen in this import.
 */
const reason = z.enum(['heading', 'remembered', 'near', 'several', 'none', 'person'])

/** A column of the imported file. */
const column = z.strictObject({
  /** Letter of the imported column in the sheet: `A`, `B` … `AA`. */
  letter: z.string(),
  heading: z.string(),
  /** Up to three values of the imported column, as shown in the file. */
  samples: z.array(z.string()).readonly(),
  /** Key of the field that the imported column fills; null when the column is skipped or undecided. */
  key: z.string().nullable(),
  /**
   * State of an imported column: `matched` fills a field, `open` waits for a decision, `skipped` is not
   * loaded.
   */
  status: z.enum(['matched', 'open', 'skipped']),
  why: reason,
  /** The day on which a user accepted the heading before. */
  since: day.nullable(),
  /**
   * Fields that match the heading of the imported column, best first: one is a suggestion, two are a choice.
   */
  candidates: z.array(z.string()).readonly(),
  /** Whether the imported column is hidden in the file; hidden columns are read nevertheless. */
  isHidden: z.boolean(),
})

/** A name in the imported file that no record has. */
const name = z.strictObject({
  /** Key of the link field whose cells contain the unknown name. */
  key: z.string(),
  /** The unknown name as it is written in the file. */
  name: z.string(),
  /** Number of imported rows with the unknown name. */
  rows: whole,
  /** Record that a user chose for the unknown name; null before that. */
  target: link.nullable(),
  /** Records that match the unknown name, best first. One is a suggestion, several are a choice. */
  candidates: z.array(link).readonly(),
  /** Whether the imported name is known from an earlier import, and listed for a check by the user. */
  isRemembered: z.boolean(),
  /** Positions, from 0, of letters of the unknown name that are probably wrong. */
  wrong_letters: z.array(whole).readonly().exactOptional(),
})

/** Report for the user on how the imported file was read. */
const readingReport = z.strictObject({
  /** Duration of reading the imported file, in seconds. */
  seconds: z.number(),
  /** Names of the sheets with cells in the imported file. */
  sheets: z.array(z.string()).readonly(),
  /** Name of the imported file's sheet that was read. */
  sheet: z.string(),
  /** Number of the sheet's row with the headings, from 1. */
  heading_row: whole,
  /** Number of cells with a formula in the sheet, whose stored value is read. */
  formulas: whole,
  /** Numbers of the first 100 hidden rows of the sheet, which are read nevertheless. */
  hidden_rows: z.array(whole).readonly(),
  hidden_rows_count: whole,
  /** The first 100 merged cells of the sheet, `B7:B9`. Only the first cell of each has a value. */
  merged: z.array(z.string()).readonly(),
  merged_count: whole,
  /** Whether the sheet is protected; protected sheets are read nevertheless. */
  is_protected: z.boolean(),
})

/** The columns step of an import: sheet, headings, fields and unknown names. */
const mapping = z.strictObject({
  /** Day of prices in rows without a date, `2026-03-01`. */
  date: day.exactOptional(),
  /** The language of the imported headings and names, and of texts in columns without a language. */
  locale: z.enum(locales),
  columns: z.array(column).readonly(),
  /** Unknown and decided names of the imported file; the first 500. */
  names: z.array(name).readonly(),
  names_count: whole,
  /** Unknown names whose rows are not loaded. */
  left: z
    .array(z.strictObject({ key: z.string(), name: cellText }))
    .readonly()
    .exactOptional(),
  /** Whether names of the file beyond the listed ones are not loaded either. */
  left_rest: z.boolean().exactOptional(),
  /** Number of imported columns and names that wait for a decision. */
  open_columns: whole,
  open_names: whole,
  /** Required fields of a new record that no imported column fills. */
  missing: z.array(z.string()).readonly(),
  /** Whether the next commit of the import remembers the decisions on headings and names. */
  remember: z.boolean(),
  /** Whether decided names are added to the aliases of the products. */
  aliases: z.boolean(),
  /** The first row of data in the sheet as it is parsed, by key; undecided columns are omitted. */
  first: z.strictObject({ row: whole, values: z.record(z.string(), cell).readonly() }).nullable(),
})

/** Settings of an import's upload, before the file is read. */
const uploadSettings = z.strictObject({ date: day.exactOptional(), locale: z.enum(locales).exactOptional() })

/** An earlier import of the same file as this one. */
const earlierImport = z.strictObject({ id: whole, file_name: z.string(), state, author: z.string(), at: moment })

/** Reason why an import failed, or returned to its preview. */
const failure = z.strictObject({
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).readonly(),
  /** Message of the import's failure in English. */
  message: z.string(),
})

/** Numbers of the import's rows by kind, after the commit. */
const rows = whole.nullable()

/** Attributes of the import record `insert_excel`, without the links that a query can populate. */
const attributes = z.object({
  kind: z.string(),
  file_name: z.string(),
  state,
  progress: progress.nullable(),
  /** Report on reading the imported file; null until the file has been read. */
  reading: readingReport.nullable(),
  mapping: z.union([mapping, uploadSettings]).nullable(),
  summary: importSummary.nullable(),
  same_as: earlierImport.nullable(),
  /** Reason of the import's state `failed`, or in `preview` of a cancelled commit. */
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

/** Answers of the import routes `GET /insert_excel/{id}`, `PUT`, `POST …/commit` and `POST …/revert`. */
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
export type ImportReading = z.output<typeof readingReport>
export type ImportMapping = z.output<typeof mapping>
export type ImportTwin = z.output<typeof earlierImport>
export type ImportFailure = z.output<typeof failure>
export type ImportAttributes = z.output<typeof attributes>
export interface ImportAnswer {
  data: { id: number; attributes: ImportAttributes }
  meta: Record<string, never>
}
