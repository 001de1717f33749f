/**
 * Cell values as text, and text as cell values. Text copied from a list can be pasted again, and pasted text
 * is read in the user's language.
 */
import {
  choiceLabel,
  type Entry,
  type ErrorCode,
  type Field,
  searchKeyOf,
  isLink,
  isToOne,
  type Locale,
  readTranslations,
  type Resource,
  type Translations,
  validateField,
} from '@dala/model'
import {
  formatDate,
  formatDateTime,
  formatNumber,
  parseDate,
  parseNumber,
  type Translate,
} from '../../../lib/format.ts'
import { wireValue } from '../bulk/actions.ts'

/** Context for reading and writing the text of cells. */
export interface CellTextContext {
  locale: Locale
  t: Translate
  /** Returns the label for keys that are built by convention. */
  word: (candidates: ReturnType<typeof choiceLabel>) => string
  /** Returns the name of a linked record. */
  titleOf: (target: string, entry: Entry) => string
  /** Loads the records of a target that have exactly this name. */
  findByTitle: (target: string, name: string) => readonly Entry[]
}

export interface CellFault {
  code: ErrorCode | 'no-name' | 'many-names'
  params: Readonly<Record<string, string | number>>
}

export type ReadCell = { value: unknown } | { fault: CellFault }

/** Kinds of fields that can be edited in a cell: one text, one choice, one day. */
const cellKinds = new Set([
  'text',
  'longText',
  'email',
  'link',
  'slug',
  'colour',
  'int',
  'decimal',
  'bool',
  'choice',
  'date',
  'relation',
  'translations',
])

/** Whether a field can be edited in a cell; a state with transitions has its own menu. */
export function isCellField(field: Field | undefined): field is Field {
  return (
    field !== undefined &&
    !field.readOnly &&
    cellKinds.has(field.kind) &&
    !('transitions' in field && field.transitions)
  )
}

/** Text of a translated value in a language; a plain text is the same in every language (contract §8). */
export function textIn(value: unknown, locale: Locale): string {
  if (typeof value === 'string') return value
  return isTranslations(value) ? (value[locale] ?? '') : ''
}

/** Returns a translated value with another text in one language. */
export function setTextIn(value: unknown, locale: Locale, text: string): Translations {
  const texts: Translations = typeof value === 'string' ? { en: value } : isTranslations(value) ? { ...value } : {}
  if (text.trim() === '') delete texts[locale]
  else texts[locale] = text
  return texts
}

const isTranslations = (value: unknown): value is Translations =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

/** Labels of a yes/no field in a list. */
const booleanLabels = (name: string, { t }: CellTextContext): [string, string] =>
  name === 'active' ? [t('status.active'), t('status.inactive')] : [t('action.yes'), t('action.no')]

/** Text of a cell's value; empty for an empty cell. System columns are moments and numbers. */
export function textOfCell(resource: Resource, name: string, value: unknown, context: CellTextContext): string {
  if (value === null || value === undefined || value === '') return ''
  const field = resource.fields[name]
  if (!field) return name.endsWith('At') ? formatDateTime(textOf(value)) : textOf(value)
  switch (field.kind) {
    case 'bool':
      return booleanLabels(name, context)[value === true ? 0 : 1]
    case 'int':
    case 'decimal':
    case 'count':
      return typeof value === 'number' ? formatNumber(context.locale, value) : textOf(value)
    case 'date':
      return formatDate(textOf(value))
    case 'dateTime':
      return formatDateTime(textOf(value))
    case 'choice':
      return context.word(choiceLabel(resource, name, textOf(value)))
    case 'translations':
      return typeof value === 'string' || isTranslations(value) ? (readTranslations(value, context.locale) ?? '') : ''
    default:
      if (!isLink(field)) return textOf(value)
      return (Array.isArray(value) ? value : [value])
        .filter(isEntry)
        .map((entry) => context.titleOf(field.target, entry))
        .join(', ')
  }
}

/** Reads a number with the user's decimal sign: where that is a comma, "1,904" is one and a bit. */
function readNumber(text: string, locale: Locale): number | null {
  const isPlain = locale !== 'en' && /^[^,.]*,[^,.]*$/.test(text)
  return parseNumber(isPlain ? text.replace(',', '.') : text)
}

/** Reads a day in the format of the four languages, or of the API. */
const readDay = (text: string): string => parseDate(text) ?? text

const isSameText = (left: string, right: string) => searchKeyOf(left) === searchKeyOf(right)

/** Value of a field that a text means, unchecked; `before` is the current value of the cell. */
function parseText(
  resource: Resource,
  name: string,
  field: Field,
  text: string,
  context: CellTextContext,
  formerValue: unknown,
): ReadCell {
  switch (field.kind) {
    case 'translations':
      return { value: setTextIn(formerValue, context.locale, text) }
    case 'int':
    case 'decimal': {
      const number = readNumber(text, context.locale)
      return number === null ? { fault: { code: 'validation.number', params: { field: name } } } : { value: number }
    }
    case 'bool': {
      const [yesLabel, noLabel] = booleanLabels(name, context)
      if ([yesLabel, context.t('action.yes'), 'true', '1'].some((acceptedText) => isSameText(acceptedText, text)))
        return { value: true }
      if ([noLabel, context.t('action.no'), 'false', '0'].some((acceptedText) => isSameText(acceptedText, text)))
        return { value: false }
      return { fault: { code: 'validation.choice', params: { field: name, values: `${yesLabel}, ${noLabel}` } } }
    }
    case 'choice': {
      const wordOf = (code: string) => context.word(choiceLabel(resource, name, code))
      const code =
        field.values.find((choiceCode) => choiceCode === text) ??
        field.values.find((choiceCode) => isSameText(wordOf(choiceCode), text))
      if (code !== undefined) return { value: code }
      return {
        fault: { code: 'validation.choice', params: { field: name, values: field.values.map(wordOf).join(', ') } },
      }
    }
    case 'date':
      return { value: readDay(text) }
    case 'relation': {
      const matches = context.findByTitle(field.target, text)
      const [firstMatch] = matches
      if (firstMatch && matches.length === 1) return { value: firstMatch }
      return { fault: { code: firstMatch ? 'many-names' : 'no-name', params: { name: text } } }
    }
    default:
      return { value: text }
  }
}

/**
 * Reads a pasted text as the value of a field, and checks it as the form does.
 *
 * @param formerValue - The current value of the cell: a translated one keeps its other languages.
 */
export function readCell(
  resource: Resource,
  name: string,
  text: string,
  context: CellTextContext,
  formerValue?: unknown,
): ReadCell {
  const field = resource.fields[name]
  if (!field) return { value: text }
  const trimmedText = text.trim()
  const isText = ['text', 'longText', 'email', 'link', 'slug', 'colour'].includes(field.kind)
  const parsedText: ReadCell =
    trimmedText === '' && field.kind !== 'translations'
      ? { value: isText ? '' : null }
      : parseText(resource, name, field, isText ? text : trimmedText, context, formerValue)
  if ('fault' in parsedText) return parsedText
  return checkCell(resource, name, parsedText.value) ?? parsedText
}

/** Checks a cell's value as the form does; undefined when it can be saved. */
export function checkCell(resource: Resource, name: string, value: unknown): { fault: CellFault } | undefined {
  const issue = validateField(resource, name, wireValue(value), 'create')
  return issue && { fault: { code: issue.code, params: issue.params ?? {} } }
}

/** Names of linked records in a pasted block, by target, for look-up before the block is read. */
export function namesIn(
  resource: Resource,
  cells: readonly { name: string; text: string }[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>()
  for (const { name, text } of cells) {
    const field = resource.fields[name]
    if (!field || !isLink(field) || !isToOne(field) || text.trim() === '') continue
    names.set(field.target, (names.get(field.target) ?? new Set()).add(text.trim()))
  }
  return names
}
