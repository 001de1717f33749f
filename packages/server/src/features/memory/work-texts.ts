/** The texts of records as work for translators, and translated work as values of records. */
import { createHash } from 'node:crypto'
import {
  type Caller,
  type Field,
  fieldLabel,
  isScalar,
  kindOf,
  isLocale,
  type Locale,
  localeNames,
  memoryFields,
  type Resource,
} from '@dala/model'
import { documentTable, textTable } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import type { FeatureRoutes } from '../../resources/feature-routes.ts'
import { firstLabel } from '../../resources/labels.ts'
import { attributeOf, type View, viewOfResource } from '../../resources/attributes.ts'
import { firstRows, parseList, type QueryTree } from '../../resources/read/parse-query.ts'
import type { FlatEntry } from '../../resources/read/read-rows.ts'
import { readList } from '../../resources/read/read.ts'
import { type InlinePart, richHtml, richParts } from './rich-units.ts'
import { type TranslatedFile, targetParts, type WorkFile, type WorkUnit } from './xliff.ts'

/** A record with its texts in the two languages of the work. */
export interface WorkRecordTexts {
  id: number
  name: string
  source: Readonly<Record<string, string>>
  /** Number of changes of the record's own source that the source texts show: all of them, or those they follow. */
  changes: number
  /** The translation, if there is one. */
  target: { id: number; version: number; texts: Readonly<Record<string, string>> } | undefined
}

const isFlat = (value: unknown): value is FlatEntry =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'

/** Names of the fields that the work of a resource consists of, as far as the caller reads them. */
function workFields(resource: Resource, view: View): string[] {
  return memoryFields(resource).filter((name) => attributeOf(resource, view, name)?.is === 'column')
}

const textsOf = (entry: FlatEntry, fields: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    fields.flatMap((name) => {
      const text = entry[name]
      return typeof text === 'string' && text.trim() !== '' ? [[name, text]] : []
    }),
  )

/**
 * Reads records in their source language, with their translation.
 *
 * @param routes - The database and its totals.
 * @param caller - The caller, whose list is read.
 * @param work - The resource, the languages, and the conditions of the list.
 * @returns The records; those without the source language are not among them.
 */
export async function readWork(
  { database, totals }: Pick<FeatureRoutes, 'database' | 'totals'>,
  caller: Caller,
  {
    resource,
    source,
    target,
    query,
    limit,
  }: {
    resource: Resource
    source: Locale
    target: Locale
    query: QueryTree
    limit: number
  },
): Promise<WorkRecordTexts[]> {
  const view = viewOfResource(resource, caller, 'list')
  if (!view) return []
  const fields = workFields(resource, view)
  const shown = [...new Set([...fields, 'locale', 'version'])]
  const listQuery = parseList(
    { ...query, locale: source, fields: shown, populate: { localizations: { fields: shown } }, sort: 'id:desc' },
    resource,
    caller,
    view,
    firstRows(limit),
  )
  const { entries } = await readList(database, totals, { ...listQuery, shape: { ...listQuery.shape, isFlat: true } })
  const found = entries.filter(isFlat)
  const states = await database.query(sql<{ id: number; version: number; changes: number }>`
    select t.id, t.version, case when t.locale = d.source_locale then d.source_changes else t.seen_changes end as changes
      from ${sql.table(textTable(resource))} t join ${sql.table(documentTable(resource))} d on d.id = t.document_id
     where t.id = any(${found.map(({ id }) => id)}::int[])`)
  const statesById = new Map(states.map((state) => [state.id, state]))
  return found.map((entry) => {
    const others: unknown[] = Array.isArray(entry.localizations) ? entry.localizations : []
    const translation = others.filter(isFlat).find(({ locale }) => isLocale(locale) && locale === target)
    const texts = textsOf(entry, fields)
    const state = statesById.get(entry.id)
    return {
      id: entry.id,
      name: texts[resource.title] ?? String(entry.id),
      source: texts,
      // Texts that were written between the two statements show an earlier state than the number.
      changes: state?.version === Number(entry.version) ? state.changes : 0,
      target: translation && {
        id: translation.id,
        version: Number(translation.version),
        texts: textsOf(translation, fields),
      },
    }
  })
}

const digestOf = (texts: Readonly<Record<string, string>> | undefined): string =>
  texts ? createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16) : '-'

/** Names a record and the state of its texts and of its own source, so that a later change of them is noticed. */
export const originalOf = (resource: Resource, { id, source, target, changes }: WorkRecordTexts): string =>
  `${resource.wire}/${id}/${digestOf(source)}/${digestOf(target?.texts)}/${changes}`

const isRich = (resource: Resource, name: string) => resource.fields[name]?.kind === 'rich'
const plainParts = (text: string): InlinePart[] => [{ kind: 'text', text }]

/** The blocks of a text to translate: of a rich text those of its lines, of any other the text itself. */
const blocksOf = (resource: Resource, name: string, text: string): (readonly InlinePart[])[] =>
  isRich(resource, name)
    ? richParts(text).flatMap((part) => (part.kind === 'block' ? [part.parts] : []))
    : [plainParts(text)]

const unitId = (name: string, index: number, count: number) => (count === 1 ? name : `${name}-${index + 1}`)

function limitOf(field: Field | undefined): number | undefined {
  const limit = field && isScalar(field) ? kindOf(field).schema(field).write['maxLength'] : undefined
  return typeof limit === 'number' ? limit : undefined
}

/** Makes the file of a record. */
export function toWorkFile(resource: Resource, record: WorkRecordTexts, source: Locale, target: Locale): WorkFile {
  const units = Object.entries(record.source).flatMap(([name, text]): WorkUnit[] => {
    const blocks = blocksOf(resource, name, text)
    const present = record.target?.texts[name]
    const presentBlocks = present === undefined ? [] : blocksOf(resource, name, present)
    const limit = limitOf(resource.fields[name])
    const notes = [
      `${firstLabel(source, fieldLabel(resource, name))}: ${localeNames[source]} → ${localeNames[target]}`,
      ...(limit === undefined || isRich(resource, name) ? [] : [`≤ ${limit}`]),
    ]
    return blocks.map((block, index) => ({
      id: unitId(name, index, blocks.length),
      name: firstLabel(source, fieldLabel(resource, name)),
      notes,
      source: block,
      // Codes of a rich translation have numbers of their own, so only plain texts show the present one.
      target: isRich(resource, name) ? undefined : presentBlocks[index],
    }))
  })
  return {
    id: `${resource.wire}-${record.id}`,
    original: originalOf(resource, record),
    name: record.name,
    units,
  }
}

/** The translated values of a record, or the text at which they cannot be taken. */
export type DeliveredTexts =
  | {
      values: Readonly<Record<string, string>>
      /** The first text of the source that nobody has compared; undefined where the translation follows its source. */
      open: string | undefined
    }
  | { reason: 'marks' | 'incomplete'; field: string }

/**
 * Puts the units of a file together as values of a record.
 *
 * @param resource - The resource.
 * @param record - The record as it is now.
 * @param file - The translations.
 * @returns The values of completely translated texts; a text without any translation is left out and open, and so is
 *   one that came back as it was and is not called translated.
 */
export function deliveredTexts(resource: Resource, record: WorkRecordTexts, { units }: TranslatedFile): DeliveredTexts {
  const unitsById = new Map(units.map((unit) => [unit.id, unit]))
  const values: Record<string, string> = {}
  let open: string | undefined
  for (const [name, text] of Object.entries(record.source)) {
    const blocks = blocksOf(resource, name, text)
    if (blocks.length === 0) continue
    const translated = blocks.map((_, index) => unitsById.get(unitId(name, index, blocks.length)))
    if (translated.every((unit) => !unit?.target && !unit?.isPartial)) {
      open ??= name
      continue
    }
    const parts: InlinePart[][] = []
    for (const [index, unit] of translated.entries()) {
      if (!unit?.target) return { reason: 'incomplete', field: name }
      const content = targetParts(unit.target, blocks[index] ?? [])
      if (!content) return { reason: 'marks', field: name }
      parts.push(content)
    }
    values[name] = isRich(resource, name)
      ? richHtml(richParts(text), parts)
      : parts.map((content) => content.map((part) => (part.kind === 'text' ? part.text : '')).join('')).join('')
    const isChanged = record.target?.texts[name] !== values[name]
    if (!isChanged && !translated.every((unit) => unit?.isTranslated)) open ??= name
  }
  return { values, open }
}
