/** Labels and messages of imports: names of fields, values for display, faults in the user's language. */
import {
  type CallerRole,
  choiceLabel,
  decideAccess,
  type ImportField,
  importFields,
  type ImportFailure,
  type ImportIssue,
  type ImportLink,
  type ImportValue,
  isLinkToDay,
  isImportable,
  labelOfCode,
  localeNames,
  type Locale,
  mayImport,
  type Resource,
  resources,
} from '@dala/model'
import { isMoney, labelOf } from '../../fields/field-display.tsx'
import { findResource } from '../../fields/relation/targets.ts'
import { formatDate, formatList, formatNumber } from '../../lib/format.ts'
import { hasMessage, t, firstTranslation } from '../../lib/i18n.ts'

/** Resources that a user may import, in the order of the menu. */
export const importableFor = (caller: CallerRole): Resource[] =>
  Object.values<Resource>(resources).filter(
    (listedResource) => isImportable(listedResource) && mayImport(listedResource, caller),
  )

/** Resource of an import's kind; undefined if the panel does not know the kind. */
const resourceOfKind = (kind: string | undefined): Resource | undefined => {
  const resource = kind === undefined ? undefined : findResource(kind)
  return resource && isImportable(resource) ? resource : undefined
}

/** Label of the kind of records of an import, in the plural. */
export const kindLabel = (kind: string): string => firstTranslation([`${kind}.many`])

/** Fields of an imported kind by their keys. */
export function fieldsOfKind(kind: string): ReadonlyMap<string, ImportField> {
  const resource = resourceOfKind(kind)
  return new Map(resource ? importFields(resource).map((field) => [field.key, field]) : [])
}

/** Fields of an imported kind that the user may write. */
export function fieldsToWrite(kind: string, caller: CallerRole | undefined): ReadonlyMap<string, ImportField> {
  const fields = fieldsOfKind(kind)
  const resource = resourceOfKind(kind)
  const grant = caller && resource ? decideAccess(resource.access, 'create', caller) : true
  const writableFields = typeof grant === 'object' ? grant.fields : undefined
  if (writableFields === undefined) return fields
  return new Map([...fields].filter(([, { name }]) => name === 'id' || writableFields.includes(name)))
}

/** Heading of a column in the preview, with the language of its field if it has one. */
export function fieldLabel(kind: string, field: ImportField): string {
  const resource = resourceOfKind(kind)
  if (field.key === 'id' || !resource) return t('import.recordNumber')
  const label = labelOf(resource, field.name)
  return field.locale === undefined ? label : `${label} (${localeNames[field.locale]})`
}

export const isLinkValue = (value: unknown): value is ImportLink =>
  typeof value === 'object' && value !== null && 'id' in value && 'name' in value

/** Returns whether the values of a field are figures, which are aligned to the end. */
export const isNumericField = ({ kind }: ImportField): boolean => kind === 'number' || kind === 'id'

/** Text of a value in the preview; empty for an empty cell. */
export function valueText(kind: string, field: ImportField, value: ImportValue | undefined, locale: Locale): string {
  if (value === null || value === undefined) return ''
  if (isLinkValue(value)) return formatDayOrText(field, value.name)
  if (Array.isArray(value)) return formatList(t, (value as readonly (string | ImportLink)[]).map(nameOf))
  if (typeof value === 'boolean') return t(value ? 'action.yes' : 'action.no')
  if (typeof value === 'number') return field.kind === 'id' ? String(value) : formatNumber(locale, value)
  if (typeof value !== 'string') return ''
  const resource = resourceOfKind(kind)
  if (field.kind === 'day') return formatDate(value) || value
  if (field.target !== undefined) return formatDayOrText(field, value)
  if (field.kind === 'choice' && resource) return firstTranslation(choiceLabel(resource, field.name, value))
  return field.kind === 'number' ? amountText(value, locale) : value
}

/** A linked day in the preview is formatted as a date; other records keep their names. */
function formatDayOrText({ target }: ImportField, name: string): string {
  const resource = target === undefined ? undefined : findResource(target)
  return (resource && isLinkToDay(resource) && formatDate(name)) || name
}

const nameOf = (value: string | ImportLink): string => (isLinkValue(value) ? value.name : value)

/** Formats an amount of money, which the server sends as decimal text. */
function amountText(text: string, locale: Locale): string {
  const moneyAmount = Number(text)
  return text.trim() === '' || Number.isNaN(moneyAmount) ? text : formatNumber(locale, moneyAmount)
}

/** Returns whether a column of the preview contains money, for its heading. */
export const isMoneyField = (kind: string, field: ImportField): boolean => {
  const resource = resourceOfKind(kind)
  return resource !== undefined && field.key !== 'id' && isMoney(resource, field.name)
}

interface CodedText {
  code: string
  params: Readonly<Record<string, string | number>>
  message: string
}

function codeText({ code, params, message }: CodedText): string {
  const label = labelOfCode(code)
  return label !== undefined && hasMessage(label) ? t(label, params) : message
}

/** Message of a fault in an imported row, in the user's language. */
export const issueText = (issue: ImportIssue): string => codeText(issue)

const latin = /\p{Script=Latin}/u
const cyrillicPattern = /\p{Script=Cyrillic}/u

/** Maximum number of wrong letters that are named; above it, only the marks in the cell show them. */
const maxNamedModules = 3

/** A text of a file with the positions of its wrong letters: a fault, or an unknown name. */
export interface DoubtfulText {
  value: string | null
  wrong_letters?: readonly number[] | undefined
  code?: string
}

/** Names the letters of a faulty value that are probably wrong; an empty text if there are none. */
export function wrongLetterText({ value, wrong_letters: wrongPositions = [], code }: DoubtfulText): string {
  // The message about a wrong letter in a figure already names the letter.
  if (value === null || code === 'import.letter') return ''
  const letters = [...value]
  const [hasLatin, hasCyrillic] = [latin.test(value), cyrillicPattern.test(value)]
  return wrongPositions
    .slice(0, maxNamedModules)
    .map((index) => {
      const letter = letters[index] ?? ''
      const alphabet = !hasLatin || !hasCyrillic ? 'other' : latin.test(letter) ? 'latin' : 'cyrillic'
      return t(`import.wrongLetter.${alphabet}`, { letter, position: index + 1 })
    })
    .join('. ')
}

/** Suggested value for a fault, with figures formatted for display. */
export function suggestionText(kind: string, { suggestion, field }: ImportIssue, locale: Locale): string {
  const column = field === null ? undefined : fieldsOfKind(kind).get(field)
  const label = suggestion?.label ?? ''
  return column?.kind === 'number' ? amountText(label, locale) : label
}

/** Reason why an import failed or went back to the preview, in the user's language. */
export const failureText = (failure: ImportFailure): string => codeText(failure)

/** Change of a figure in percent with one digit; null where the two values cannot be compared. */
export function changeInPercent(
  formerValue: ImportValue | undefined,
  newValue: ImportValue | undefined,
): number | null {
  const [formerNumber, newNumber] = [formerValue, newValue].map((value) =>
    typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN,
  )
  if (formerNumber === undefined || newNumber === undefined || !(formerNumber > 0) || Number.isNaN(newNumber))
    return null
  return Math.round((newNumber / formerNumber - 1) * 1000) / 10
}

/** Text of a price change in percent: `+3,7 %`, `−52 %`. */
export function changeText(locale: Locale, percent: number): string {
  if (percent === 0) return '0 %'
  const sign = percent > 0 ? '+' : '−'
  return `${sign}${formatNumber(locale, Math.abs(percent))} %`
}

/** Text of a number of seconds: with tenths below ten. */
export const secondsText = (locale: Locale, seconds: number): string =>
  formatNumber(locale, seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds))
