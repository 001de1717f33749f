/**
 * A condition of a filter and its spelling in the address: `district`, `draft.published`, `5..10`,
 * `2026-01-01..`, `*water*` (contains), `wat*` (begins with), `*` (has a value), `-` (has none). A spelling
 * that the filter does not support is no condition.
 */
import { isLocale, isStorable, maxInteger } from '@dala/model'
import { parseDate, formatDate } from '../../lib/format.ts'
import type { Filter } from './filter.ts'

export type Condition =
  | { is: 'empty' | 'filled' }
  | { is: 'equal' | 'contains' | 'starts'; text: string }
  /** Range of numbers or days in a filter, both ends included; at least one end is set. */
  | { is: 'range'; from?: string; to?: string }
  | { is: 'anyOf'; values: readonly string[] }

const maxTextLength = 200
/** Maximum number of values in one list that the server accepts (contract §6). */
const maxValues = 100

const isNumber = (text: string) => /^-?\d{1,15}(\.\d{1,6})?$/.test(text)
const isWhole = (text: string) => /^-?\d{1,15}$/.test(text)
/** Returns whether a text is an existing calendar day, `2026-03-01`. */
const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && parseDate(formatDate(text)) === text
const isId = (text: string) => /^[1-9]\d{0,9}$/.test(text) && Number(text) <= maxInteger

/** Reads a condition of a filter; undefined when the text has no meaning for the filter. */
export function readCondition(filter: Filter, text: string): Condition | undefined {
  if (text === '-' || text === '*') {
    return filter.isOptional ? { is: text === '-' ? 'empty' : 'filled' } : undefined
  }
  switch (filter.kind) {
    case 'text':
      return readText(text)
    case 'number':
      return readRange(
        text,
        filter.isInteger ? isWhole : isNumber,
        (rangeStart, rangeEnd) => Number(rangeStart) <= Number(rangeEnd),
      )
    case 'day':
    case 'moment':
      return readRange(text, isDay, (rangeStart, rangeEnd) => rangeStart <= rangeEnd)
    case 'choice':
      return readList(text, (value) => filter.values?.includes(value) ?? false)
    case 'truth':
      return text === 'true' || text === 'false' ? { is: 'anyOf', values: [text] } : undefined
    case 'link':
      return readList(text, isId)
    case 'language':
      return isLocale(text) ? { is: 'anyOf', values: [text] } : undefined
    case 'presence':
      return undefined
  }
}

/** Spelling of a filter's condition in the address; `readCondition` reads it back. */
export function writeCondition(condition: Condition): string {
  switch (condition.is) {
    case 'empty':
      return '-'
    case 'filled':
      return '*'
    case 'equal':
      return condition.text === '-' ? String.raw`\-` : escapeText(condition.text)
    case 'contains':
      return `*${escapeText(condition.text)}*`
    case 'starts':
      return `${escapeText(condition.text)}*`
    case 'range': {
      const { from = '', to = '' } = condition
      return from === to ? from : `${from}..${to}`
    }
    case 'anyOf':
      return condition.values.join('.')
  }
}

const escapeText = (text: string) => text.replace(/[\\*]/g, String.raw`\$&`)

/** Text between the stars of a condition; a backslash escapes a star or a backslash in it. */
function readText(text: string): Condition | undefined {
  const [, leadingStar, literal = '', trailingStar] = /^(\*?)((?:[^*\\]|\\.)*)(\*?)$/su.exec(text) ?? []
  const unescapedText = literal.replace(/\\(.)/gsu, '$1')
  if (
    leadingStar === undefined ||
    unescapedText.trim() === '' ||
    unescapedText.length > maxTextLength ||
    !isStorable(unescapedText)
  )
    return undefined
  if (leadingStar && !trailingStar) return undefined
  return { is: leadingStar ? 'contains' : trailingStar ? 'starts' : 'equal', text: unescapedText }
}

function readRange(
  text: string,
  isValue: (text: string) => boolean,
  isInOrder: (rangeStart: string, rangeEnd: string) => boolean,
): Condition | undefined {
  if (isValue(text)) return { is: 'range', from: text, to: text }
  const rangeEnds = text.split('..')
  const [rangeStart = '', rangeEnd = ''] = rangeEnds
  if (rangeEnds.length !== 2 || (rangeStart === '' && rangeEnd === '')) return undefined
  if ((rangeStart !== '' && !isValue(rangeStart)) || (rangeEnd !== '' && !isValue(rangeEnd))) return undefined
  if (rangeStart !== '' && rangeEnd !== '' && !isInOrder(rangeStart, rangeEnd)) return undefined
  return { is: 'range', ...(rangeStart !== '' && { from: rangeStart }), ...(rangeEnd !== '' && { to: rangeEnd }) }
}

/** Known values of a list in a filter; a code that the model no longer has is dropped. */
function readList(text: string, isValue: (text: string) => boolean): Condition | undefined {
  const values = [...new Set(text.split('.').filter(isValue))].slice(0, maxValues)
  return values.length > 0 ? { is: 'anyOf', values } : undefined
}
