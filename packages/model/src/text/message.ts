/** Fills the messages of the catalogues where no library does: in letters, files and pages of the server. */
import { formatNumber } from './format.ts'
import type { WrittenLocale } from './script/scripts.ts'

type Values = Readonly<Record<string, string | number>>

/** Returns the plural form of a number; kaa is not in CLDR and distinguishes one from other, as uz does. */
function pluralForm(locale: WrittenLocale, value: number): string {
  if (locale !== 'ru') return value === 1 ? 'one' : 'other'
  if (!Number.isInteger(value)) return 'other'
  const [units, tens] = [Math.abs(value) % 10, Math.abs(value) % 100]
  if (units === 1 && tens !== 11) return 'one'
  return units >= 2 && units <= 4 && (tens < 12 || tens > 14) ? 'few' : 'many'
}

/** Returns the place of the brace that closes the one at `open`. */
export function findClosingBrace(message: string, openBrace: number): number {
  let depth = 0
  for (let position = openBrace; position < message.length; position += 1) {
    if (message[position] === '{') depth += 1
    if (message[position] === '}') depth -= 1
    if (depth === 0) return position
  }
  throw new Error(`The message has an open brace: ${message}`)
}

/** Returns the cases of a plural by their keys. */
function casesOf(text: string): Map<string, string> {
  const cases = new Map<string, string>()
  for (let openBrace = text.indexOf('{'), start = 0; openBrace !== -1; openBrace = text.indexOf('{', start)) {
    const end = findClosingBrace(text, openBrace)
    cases.set(text.slice(start, openBrace).trim(), text.slice(openBrace + 1, end))
    start = end + 1
  }
  return cases
}

function fillMessage(message: string, locale: WrittenLocale, values: Values, count?: number): string {
  let text = ''
  let start = 0
  const fillCount = (literalText: string) =>
    count === undefined ? literalText : literalText.replaceAll('#', formatNumber(locale, count))
  for (let openBrace = message.indexOf('{'); openBrace !== -1; openBrace = message.indexOf('{', start)) {
    const end = findClosingBrace(message, openBrace)
    const [name = '', kind] = message
      .slice(openBrace + 1, end)
      .split(',', 2)
      .map((token) => token.trim())
    text += fillCount(message.slice(start, openBrace))
    if (kind === undefined) text += String(values[name] ?? '')
    else {
      const cases = casesOf(message.slice(message.indexOf(',', message.indexOf(',', openBrace) + 1) + 1, end))
      const value = Number(values[name])
      const chosenCase = cases.get(`=${value}`) ?? cases.get(pluralForm(locale, value)) ?? cases.get('other') ?? ''
      text += fillMessage(chosenCase, locale, values, value)
    }
    start = end + 1
  }
  return text + fillCount(message.slice(start))
}

/**
 * Fills a message of a catalogue: placeholders and plurals. `{shown}` is the formatted `count`.
 *
 * @example
 * formatMessage('{count, plural, one {# day} other {# days}}', 'en', { count: 5 }) // '5 days'
 */
export function formatMessage(message: string, locale: WrittenLocale, values: Values = {}): string {
  if (!message.includes('{')) return message
  const { count } = values
  return fillMessage(
    message,
    locale,
    typeof count === 'number' ? { shown: formatNumber(locale, count), ...values } : values,
  )
}
