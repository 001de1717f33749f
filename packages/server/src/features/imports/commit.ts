/** Writes the rows of an import through the write path, in a given transaction (market §5). */
import { randomBytes } from 'node:crypto'
import {
  type Caller,
  Fault,
  fault,
  type ImportIssue,
  isToMany,
  isToOne,
  type Locale,
  locales,
  messageOf,
  type Resource,
  resources,
} from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { textTable } from '../../db/schema.ts'
import { linkOf, resourceNamed } from '../../resources/attributes.ts'
import { authoriseCaller } from '../../resources/authorise.ts'
import type { Author } from '../../resources/history/history.ts'
import { addTranslation, updateEntry, type WriteContext } from '../../resources/write/write.ts'
import { type EntryWriters, entryWriters } from '../../resources/write/writers.ts'
import { loadedColumns, importFieldsOf } from './preview.ts'
import {
  type ImportRecord,
  mappingOf,
  rememberMapping,
  type RowUndo,
  rowsToWrite,
  saveImport,
  saveWrittenRows,
  summariseRows,
  type WritingRow,
  type WrittenRow,
} from './import-store.ts'
import { plainName } from './names/near.ts'
import { writePrices } from './prices/batch.ts'
import { loadStates, readPresentVersions, type StoredState } from './records.ts'

/** Number of rows in one batch of an import's commit. */
const portion = 500

export interface CommitParts {
  database: Database
  /** Functions of features that write imported records of certain resources, by resource. */
  writers: Readonly<Partial<Record<string, EntryWriters>>>
}

/**
 * Error for a row that the write path has refused: nothing of the import is written, and the preview shows
 * the reason in the row.
 */
export class RowRefused extends Error {
  readonly row: number
  readonly refusal: Fault
  constructor(row: number, refusal: Fault) {
    super(refusal.message)
    this.row = row
    this.refusal = refusal
  }
}

/** Converts a refusal of the write path to a fault of the imported row. */
export function issueOf({ refusal, row }: RowRefused, letters: ReadonlyMap<string, string>): ImportIssue {
  const [firstIssue] = refusal.issues
  const field = firstIssue ? String(firstIssue.path[0]) : null
  const key =
    field === null
      ? undefined
      : [...letters.keys()].find((columnKey) => columnKey === field || columnKey.startsWith(`${field}.`))
  const [code, params] = firstIssue ? [firstIssue.code, firstIssue.params ?? {}] : [refusal.code, refusal.params]
  return {
    level: 'error',
    cell: key === undefined ? null : `${letters.get(key)}${row}`,
    field: key ?? field,
    code,
    params,
    message: messageOf(code, params),
    value: null,
    suggestion: null,
  }
}

interface WritingContext {
  trx: Transaction
  context: WriteContext & { trx: Transaction }
  resource: Resource
  writers: EntryWriters
  locale: Locale
}

/**
 * Writes the rows of an import.
 *
 * @param trx - The transaction in which all rows are written, or none.
 * @param parts - The database.
 * @param record - The locked import.
 * @param author - The user who commits, for their rights and for the revisions and audit lines.
 * @returns The numbers of created and changed records.
 * @throws `RowRefused` for a row that the write path refuses, 409 for records that differ from the preview.
 */
export async function commitRows(
  trx: Transaction,
  { database, writers }: CommitParts,
  record: ImportRecord,
  author: Author,
): Promise<{ created: number; updated: number }> {
  const { caller } = author
  const resource = resourceNamed(record.kind)
  authoriseCaller(resource, 'create', caller)
  const view = authoriseCaller(resource, 'update', caller)
  const mapping = mappingOf(record)
  const warnings = record.plan?.commit?.warnings ?? false
  const context = { database, author, view, trx }
  const writingOf: WritingContext = {
    trx,
    context,
    resource,
    writers: writers[resource.name] ?? entryWriters,
    locale: mapping.locale,
  }
  const counts = { created: 0, updated: 0 }
  const newDays: number[] = []
  for (let lastRow = 0; ;) {
    const rows = await rowsToWrite(trx, record.id, { after: lastRow, limit: portion, warnings })
    if (rows.length === 0) break
    lastRow = rows.at(-1)?.row ?? lastRow
    const writtenRows =
      resource.name === resources.pricelists.name
        ? await writePrices(context, rows, mapping.date, newDays)
        : await writeGeneric(writingOf, rows)
    await saveWrittenRows(trx, record.id, writtenRows)
    counts.created += rows.filter(({ action }) => action === 'create').length
    counts.updated += rows.filter(({ action }) => action === 'update').length
  }
  if (counts.created + counts.updated === 0) throw fault('import.nothing')
  await rememberDecisions(trx, record, caller)
  if (mapping.aliases) await addAliases(context, record)
  const { summary, errors } = await summariseRows(trx, record.id)
  await saveImport(trx, record.id, {
    state: 'done',
    progress: null,
    failure: null,
    plan: newDays.length > 0 ? { madeDays: newDays } : null,
    errors,
    committed: true,
    counts: {
      total: summary.total,
      created: counts.created,
      updated: counts.updated,
      skipped: summary.total - counts.created - counts.updated - summary.error,
      failed: summary.error,
    },
  })
  return counts
}

/** Generates a password that nobody knows: the owner of a new account requests their own. */
const unknownPassword = () => `A1a${randomBytes(9).toString('base64url')}`

async function writeGeneric(writing: WritingContext, rows: readonly WritingRow[]): Promise<WrittenRow[]> {
  const { trx, resource } = writing
  const documents = rows.flatMap(({ document }) => document ?? [])
  const states = await loadStates(trx, resource, documents)
  const writtenRows: { row: number; document: number; undo: RowUndo }[] = []
  for (const row of rows) {
    const state = row.document === null ? undefined : states.get(row.document)
    if ((row.action === 'update' && state?.seen !== row.seen) || (row.action === 'create' && row.document !== null))
      throw fault('import.changed', { params: { count: 1 }, details: { count: 1 } })
    try {
      const writtenResult = state ? await changeRecord(writing, row, state) : await makeRecord(writing, row)
      writtenRows.push({ row: row.row, ...writtenResult })
    } catch (error) {
      if (!(error instanceof Fault) || error.status >= 500) throw error
      throw new RowRefused(row.row, error)
    }
  }
  const seenVersions = await readPresentVersions(
    trx,
    resource,
    writtenRows.map(({ document }) => document),
  )
  return writtenRows.map((writtenRow) => ({ ...writtenRow, leftAs: seenVersions.get(writtenRow.document) ?? '' }))
}

/** Returns the languages of an imported draft, the language of the import first. */
const languagesOf = ({ draft: { texts } }: WritingRow, locale: Locale): Locale[] =>
  [...new Set([locale, ...locales])].filter((textLocale) => texts[textLocale] !== undefined)

async function makeRecord({ trx, context, resource, writers, locale }: WritingContext, row: WritingRow) {
  const { shared, texts } = row.draft
  const [main = locale, ...otherLocales] = languagesOf(row, locale)
  const secret = resource.fields.password?.kind === 'password' ? { password: unknownPassword() } : {}
  const draft = { ...shared, ...texts[main], ...secret }
  const id = await writers.create(context, resource, draft, resource.localized ? main : undefined)
  for (const otherLocale of otherLocales)
    await addTranslation(context, resource, id, { ...texts[otherLocale], locale: otherLocale })
  return { document: await documentOf(trx, resource, id), undo: { created: true } as const }
}

async function changeRecord(
  { context, resource, writers, locale }: WritingContext,
  row: WritingRow,
  state: StoredState,
) {
  const { shared, texts } = row.draft
  const languages = languagesOf(row, locale)
  const mainText = (state.sourceLocale && state.texts.get(state.sourceLocale)) ?? [...state.texts.values()][0]
  const firstEntry = resource.localized ? (mainText?.id ?? 0) : state.document
  if (Object.keys(shared).length > 0) await writers.update(context, resource, firstEntry, shared)
  const addedLocales: Locale[] = []
  for (const language of languages) {
    const text = state.texts.get(language)
    if (text) await writers.update(context, resource, text.id, texts[language] ?? {})
    else {
      await addTranslation(context, resource, firstEntry, { ...texts[language], locale: language })
      addedLocales.push(language)
    }
  }
  const valuesBefore = (values: Readonly<Record<string, unknown>>, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, values[name] ?? null]))
  const rowUndo: RowUndo = {
    created: false,
    // The undo of an import restores fields that a rule fills in together with the imported values.
    shared: { ...state.shared },
    texts: Object.fromEntries(
      languages.flatMap((language) => {
        const text = state.texts.get(language)
        return text ? [[language, valuesBefore(text.values, Object.keys(texts[language] ?? {}))] as const] : []
      }),
    ),
    added: addedLocales,
  }
  return { document: state.document, undo: rowUndo }
}

async function documentOf(trx: Transaction, resource: Resource, id: number): Promise<number> {
  if (!resource.localized) return id
  const [foundRecord] = await trx.query(
    sql<{ id: number }>`select document_id as id from ${sql.table(textTable(resource))} where id = ${id}`,
  )
  return foundRecord?.id ?? 0
}

/** Stores decisions on headings and names for the next files of the resource. */
async function rememberDecisions(trx: Transaction, record: ImportRecord, caller: Caller): Promise<void> {
  const mapping = mappingOf(record)
  if (!mapping.remember) return
  const headings = mapping.columns.flatMap(({ heading, key, why, status }) =>
    status === 'matched' && key !== null && why === 'person' && heading !== ''
      ? [{ heading: plainName(heading), key }]
      : [],
  )
  const resource = resourceNamed(record.kind)
  const fields = new Map(importFieldsOf(resource, caller).map((field) => [field.key, field]))
  const names: { key: string; name: string; document: number }[] = []
  for (const { key, name, target, isRemembered } of mapping.names) {
    const linkedType = fields.get(key)?.target
    if (!target || isRemembered || linkedType === undefined) continue
    names.push({ key, name: plainName(name), document: await documentOf(trx, resourceNamed(linkedType), target.id) })
  }
  await rememberMapping(
    trx,
    record.kind,
    uniqueByKey(headings, ({ heading }) => heading),
    uniqueByKey(names, ({ key, name }) => `${key}/${name}`),
  )
}

const uniqueByKey = <T>(items: readonly T[], keyOf: (item: T) => string): T[] => [
  ...new Map(items.map((item) => [keyOf(item), item])).values(),
]

/** Adds resolved names to the aliases of their records, where the resource has aliases. */
async function addAliases(context: WriteContext & { trx: Transaction }, record: ImportRecord): Promise<void> {
  const { caller } = context.author
  const fields = new Map(importFieldsOf(resourceNamed(record.kind), caller).map((field) => [field.key, field]))
  const addedWords = new Map<string, { target: Resource; id: number; words: string[] }>()
  for (const { key, name, target, isRemembered } of mappingOf(record).names) {
    const linkedType = fields.get(key)?.target
    if (!target || isRemembered || linkedType === undefined) continue
    const resource = resourceNamed(linkedType)
    const { aliases } = resource.fields
    if (aliases?.kind !== 'json' || aliases.list !== 'textList') continue
    const addedWord = addedWords.get(`${linkedType}/${target.id}`) ?? { target: resource, id: target.id, words: [] }
    addedWord.words.push(name)
    addedWords.set(`${linkedType}/${target.id}`, addedWord)
  }
  for (const { target, id, words } of addedWords.values()) {
    const view = authoriseCaller(target, 'update', caller)
    const document = await documentOf(context.trx, target, id)
    const state = (await loadStates(context.trx, target, [document])).get(document)
    const aliasesBefore = Array.isArray(state?.shared.aliases) ? (state.shared.aliases as string[]) : []
    const newWords = words.filter((newWord) => !aliasesBefore.some((alias) => plainName(alias) === plainName(newWord)))
    if (newWords.length > 0)
      await updateEntry({ ...context, view }, target, id, { aliases: [...aliasesBefore, ...newWords] })
  }
}

/** Converts links of stored values to wire ids, for the write path of an import. */
export async function toWriteBody(
  trx: Transaction,
  resource: Resource,
  values: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const field = resource.fields[name]
    if (!field || field.readOnly || field.computed) continue
    if (!isToOne(field) && !isToMany(field)) {
      body[name] = value
      continue
    }
    const { target } = linkOf(resource, name)
    const documents = (Array.isArray(value) ? value : [value]).filter((linkedId) => typeof linkedId === 'number')
    const ids = target.localized
      ? (
          await trx.query(
            sql<{ id: number }>`
              select min(t.id) as id from unnest(${documents}::int[]) with ordinality as w(document, place)
                join ${sql.table(textTable(target))} t on t.document_id = w.document group by w.place order by w.place`,
          )
        ).map(({ id }) => id)
      : documents
    body[name] = isToMany(field) ? ids : (ids[0] ?? null)
  }
  return body
}

/** Returns the letters of the loaded columns, for faults of rows. */
export function lettersOfImport(record: ImportRecord, caller: Caller): ReadonlyMap<string, string> {
  const fields = importFieldsOf(resourceNamed(record.kind), caller)
  return new Map(loadedColumns(fields, mappingOf(record).columns).map(({ field, letter }) => [field.key, letter]))
}
