/** Shows a field's value in a list or a card, by the display name of its kind. */
import {
  type Entry,
  fieldLabel,
  type Locale,
  componentsOf,
  readTranslations,
  type Resource,
  type Translations,
  choiceLabel,
} from '@dala/model'
import { formatDate, formatDateTime, formatList, formatNumber, formatPercent, type Translate } from '../lib/format.ts'
import { firstTranslation, useLocale, useT } from '../lib/i18n.ts'
import { StatusChip } from '../ui/feedback/status-chip.tsx'
import { StatusDot } from '../ui/feedback/status-dot.tsx'
import { CoverPicture } from './picture/cover.tsx'
import { toneOf } from './status-tones.ts'
import { resourceNamed } from './relation/targets.ts'

/**
 * Columns that are aligned to the inline end, so that figures can be compared. A column that names its row is
 * never aligned so.
 */
export function isEndAligned(resource: Resource, name: string): boolean {
  if (name === resource.title) return false
  const display = displayOf(resource, name)
  return display === 'number' || display === 'date' || display === 'dateTime'
}

/** The display name of a column; system columns are moments and numbers. */
function displayOf(resource: Resource, name: string): string {
  const field = resource.fields[name]
  if (field) return componentsOf(field).display
  return name === 'id' ? 'number' : name === 'createdAt' || name === 'updatedAt' ? 'dateTime' : 'none'
}

const unitOf = ({ fields }: Resource, name: string) => {
  const field = fields[name]
  return field && 'unit' in field ? field.unit : undefined
}

/** Returns whether a column contains an amount of money. */
export const isMoney = (resource: Resource, name: string): boolean => unitOf(resource, name) === 'money'

/** Whether the values of a choice are states: the declaration has transitions for it, or its name says so. */
function isState({ fields }: Resource, name: string): boolean {
  const field = fields[name]
  return name === 'state' || name === 'status' || (field !== undefined && 'transitions' in field)
}

/** Label of a column in the user's language. */
export function labelOf(resource: Resource, name: string): string {
  return firstTranslation(fieldLabel(resource, name))
}

/** Returns whether a value is a populated record. */
export function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'id' in value
}

const isTranslations = (value: unknown): value is Translations | string =>
  typeof value === 'string' || (typeof value === 'object' && value !== null && !Array.isArray(value))

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Rich text as plain text, for lists: the markup is removed, never rendered. */
function plainText(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent
}

/** Fields that name a record of a resource. */
export function namingFields({ title, titleFields = [], titleChoice }: Resource): string[] {
  return [title, ...titleFields, ...(titleChoice ? [titleChoice] : [])]
}

/** The text that names a record of a resource, in the user's language. */
export function titleText(resource: Resource, entry: Entry, locale: Locale, t: Translate): string {
  const code = resource.titleChoice && entry[resource.titleChoice]
  if (resource.titleChoice && typeof code === 'string')
    return firstTranslation(choiceLabel(resource, resource.titleChoice, code))
  const parts: unknown[] = (resource.titleFields ?? []).map((name) => entry[name])
  const joinedNames = parts.filter((namePart) => typeof namePart === 'string' && namePart !== '').join(' ')
  const value = joinedNames || entry[resource.title]
  if (displayOf(resource, resource.title) === 'date' && typeof value === 'string') return formatDate(value)
  if (displayOf(resource, resource.title) === 'dateTime' && typeof value === 'string') return formatDateTime(value)
  const text = isTranslations(value) ? readTranslations(value, locale) : null
  if (text !== null && displayOf(resource, resource.title) === 'date') return formatDate(text)
  return text ?? t('record.untitled', { id: formatNumber(locale, entry.id) })
}

/** Returns the function `titleOf` for the user's language. */
export function useTitleOf(resource: Resource): (entry: Entry) => string {
  const locale = useLocale()
  const t = useT()
  return (entry) => titleText(resource, entry, locale, t)
}

export interface FieldDisplayProps {
  resource: Resource
  name: string
  value: unknown
  /** The related record that gives the value its meaning, such as the currency of a price. */
  entry?: Entry | undefined
}

export function FieldDisplay({ resource, name, value, entry }: FieldDisplayProps) {
  const t = useT()
  const locale = useLocale()
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  if (value === null || value === undefined || value === '') return <span className="text-muted">—</span>
  switch (displayOf(resource, name)) {
    case 'bool':
      if (name === 'active') return <StatusDot active={value === true} />
      return t(value === true ? 'action.yes' : 'action.no')
    case 'number':
      return <FormattedNumber resource={resource} name={name} number={Number(value)} currency={entry?.currency} />
    case 'date':
      return <time className="tabular-nums">{formatDate(text)}</time>
    case 'dateTime':
      return <time className="tabular-nums">{formatDateTime(text)}</time>
    case 'choice':
      return isState(resource, name) ? (
        <StatusChip tone={toneOf(text)}>{firstTranslation(choiceLabel(resource, name, text))}</StatusChip>
      ) : (
        firstTranslation(choiceLabel(resource, name, text))
      )
    case 'translations':
      return isTranslations(value) ? readTranslations(value, locale) : null
    case 'colour':
      return <ColourSwatch colour={text} />
    case 'code':
    case 'email':
      return <bdi dir="ltr">{text}</bdi>
    case 'link':
      return (
        // A web address may break after any letter, but its column never narrows to one letter.
        <bdi dir="ltr" className="inline-block min-w-[20ch] break-all">
          {text.replace(/^https?:\/\//, '')}
        </bdi>
      )
    case 'rich':
      return <span className="line-clamp-2">{plainText(text)}</span>
    case 'longText':
      return <span className="line-clamp-2">{text}</span>
    case 'json':
      return <JsonItems value={value} />
    case 'related':
    case 'relatedList':
      return <RelatedRecords resource={resource} name={name} value={value} t={t} />
    case 'picture':
      return <CoverPicture file={value} width={40} className="size-10 rounded-2" />
    case 'pictures':
      return <CoverPicture file={listOf(value)[0]} width={40} className="size-10 rounded-2" />
    default:
      // A phone number runs from left to right, on one line.
      return name === 'phone' || name === 'fax' ? (
        <bdi dir="ltr" className="whitespace-nowrap">
          {text}
        </bdi>
      ) : (
        text
      )
  }
}

function ColourSwatch({ colour }: { colour: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      <i
        aria-hidden
        className="size-4 rounded-1 border border-line-strong bg-[var(--swatch)]"
        style={{ '--swatch': colour }}
      />
      <bdi dir="ltr">{colour}</bdi>
    </span>
  )
}

function RelatedRecords({ resource, name, value, t }: FieldDisplayProps & { t: Translate }) {
  const field = resource.fields[name]
  const target = field && 'target' in field ? resourceNamed(field.target) : resource
  const titleOf = useTitleOf(target)
  const entries = (Array.isArray(value) ? value : [value]).filter(isEntry)
  return <>{formatList(t, entries.map(titleOf))}</>
}

function FormattedNumber({ resource, name, number, currency }: NumberProps) {
  const t = useT()
  const locale = useLocale()
  const unit = unitOf(resource, name)
  if (unit === 'percentAYear') return <span className="tabular-nums">{formatPercent(locale, number)}</span>
  return (
    <span className="tabular-nums">
      {formatNumber(locale, number)}
      {unit === 'money' && typeof currency === 'string' && currency ? (
        <>
          {' '}
          <bdi className="text-sm text-muted">{currency}</bdi>
        </>
      ) : null}
      {unit === 'minutes' || unit === 'months' || unit === 'years'
        ? `\u00a0${t(`unit.after.${unit}`, { count: number })}`
        : null}
    </span>
  )
}

interface NumberProps {
  resource: Resource
  name: string
  number: number
  currency: unknown
}

/** An object as a value has no text of its own, but a list of texts has. */
function JsonItems({ value }: { value: unknown }) {
  const t = useT()
  const items: unknown[] = Array.isArray(value) ? value : []
  return (
    <>
      {formatList(
        t,
        items.filter((listItem) => typeof listItem === 'string'),
      )}
    </>
  )
}
