/** Two versions of a post, or two posts, side by side: a row for each field. */
import type { Locale } from '@dala/model'
import Phone from 'lucide-react/icons/phone'
import type { ReactNode } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { splitAtMarks, textChanges } from '../../../lib/text-changes.ts'

/** Text of a post with framed contacts. */
export function MarkedText({ text, marks }: { text: string; marks: readonly string[] }) {
  const t = useT()
  return splitAtMarks(text, marks).map(({ text: pieceText, isMark }, index) =>
    isMark ? (
      <mark
        // The key of a marked part of a text includes its index, because the same text may occur twice.
        key={`${index}-${pieceText}`}
        className="inline-flex items-center gap-1 rounded-1 bg-warning-soft px-1 text-warning-text shadow-[inset_0_0_0_1px_currentColor]"
      >
        <Phone size={13} aria-hidden />
        <span className="sr-only">{t('moderation.hint.contact')}: </span>
        {pieceText}
      </mark>
    ) : (
      pieceText
    ),
  )
}

export type SideName = 'before' | 'after'

/** Style of a compared value that only one side has. */
export const removedMark = 'rounded-1 bg-danger-soft text-danger-text line-through'
export const addedMark = 'rounded-1 bg-success-soft font-semibold text-success-text'
export const differentMark = 'rounded-1 bg-warning-soft text-warning-text'

interface TextSideProps {
  before: unknown
  after: unknown
  side: SideName
  /** Contacts to frame in the text of this side of the comparison. */
  marks: readonly string[]
  /** Whether the two sides are separate posts: nothing was removed or added. */
  isEqual?: boolean
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Text of one compared side; words that the other side lacks are marked. */
export function TextSide({ before, after, side, marks, isEqual = false }: TextSideProps) {
  const textPieces = textChanges(textOf(before), textOf(after))
  const shownPieces = textPieces.filter(
    ({ kind }) => kind === 'same' || kind === (side === 'before' ? 'removed' : 'added'),
  )
  return (
    <span className="whitespace-pre-line">
      {shownPieces.map(({ text, kind }, index) => {
        const markedText = <MarkedText text={text} marks={marks} />
        const key = `${index}-${kind}`
        if (kind === 'same') return <span key={key}>{markedText}</span>
        if (isEqual)
          return (
            <mark key={key} className={differentMark}>
              {markedText}
            </mark>
          )
        return kind === 'removed' ? (
          <del key={key} className={removedMark}>
            {markedText}
          </del>
        ) : (
          <ins key={key} className={`${addedMark} no-underline`}>
            {markedText}
          </ins>
        )
      })}
    </span>
  )
}

export interface SideRow {
  key: string
  label: ReactNode
  /** Language of the texts on each side of the comparison, if they have one of their own. */
  lang?: Record<SideName, Locale | undefined>
  before: ReactNode
  after: ReactNode
}

export interface SideBySideProps {
  before: ReactNode
  after: ReactNode
  rows: readonly SideRow[]
  /** Whether the first side is an earlier version of the second. */
  isPast?: boolean
}

/** The table of both compared sides; in a narrow window the labels of its rows are above the values. */
export function SideBySide({ before, after, rows, isPast = false }: SideBySideProps) {
  const t = useT()
  return (
    <table className="w-full table-fixed border-collapse text-start text-md">
      <thead className="bg-sunken">
        <tr className="[&>th]:border-b [&>th]:border-line [&>th]:px-3.5 [&>th]:py-2 [&>th]:text-start [&>th]:font-semibold">
          <th scope="col" className="w-[104px] max-md:hidden">
            <span className="sr-only">{t('moderation.field')}</span>
          </th>
          <th scope="col" className={isPast ? 'text-muted' : undefined}>
            {before}
          </th>
          <th scope="col" className="border-s border-line">
            {after}
          </th>
        </tr>
      </thead>
      <tbody className="[&>tr>*]:border-b [&>tr>*]:border-line [&>tr>*]:px-3.5 [&>tr>*]:py-2 [&>tr>*]:align-top">
        {rows.map(({ key, label, lang, before: formerSide, after: changedSide }) => (
          <tr key={key}>
            <th scope="row" className="text-start text-sm font-normal text-muted max-md:hidden">
              {label}
            </th>
            <td lang={lang?.before} className={isPast ? 'text-muted wrap-anywhere' : 'wrap-anywhere'}>
              <span className="block text-xs text-muted md:hidden">{label}</span>
              {formerSide}
            </td>
            <td lang={lang?.after} className="border-s border-line wrap-anywhere">
              <span className="block text-xs text-muted md:hidden">{label}</span>
              {changedSide}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
