/** Parses the cells of a sheet to values (market §5): an ambiguous cell is a fault, never a guess. */
import {
  choiceLabel,
  type ErrorCode,
  type FaultParams,
  type Field,
  foldCase,
  type ImportField,
  type ImportSuggestion,
  type MessageCandidates,
  type Resource,
  writtenLocales,
} from '@dala/model'
import { labelsOf } from '../../resources/labels.ts'
import { type SheetCell, textOfCell } from './sheet/cells.ts'
import { wrongLetters } from './names/wrong-letters.ts'

/** Fault of a cell of the imported sheet. */
interface CellFault {
  code: ErrorCode
  params?: FaultParams
  suggestion?: ImportSuggestion
  /** Positions of letters in the cell's text that are probably wrong. */
  wrongLetters?: readonly number[]
}

/** Value of an imported cell in the form of a request body, unresolved names of links, or a fault. */
export type ReadValue =
  | { value: string | number | boolean | readonly string[] | null }
  | { names: readonly string[] }
  | { fault: CellFault }

const wrongIssue = (
  code: ErrorCode,
  params: FaultParams = {},
  suggestedText?: string,
  letterPositions: readonly number[] = [],
): ReadValue => ({
  fault: {
    code,
    params,
    ...(suggestedText !== undefined && { suggestion: { value: suggestedText, label: suggestedText } }),
    ...(letterPositions.length > 0 && { wrongLetters: letterPositions }),
  },
})

/** Pattern of spaces between groups of digits, including no-break and narrow ones. */
const spaces = /[\s\u00a0\u202f\u2009']/g
/** Letters that are typed instead of digits, in both alphabets. */
const digitsOfLetters: Readonly<Record<string, string>> = {
  o: '0',
  O: '0',
  о: '0',
  О: '0',
  l: '1',
  I: '1',
  з: '3',
  З: '3',
  б: '6',
  B: '8',
  В: '8',
}

const groupedNumberPattern = /^[+-]?\d{1,3}(?:[\s\u00a0\u202f\u2009']\d{3})+(?:[.,]\d+)?$/

/** Returns the positions of letters instead of digits. */
const digitLetters = (text: string) => [...text].flatMap((letter, index) => (letter in digitsOfLetters ? [index] : []))

/** Parses a number to its JSON text; undefined for any other text. `unclear` has two readings. */
function readNumber(text: string, scale: number): { number: string } | { unclear: string } | undefined {
  const trimmedText = text.trim().replace('\u2212', '-')
  if (/[\s\u00a0\u202f\u2009']/.test(trimmedText) && !groupedNumberPattern.test(trimmedText)) return undefined
  const plainDigits = trimmedText.replace(spaces, '')
  if (/^[+-]?\d+$/.test(plainDigits)) return { number: plainDigits.replace('+', '') }
  const parts = /^([+-]?)([\d.,]+)$/.exec(plainDigits)
  if (!parts) return undefined
  const [, sign = '', digits = ''] = parts
  const signedNumber = (number: string) => ({ number: `${sign === '-' ? '-' : ''}${number}` })
  const lastSeparator = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  const marks = new Set(digits.replace(/\d/g, ''))
  if (marks.size === 2) {
    const [leadingDigits, lastDigits] = [digits.slice(0, lastSeparator), digits.slice(lastSeparator + 1)]
    return /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*$/.test(leadingDigits) && /^\d+$/.test(lastDigits)
      ? signedNumber(`${leadingDigits.replace(/[.,]/g, '')}.${lastDigits}`)
      : undefined
  }
  const groups = digits.split(/[.,]/)
  if (groups.some((group) => group === '')) return undefined
  const looksGrouped = /^\d{1,3}$/.test(groups[0] ?? '') && groups.slice(1).every((group) => group.length === 3)
  if (groups.length > 2) return looksGrouped ? signedNumber(groups.join('')) : undefined
  const decimal = `${groups[0]}.${groups[1]}`
  // A number like `12,500` means twelve thousand five hundred to some writers and twelve and a half to
  // others.
  const isUnclear = looksGrouped && groups[0] !== '0' && scale < 3 && !groupedNumberPattern.test(trimmedText)
  return isUnclear ? { unclear: `${sign === '-' ? '-' : ''}${groups.join('')}` } : signedNumber(decimal)
}

function numberOf(text: string, scale: number): ReadValue {
  const readResult = readNumber(text, scale)
  if (readResult && 'number' in readResult) return { value: Number(readResult.number) }
  if (readResult) return wrongIssue('import.unclear-number', { value: text }, readResult.unclear)
  const letters = [...text.trim()]
  const position = letters.findIndex((letter) => letter in digitsOfLetters)
  const letter = letters[position]
  const mendedResult = readNumber(letters.map((character) => digitsOfLetters[character] ?? character).join(''), scale)
  if (letter !== undefined && /\d/.test(text) && mendedResult && 'number' in mendedResult)
    return wrongIssue('import.letter', { letter, position: position + 1 }, mendedResult.number, digitLetters(text))
  return wrongIssue('validation.number', { value: text })
}

const padTwoDigits = (text: string) => text.padStart(2, '0')
const isDay = (day: string) => {
  const parsedDate = new Date(`${day}T00:00:00.000Z`)
  return !Number.isNaN(parsedDate.getTime()) && parsedDate.toISOString().startsWith(day)
}
/** Serial numbers of spreadsheets that are accepted as days: from 1955 to 2119. */
const daySerials = { first: 20_000, last: 80_000, epoch: Date.UTC(1899, 11, 30) }
const dayLength = 86_400_000

const dayOfSerial = (serialNumber: number) =>
  new Date(daySerials.epoch + Math.floor(serialNumber) * dayLength).toISOString().slice(0, 10)

/** Largest two-digit year of the present century. */
const lastTwoDigitYear = 40

function dayOf(text: string): ReadValue {
  const trimmedText = text.trim()
  if (/^\d{4}-\d{2}-\d{2}$/.test(trimmedText))
    return isDay(trimmedText) ? { value: trimmedText } : wrongIssue('validation.date')
  if (/^\d{5}$/.test(trimmedText)) return dayOfNumber(Number(trimmedText))
  const parts = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?:\s*(?:г|г\.|y|й|ж)\.?)?$/.exec(trimmedText)
  if (!parts) return wrongIssue('validation.date', { value: text })
  const [, firstNumber = '', mark, secondNumber = '', year = ''] = parts
  const wholeYear = year.length === 4 ? year : `${Number(year) < lastTwoDigitYear ? '20' : '19'}${year}`
  const day = `${wholeYear}-${padTwoDigits(secondNumber)}-${padTwoDigits(firstNumber)}`
  if (!isDay(day)) return wrongIssue('validation.date', { value: text })
  const writtenDate = `${padTwoDigits(firstNumber)}.${padTwoDigits(secondNumber)}.${wholeYear}`
  // Some writers of days with slashes put the month first; a year of two digits is ambiguous as well.
  const isSwappable =
    mark === '/' && Number(firstNumber) <= 12 && Number(secondNumber) <= 12 && firstNumber !== secondNumber
  return year.length === 4 && !isSwappable
    ? { value: day }
    : wrongIssue('import.unclear-date', { value: text }, writtenDate)
}

function dayOfNumber(number: number): ReadValue {
  return number >= daySerials.first && number < daySerials.last
    ? { value: dayOfSerial(number) }
    : wrongIssue('validation.date', { value: String(number) })
}

const foldCellText = (text: string) => foldCase(text.trim().replace(/\s+/g, ' '))

/** Returns the labels of a value in the four languages and both scripts. */
const wordsIn = (keys: MessageCandidates): string[] =>
  writtenLocales.flatMap((locale) => {
    const labels: Readonly<Record<string, string>> = labelsOf(locale)
    const key = keys.find((candidate) => Object.hasOwn(labels, candidate))
    return key === undefined ? [] : [labels[key] ?? '']
  })

const booleanTexts = [
  ['action.yes', ['true', '1', '+', 'yes'], true],
  ['action.no', ['false', '0', '-', 'no'], false],
] as const

let booleanWords: ReadonlyMap<string, boolean> | undefined

/** Returns the value of a word for yes or no; the words are read at first use, as labels are. */
function booleanOf(word: string): boolean | undefined {
  booleanWords ??= new Map(
    booleanTexts.flatMap(([key, texts, value]) =>
      [...texts, ...wordsIn([key])].map((labelText) => [foldCellText(labelText), value] as const),
    ),
  )
  return booleanWords.get(foldCellText(word))
}

const choiceCache = new WeakMap<Field, ReadonlyMap<string, string>>()

/** Maps the codes of a choice and their labels in all languages to the codes. */
function choicesOf(resource: Resource, name: string, field: Field): ReadonlyMap<string, string> {
  const cachedChoices = choiceCache.get(field)
  if (cachedChoices) return cachedChoices
  const codes = 'values' in field ? field.values : []
  const choiceByWord = new Map(
    codes.flatMap((code) =>
      [code, ...wordsIn(choiceLabel(resource, name, code))].map(
        (labelText) => [foldCellText(labelText), code] as const,
      ),
    ),
  )
  choiceCache.set(field, choiceByWord)
  return choiceByWord
}

/** Removes the apostrophe that our exports put before texts that a spreadsheet would evaluate. */
const withoutApostrophe = (text: string) => (/^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text)

const splitList = (text: string) =>
  text
    .split(/[;\n]/)
    .map((listItem) => listItem.trim())
    .filter((listItem) => listItem !== '')

/** Returns the number of decimals of an imported field. */
const decimalsOfField = (field: Field | undefined) => (field?.kind === 'decimal' ? field.digits[1] : 0)

/**
 * Parses an imported cell, or a text that was typed instead of it.
 *
 * @param resource - The imported resource.
 * @param column - The field of the column.
 * @param cell - The content of the cell.
 * @returns The value, null for an empty cell.
 */
export function readValue(resource: Resource, column: ImportField, cell: SheetCell | undefined): ReadValue {
  if (cell === undefined || cell === null) return { value: null }
  if (typeof cell === 'object') {
    if ('error' in cell) return wrongIssue('import.cell', { error: cell.error })
    if ('formula' in cell) return wrongIssue('import.formula')
    if ('merged' in cell) {
      const text = textOfCell(cell.value)
      return text === '' ? { value: null } : wrongIssue('import.merged', { cell: cell.merged }, text)
    }
  }
  const text = textOfCell(cell).trim()
  if (text === '') return { value: null }
  const field: Field | undefined = resource.fields[column.name]
  switch (column.kind) {
    case 'id':
      return /^#?\d{1,9}$/.test(text)
        ? { value: Number(text.replace('#', '')) }
        : wrongIssue('validation.number', { value: text })
    case 'number':
      if (typeof cell === 'object') return wrongIssue('validation.number', { value: text })
      return typeof cell === 'number' ? { value: cell } : numberOf(text, decimalsOfField(field))
    case 'day':
      if (typeof cell === 'object') return { value: new Date(cell.at).toISOString().slice(0, 10) }
      return typeof cell === 'number' ? dayOfNumber(cell) : dayOf(text)
    case 'yesNo': {
      const booleanValue = typeof cell === 'boolean' ? cell : booleanOf(text)
      return booleanValue === undefined ? wrongIssue('validation.boolean', { value: text }) : { value: booleanValue }
    }
    case 'choice': {
      const code = field && choicesOf(resource, column.name, field).get(foldCellText(text))
      const values = column.values?.join(', ') ?? ''
      return code === undefined
        ? wrongIssue('validation.choice', { values, value: text }, undefined, wrongLetters(text))
        : { value: code }
    }
    case 'words':
      return { value: splitList(withoutApostrophe(text)) }
    case 'link':
      return { names: [withoutApostrophe(text)] }
    case 'links':
      return { names: [...new Set(splitList(withoutApostrophe(text)))] }
    case 'text':
      return { value: withoutApostrophe(text) }
  }
}
