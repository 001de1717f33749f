/**
 * Values of cells as words, and words as values: what is copied from a list can be pasted into it again, and what is
 * pasted is read as a person would mean it, in his own language.
 */
import {
  choiceLabel,
  type Entry,
  type ErrorCode,
  type Field,
  foldSearch,
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

/** What reading and writing words needs to know. */
export interface CellWords {
  locale: Locale
  t: Translate
  /** The word of a label made by convention. */
  word: (candidates: ReturnType<typeof choiceLabel>) => string
  /** The name of a linked record. */
  nameOf: (target: string, entry: Entry) => string
  /** The records of a target that have exactly this name. */
  named: (target: string, name: string) => readonly Entry[]
}

export interface CellFault {
  code: ErrorCode | 'no-name' | 'many-names'
  params: Readonly<Record<string, string | number>>
}

export type ReadCell = { value: unknown } | { fault: CellFault }

/** Kinds of fields that are changed in a cell: one text, one choice, one day. */
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

/** Whether a field can be changed in a cell; a state with steps has its own ways. */
export function isCellField(field: Field | undefined): field is Field {
  return field !== undefined && !field.readOnly && cellKinds.has(field.kind) && !('steps' in field && field.steps)
}

/** The text of a language in a translated value; a plain text is the same in every language (contract §8). */
export function textIn(value: unknown, locale: Locale): string {
  if (typeof value === 'string') return value
  return isTranslations(value) ? (value[locale] ?? '') : ''
}

/** A translated value with another text in one language. */
export function withTextIn(value: unknown, locale: Locale, text: string): Translations {
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

/** The two words of a yes/no field. */
const truthWords = (name: string, { t }: CellWords): [string, string] =>
  name === 'active' ? [t('status.active'), t('status.inactive')] : [t('action.yes'), t('action.no')]

/** The words of a value; nothing for an empty cell. Columns of the system are moments and numbers. */
export function wordsOfCell(resource: Resource, name: string, value: unknown, words: CellWords): string {
  if (value === null || value === undefined || value === '') return ''
  const field = resource.fields[name]
  if (!field) return name.endsWith('At') ? formatDateTime(textOf(value)) : textOf(value)
  switch (field.kind) {
    case 'bool':
      return truthWords(name, words)[value === true ? 0 : 1]
    case 'int':
    case 'decimal':
    case 'count':
      return typeof value === 'number' ? formatNumber(words.locale, value) : textOf(value)
    case 'date':
      return formatDate(textOf(value))
    case 'dateTime':
      return formatDateTime(textOf(value))
    case 'choice':
      return words.word(choiceLabel(resource, name, textOf(value)))
    case 'translations':
      return typeof value === 'string' || isTranslations(value) ? (readTranslations(value, words.locale) ?? '') : ''
    default:
      if (!isLink(field)) return textOf(value)
      return (Array.isArray(value) ? value : [value])
        .filter(isEntry)
        .map((entry) => words.nameOf(field.target, entry))
        .join(', ')
  }
}

/** A decimal sign is the reader's own: "1,904" is one and a bit where numbers are written with a comma. */
function readNumber(text: string, locale: Locale): number | null {
  const isPlain = locale !== 'en' && /^[^,.]*,[^,.]*$/.test(text)
  return parseNumber(isPlain ? text.replace(',', '.') : text)
}

/** A day as the four languages write it, or as the API does. */
const readDay = (text: string): string => parseDate(text) ?? text

const same = (left: string, right: string) => foldSearch(left) === foldSearch(right)

/** What a text means in a field, before it is checked; `before` is the value that the cell has. */
function meant(
  resource: Resource,
  name: string,
  field: Field,
  text: string,
  words: CellWords,
  before: unknown,
): ReadCell {
  switch (field.kind) {
    case 'translations':
      return { value: withTextIn(before, words.locale, text) }
    case 'int':
    case 'decimal': {
      const number = readNumber(text, words.locale)
      return number === null ? { fault: { code: 'validation.number', params: { field: name } } } : { value: number }
    }
    case 'bool': {
      const [on, off] = truthWords(name, words)
      if ([on, words.t('action.yes'), 'true', '1'].some((word) => same(word, text))) return { value: true }
      if ([off, words.t('action.no'), 'false', '0'].some((word) => same(word, text))) return { value: false }
      return { fault: { code: 'validation.choice', params: { field: name, values: `${on}, ${off}` } } }
    }
    case 'choice': {
      const wordOf = (code: string) => words.word(choiceLabel(resource, name, code))
      const code = field.values.find((one) => one === text) ?? field.values.find((one) => same(wordOf(one), text))
      if (code !== undefined) return { value: code }
      return {
        fault: { code: 'validation.choice', params: { field: name, values: field.values.map(wordOf).join(', ') } },
      }
    }
    case 'date':
      return { value: readDay(text) }
    case 'relation': {
      const found = words.named(field.target, text)
      const [first] = found
      if (first && found.length === 1) return { value: first }
      return { fault: { code: first ? 'many-names' : 'no-name', params: { name: text } } }
    }
    default:
      return { value: text }
  }
}

/**
 * Reads a pasted text as the value of a field, and checks it as the form does.
 *
 * @param before The value that the cell has: of a translated one the other languages stay.
 */
export function readCell(resource: Resource, name: string, text: string, words: CellWords, before?: unknown): ReadCell {
  const field = resource.fields[name]
  if (!field) return { value: text }
  const trimmed = text.trim()
  const isText = ['text', 'longText', 'email', 'link', 'slug', 'colour'].includes(field.kind)
  const read: ReadCell =
    trimmed === '' && field.kind !== 'translations'
      ? { value: isText ? '' : null }
      : meant(resource, name, field, isText ? text : trimmed, words, before)
  if ('fault' in read) return read
  return checkCell(resource, name, read.value) ?? read
}

/** The check of the form, for a value however it came; undefined when it can be saved. */
export function checkCell(resource: Resource, name: string, value: unknown): { fault: CellFault } | undefined {
  const issue = validateField(resource, name, wireValue(value), 'create')
  return issue && { fault: { code: issue.code, params: issue.params ?? {} } }
}

/** The names of linked records that a block speaks of, by target: they are looked up before it is read. */
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
