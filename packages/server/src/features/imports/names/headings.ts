/**
 * Matches the columns of a file with fields: by their headings and by earlier decisions; otherwise the user
 * decides.
 */
import {
  fieldLabel,
  type ImportColumn,
  type ImportField,
  type Locale,
  localeNames,
  type Resource,
  type WrittenLocale,
  writtenLocales,
} from '@dala/model'
import { labelsOf } from '../../../resources/labels.ts'
import { resourceNamed } from '../../../resources/attributes.ts'
import { suggestNames, plainName, spelledNames } from './near.ts'
import { lettersOf, type SheetCell, sheetLimits, type SheetRow, textOfCell } from '../sheet/cells.ts'

/** Returns the text of the first catalogue key that has one in a language and script. */
export function firstLabelIn(language: WrittenLocale, keys: readonly string[]): string {
  const labels: Readonly<Record<string, string>> = labelsOf(language)
  const key = keys.find((candidate) => Object.hasOwn(labels, candidate))
  return (key === undefined ? undefined : labels[key]) ?? keys.at(-1) ?? ''
}

/** Returns the heading of a column in exported files and templates. */
export function headingOf(resource: Resource, { key, name, locale }: ImportField, language: WrittenLocale): string {
  if (key === 'id') return 'ID'
  const label = firstLabelIn(language, fieldLabel(resource, name))
  return locale === undefined ? label : `${label} (${localeNames[locale]})`
}

/** Returns the heading of the column of reasons in a sheet of faults. */
export const reasonHeading = (language: WrittenLocale): string => firstLabelIn(language, ['import.reason'])

/**
 * Returns headings of columns in our own files that are not imported: reasons of faults, and former prices.
 */
const templateNotes = (): ReadonlySet<string> =>
  new Set(
    writtenLocales.flatMap((language) =>
      ['import.reason', 'import.before'].map((key) => plainName(firstLabelIn(language, [key]))),
    ),
  )

/** Returns the names of a link's targets, which may be its heading when no field has that name itself. */
const targetNames = ({ target, locale }: ImportField): string[] =>
  target === undefined || locale !== undefined
    ? []
    : writtenLocales.map((language) => firstLabelIn(language, [`${resourceNamed(target).name}.one`]))

/** Returns all headings that name a field. */
function namesOf(resource: Resource, field: ImportField, texts: Locale): string[] {
  const { key, name, locale } = field
  if (key === 'id') return ['id', '№ id', 'iD']
  const labels = writtenLocales.map((language) => firstLabelIn(language, fieldLabel(resource, name)))
  if (locale === undefined) return [key, ...labels]
  const languageLabels = labels.flatMap((label) => [
    `${label} (${localeNames[locale]})`,
    `${label} ${locale}`,
    `${label} (${locale})`,
  ])
  // A heading that names no language means the language of the import.
  return [key, ...languageLabels, ...(locale === texts ? [name, ...labels] : [])]
}

/** Maps the names of headings to the fields that they can mean. */
function knownHeadings(resource: Resource, fields: readonly ImportField[], texts: Locale) {
  const keysByName = new Map<string, string[]>()
  const allNames: [string, string][] = []
  const add = (name: string, key: string) => {
    const keys = keysByName.get(plainName(name)) ?? []
    if (!keys.includes(key)) keysByName.set(plainName(name), [...keys, key])
    allNames.push([name, key])
  }
  for (const field of fields) for (const name of namesOf(resource, field, texts)) add(name, field.key)
  const ownNames = new Set(keysByName.keys())
  for (const field of fields)
    for (const name of targetNames(field)) if (!ownNames.has(plainName(name))) add(name, field.key)
  return { byName: keysByName, near: spelledNames(allNames) }
}

export interface HeadingContext {
  resource: Resource
  fields: readonly ImportField[]
  /** Language of headings that name no language. */
  locale: Locale
  /** Headings that were accepted before, with the field and the day of each. */
  rememberedHeadings: ReadonlyMap<string, { key: string; since: string }>
}

/**
 * Finds the row of headings: the first one with the most names of fields, else the first one of several
 * texts.
 */
export function findHeadingRow(
  top: readonly SheetRow[],
  { resource, fields, locale, rememberedHeadings }: HeadingContext,
): number {
  const { byName } = knownHeadings(resource, fields, locale)
  let bestRow = { row: 0, count: 0 }
  for (const { row, cells } of top.slice(0, sheetLimits.top)) {
    const names = new Set(cells.filter((cell) => typeof cell === 'string').map(plainName))
    const count = [...names].filter((name) => byName.has(name) || rememberedHeadings.has(name)).length
    if (count > bestRow.count) bestRow = { row, count }
  }
  if (bestRow.count > 0) return bestRow.row
  const firstHeading = top.find(
    ({ cells }) => cells.filter((cell) => typeof cell === 'string' && cell.trim() !== '').length > 1,
  )
  return firstHeading?.row ?? top[0]?.row ?? 1
}

const samplesOf = (rows: readonly SheetRow[], column: number): string[] =>
  rows
    .map(({ cells }) => cells[column])
    .map((cell) => textOfCell(cell).trim().slice(0, 60))
    .filter((text) => text !== '')
    .slice(0, 3)

/** Returns the text of an imported heading, whatever the type of its cell. */
const headingText = (cell: SheetCell | undefined) =>
  textOfCell(typeof cell === 'object' && cell !== null && 'merged' in cell ? cell.value : cell)
    .trim()
    .slice(0, 255)

/**
 * Matches the columns of an imported file with fields.
 *
 * @param headings - The cells of the row of headings.
 * @param rows - The first rows below it.
 * @param hiddenColumns - Columns that the file hides.
 * @param context - The resource, and what was accepted before.
 * @returns Every column that has a heading or a value.
 */
export function matchColumns(
  headings: readonly SheetCell[],
  rows: readonly SheetRow[],
  hiddenColumns: readonly number[],
  context: HeadingContext,
): ImportColumn[] {
  const { byName, near } = knownHeadings(context.resource, context.fields, context.locale)
  const fieldKeys = new Set(context.fields.map(({ key }) => key))
  const notes = templateNotes()
  const width = Math.max(headings.length, ...rows.map(({ cells }) => cells.length))
  const columns: ImportColumn[] = []
  for (let index = 0; index < width; index += 1) {
    const [heading, samples] = [headingText(headings[index]), samplesOf(rows, index)]
    if (heading === '' && samples.length === 0) continue
    const rememberedHeading = context.rememberedHeadings.get(plainName(heading))
    const namedFields = byName.get(plainName(heading)) ?? []
    const column = { letter: lettersOf(index), heading, samples, isHidden: hiddenColumns.includes(index), since: null }
    const [onlyField, secondField] = namedFields
    if (onlyField !== undefined && secondField === undefined)
      columns.push({ ...column, key: onlyField, status: 'matched', why: 'heading', candidates: [onlyField] })
    else if (rememberedHeading && fieldKeys.has(rememberedHeading.key))
      columns.push({
        ...column,
        key: rememberedHeading.key,
        status: 'matched',
        why: 'remembered',
        since: rememberedHeading.since,
        candidates: [rememberedHeading.key],
      })
    else {
      const isNote = heading === '' || notes.has(plainName(heading))
      const candidates = namedFields.length > 1 ? namedFields : isNote ? [] : suggestNames(heading, near)
      const skipReason = candidates.length > 1 ? 'several' : candidates.length === 1 ? 'near' : 'none'
      columns.push({
        ...column,
        key: null,
        status: skipReason === 'none' ? 'skipped' : 'open',
        why: skipReason,
        candidates,
      })
    }
  }
  return oneColumnPerField(columns)
}

/** Keeps one imported column for each field, the first one with its name; the user decides on the others. */
function oneColumnPerField(columns: readonly ImportColumn[]): ImportColumn[] {
  const takenKeys = new Set<string>()
  return columns.map((column) => {
    if (column.key === null) return column
    if (!takenKeys.has(column.key)) {
      takenKeys.add(column.key)
      return column
    }
    return { ...column, key: null, status: 'open', why: 'several' }
  })
}
