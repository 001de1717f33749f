/** The public version of a post and the edit that waits, side by side: only what changed. */
import { type EditChange, isLink, type PostReview, resources, type Field, isLocale } from '@dala/model'
import Phone from 'lucide-react/icons/phone'
import type { ReactNode } from 'react'
import { FieldDisplay, labelOf } from '../../../fields/field-display.tsx'
import { formatDateTime, formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { cutAt, textChanges } from './text-changes.ts'

const { tradinposts } = resources
const fields: Readonly<Record<string, Field>> = tradinposts.fields

/** Contacts in a text, framed. */
export function MarkedText({ text, marks }: { text: string; marks: readonly string[] }) {
  const t = useT()
  return cutAt(text, marks).map(({ text: part, isMark }, index) =>
    isMark ? (
      <mark
        // The same text may be there twice; its place is its key.
        key={`${index}-${part}`}
        className="inline-flex items-center gap-1 rounded-1 bg-warning-soft px-1 text-warning-text shadow-[inset_0_0_0_1px_currentColor]"
      >
        <Phone size={13} aria-hidden />
        <span className="sr-only">{t('moderation.hint.contact')}: </span>
        {part}
      </mark>
    ) : (
      part
    ),
  )
}

const old = 'rounded-1 bg-danger-soft text-danger-text line-through'
const fresh = 'rounded-1 bg-success-soft font-semibold text-success-text'

function ChangedText({
  change,
  side,
  marks,
}: {
  change: EditChange
  side: 'before' | 'after'
  marks: readonly string[]
}) {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
  const pieces = textChanges(textOf(change.before), textOf(change.after))
  const shown = pieces.filter(({ kind }) => kind === 'same' || kind === (side === 'before' ? 'removed' : 'added'))
  return (
    <span className="whitespace-pre-line">
      {shown.map(({ text, kind }, index) => {
        const words = <MarkedText text={text} marks={side === 'after' ? marks : []} />
        const key = `${index}-${kind}`
        if (kind === 'removed')
          return (
            <del key={key} className={old}>
              {words}
            </del>
          )
        return kind === 'added' ? (
          <ins key={key} className={`${fresh} no-underline`}>
            {words}
          </ins>
        ) : (
          <span key={key}>{words}</span>
        )
      })}
    </span>
  )
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === null ? [] : [value])
const idOf = (value: unknown) => (typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined)
const nameOf = (value: unknown) =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string' ? value.name : ''

/** How many pictures there are, and how many of them are new or gone. */
function PictureCount({ change, side }: { change: EditChange; side: 'before' | 'after' }) {
  const t = useT()
  const [before, after] = [listOf(change.before), listOf(change.after)]
  const [shown, others] = side === 'before' ? [before, after] : [after, before]
  const different = shown.filter((one) => !others.some((other) => idOf(other) === idOf(one))).length
  return (
    <>
      {t('moderation.pictures', { count: shown.length })}
      {different > 0 ? (
        <>
          {', '}
          <span className={side === 'before' ? old : fresh}>
            {t(side === 'before' ? 'moderation.picturesGone' : 'moderation.picturesNew', { count: different })}
          </span>
        </>
      ) : null}
    </>
  )
}

function Side({ change, side, marks }: { change: EditChange; side: 'before' | 'after'; marks: readonly string[] }) {
  const locale = useLocale()
  const field = fields[change.field]
  const value = change[side]
  const look = side === 'before' ? old : fresh
  if (field?.kind === 'pictures' || field?.kind === 'picture') return <PictureCount change={change} side={side} />
  if (field && isLink(field)) return <span className={look}>{nameOf(value) || '—'}</span>
  if (field?.kind === 'text' || field?.kind === 'longText')
    return <ChangedText change={change} side={side} marks={marks} />
  const { before, after } = change
  const percent =
    side === 'after' && typeof before === 'number' && typeof after === 'number' && before > 0
      ? Math.round((after / before - 1) * 100)
      : 0
  return (
    <>
      <span className={`${look} px-1`}>
        <FieldDisplay resource={tradinposts} name={change.field} value={value} />
      </span>
      {percent === 0 ? null : (
        <span className="ms-1.5 font-medium text-warning-text" dir="ltr">
          {percent > 0 ? '+' : '−'}
          {formatNumber(locale, Math.abs(percent))} %
        </span>
      )}
    </>
  )
}

export interface VersionsProps {
  edit: NonNullable<PostReview['edit']>
  marks: readonly string[]
  /** The public version. */
  since: ReactNode
}

export function Versions({ edit, marks, since }: VersionsProps) {
  const t = useT()
  const material = tradinposts.review?.material.length ?? 0
  const rest = material - new Set(edit.changes.map(({ field }) => field)).size
  return (
    <section aria-labelledby="versions" className="overflow-hidden rounded-2 border border-line">
      <h2 id="versions" className="sr-only">
        {t('moderation.versions')}
      </h2>
      <table className="w-full table-fixed border-collapse text-start text-md">
        <thead className="bg-sunken">
          <tr className="[&>th]:border-b [&>th]:border-line [&>th]:px-3.5 [&>th]:py-2 [&>th]:text-start [&>th]:font-semibold">
            <th scope="col" className="w-[104px] max-md:hidden">
              <span className="sr-only">{t('moderation.field')}</span>
            </th>
            <th scope="col" className="text-muted">
              {t('moderation.public')} <span className="ms-1 text-sm font-normal">{since}</span>
            </th>
            <th scope="col" className="border-s border-line">
              {t('moderation.edited')}{' '}
              <span className="ms-1 text-sm font-normal text-muted">{formatDateTime(edit.at)}</span>
            </th>
          </tr>
        </thead>
        <tbody className="[&>tr>*]:border-b [&>tr>*]:border-line [&>tr>*]:px-3.5 [&>tr>*]:py-2 [&>tr>*]:align-top">
          {edit.changes.map((change) => {
            const lang = isLocale(change.locale) ? change.locale : undefined
            const label = labelOf(tradinposts, change.field)
            return (
              <tr key={`${change.field}-${change.locale ?? ''}`}>
                <th scope="row" className="text-start text-sm font-normal text-muted max-md:hidden">
                  {label}
                  {lang ? <span className="ms-1 rounded-1 bg-sunken px-1 text-xs">{lang}</span> : null}
                </th>
                <td lang={lang} className="text-muted wrap-anywhere">
                  <span className="block text-xs md:hidden">{label}</span>
                  <Side change={change} side="before" marks={marks} />
                </td>
                <td lang={lang} className="border-s border-line wrap-anywhere">
                  <span className="block text-xs text-muted md:hidden">{label}</span>
                  <Side change={change} side="after" marks={marks} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p className="px-3.5 py-2 text-sm text-muted">{t('moderation.unchanged', { count: rest })}</p>
    </section>
  )
}
