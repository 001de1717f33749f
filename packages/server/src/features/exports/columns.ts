/**
 * Builds the columns of an export: the fields to read, the heading, and the cell in the user's language
 * (checklist §5).
 */
import {
  type Caller,
  choiceLabel,
  componentsOf,
  type Entry,
  type Field,
  fieldLabel,
  isLocale,
  localeNames,
  localeOf,
  locales,
  readTranslations,
  type Resource,
  type Translations,
  type WrittenLocale,
} from '@dala/model'
import { type Attribute, attributeOf, relatedViewOf, type View } from '../../resources/attributes.ts'
import { badParameter } from '../../resources/read/context.ts'
import {
  type Cell,
  type Clock,
  dayCell,
  momentCell,
  numberCell,
  textCell,
  writtenDate,
} from '../../domain/files/sheet/cells.ts'
import { plainText } from '../../resources/plain-text.ts'
import { labelOf } from './labels.ts'

/** User for whom the file of an export is written. */
export interface Reader {
  caller: Caller
  language: WrittenLocale
}

export interface ExportColumn {
  name: string
  heading: Cell
  width: number
  /** Further field that the value of the exported column depends on. */
  beside?: string
  /** Fields of the linked records, for an exported column of links. */
  populate?: readonly string[]
  /** Whether the exported column shows moments: its cells need the clock. */
  moments?: true
  cell: (entry: Entry, clock: Clock) => Cell
}

const isTranslations = (value: unknown): value is Translations | string =>
  typeof value === 'string' || (typeof value === 'object' && value !== null && !Array.isArray(value))
const isEntry = (value: unknown): value is Entry => typeof value === 'object' && value !== null && 'id' in value
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

/** Joins several texts in one cell of an export. */
const joinTexts = (texts: readonly string[]) => textCell(texts.filter((text) => text !== '').join('; '))

/** Returns the visible fields of a linked resource that name its records. */
const namingFields = (target: Resource, view: View): string[] =>
  [target.title, ...(target.titleFields ?? []), ...(target.titleChoice ? [target.titleChoice] : [])].filter(
    (name) => attributeOf(target, view, name)?.is === 'column',
  )

/** Returns the name of a record as the lists of the panel show it. */
function nameOf(resource: Resource, entry: Entry, language: WrittenLocale): string {
  const { title, titleFields = [], titleChoice, fields } = resource
  const code = titleChoice && entry[titleChoice]
  if (titleChoice && typeof code === 'string') return labelOf(language, choiceLabel(resource, titleChoice, code))
  const joinedTitle = titleFields
    .map((name) => entry[name])
    .filter((titlePart) => typeof titlePart === 'string' && titlePart !== '')
  if (joinedTitle.length > 0) return joinedTitle.join(' ')
  const value = entry[title]
  const text =
    typeof value === 'number'
      ? String(value)
      : isTranslations(value)
        ? readTranslations(value, localeOf(language))
        : null
  if (!text) return labelOf(language, ['record.untitled']).replace('{id}', String(entry.id))
  const day = fields[title]?.kind === 'date' ? dayCell(text) : null
  return day && 'at' in day ? writtenDate(day) : text
}

/** Returns the decimal places of a field. */
const digitsOf = (field: Field | undefined) => (field?.kind === 'decimal' ? field.digits[1] : 0)

/** Returns the currency of an amount of money: a price without a currency has no meaning. */
const unitOf = (field: Field | undefined, { currency }: Entry) =>
  isMoney(field) && typeof currency === 'string' ? currency : undefined

const isMoney = (field: Field | undefined) => field !== undefined && componentsOf(field).unit === 'money'

const isMoment = ({ fields }: Resource, name: string) => {
  const field = fields[name]
  return field ? componentsOf(field).display === 'dateTime' : name === 'createdAt' || name === 'updatedAt'
}

/** Makes a cell with JSON; a list of texts is joined instead. */
const structureCell = (value: unknown) =>
  Array.isArray(value) && value.every((listItem) => typeof listItem === 'string')
    ? joinTexts(value)
    : textCell(JSON.stringify(value))

function valueCell(resource: Resource, name: string, entry: Entry, language: WrittenLocale, clock: Clock): Cell {
  const value = entry[name]
  const field = resource.fields[name]
  const display = field ? componentsOf(field).display : undefined
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return textCell(labelOf(language, [value ? 'action.yes' : 'action.no']))
  if (typeof value === 'number') return numberCell(value, digitsOf(field), unitOf(field, entry))
  if (display === 'translations')
    return textCell((isTranslations(value) && readTranslations(value, localeOf(language))) || '')
  if (typeof value !== 'string') return structureCell(value)
  if (isLocale(value) && name === 'locale' && !field) return textCell(localeNames[value])
  if (isMoment(resource, name)) return momentCell(value, clock)
  switch (display) {
    case 'date':
      return dayCell(value)
    case 'choice':
      return textCell(labelOf(language, choiceLabel(resource, name, value)))
    case 'rich':
      return textCell(plainText(value))
    default:
      return textCell(value)
  }
}

/** Makes a date of the sheet from the day of a record whose title is a date. */
function dayOf({ title, fields }: Resource, value: unknown): Cell {
  const day = fields[title]?.kind === 'date' && isEntry(value) ? value[title] : null
  return typeof day === 'string' ? dayCell(day) : null
}

/** Lists the languages of a record, its own included, in the order of the product. */
function coverage(entry: Entry): Cell {
  const ownLocales = new Set([entry, ...listOf(entry.localizations).filter(isEntry)].map(({ locale }) => locale))
  return joinTexts(locales.filter((locale) => ownLocales.has(locale)).map((locale) => localeNames[locale]))
}

const widths: Readonly<Record<string, number>> = { number: 14, date: 12, dateTime: 18, bool: 10, choice: 18 }

function widthOf(resource: Resource, name: string): number {
  if (name === resource.title) return 40
  if (name === 'createdAt' || name === 'updatedAt') return 18
  const field = resource.fields[name]
  return (field && widths[componentsOf(field).display]) ?? 24
}

function makeColumn(resource: Resource, view: View, attribute: Attribute, reader: Reader): ExportColumn {
  const { name } = attribute
  const sharedColumn = {
    name,
    heading: textCell(labelOf(reader.language, fieldLabel(resource, name))),
    width: widthOf(resource, name),
  }
  if (attribute.is === 'column')
    return {
      ...sharedColumn,
      cell: (entry, clock) => valueCell(resource, name, entry, reader.language, clock),
      ...(isMoment(resource, name) && { moments: true as const }),
      ...(isMoney(resource.fields[name]) && attributeOf(resource, view, 'currency') && { beside: 'currency' }),
    }
  if (attribute.place.in === 'family') return { ...sharedColumn, populate: ['locale'], cell: coverage }
  const { target } = attribute
  const targetView = relatedViewOf(target, reader.caller)
  if (!targetView) throw badParameter(name)
  const populate = namingFields(target, targetView)
  return {
    ...sharedColumn,
    populate: populate.length > 0 ? populate : ['id'],
    cell: (entry) =>
      dayOf(target, entry[name]) ??
      joinTexts(
        listOf(entry[name])
          .filter(isEntry)
          .map((linkedEntry) => nameOf(target, linkedEntry, reader.language)),
      ),
  }
}

/**
 * Builds the columns of an export by their names.
 *
 * @param resource - The resource.
 * @param view - The caller's view of it.
 * @param names - The names in order.
 * @param reader - The user for whom the file is written.
 * @throws 400 for a name that does not exist, is private or not visible: the same for all (checklist §2).
 */
export function columnsOf(resource: Resource, view: View, names: readonly string[], reader: Reader): ExportColumn[] {
  return names.map((name) => {
    const attribute = attributeOf(resource, view, name)
    if (!attribute) throw badParameter(name)
    return makeColumn(resource, view, attribute, reader)
  })
}
