/** The public version of a post and the pending edit, side by side: only changed fields. */
import { type EditChange, type Field, isLink, isLocale, type PostReview, resources } from '@dala/model'
import type { ReactNode } from 'react'
import { FieldDisplay, labelOf } from '../../../fields/field-display.tsx'
import { formatDateTime, formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { addedMark, removedMark, SideBySide, type SideName, TextSide } from './side-by-side.tsx'

const { tradinposts } = resources
const postFields: Readonly<Record<string, Field>> = tradinposts.fields

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === null ? [] : [value])
const idOf = (value: unknown) => (typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined)
const nameOf = (value: unknown) =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string' ? value.name : ''

/** Number of a post's pictures, and how many of them are new or removed. */
function PictureCount({ change, side }: { change: EditChange; side: SideName }) {
  const t = useT()
  const [formerPictures, newPictures] = [listOf(change.before), listOf(change.after)]
  const [shownItems, otherItems] = side === 'before' ? [formerPictures, newPictures] : [newPictures, formerPictures]
  const differentCount = shownItems.filter(
    (shownPicture) => !otherItems.some((otherPicture) => idOf(otherPicture) === idOf(shownPicture)),
  ).length
  return (
    <>
      {t('moderation.pictures', { count: shownItems.length })}
      {differentCount > 0 ? (
        <>
          {', '}
          <span className={side === 'before' ? removedMark : addedMark}>
            {t(side === 'before' ? 'moderation.picturesGone' : 'moderation.picturesNew', { count: differentCount })}
          </span>
        </>
      ) : null}
    </>
  )
}

function VersionSide({ change, side, marks }: { change: EditChange; side: SideName; marks: readonly string[] }) {
  const locale = useLocale()
  const field = postFields[change.field]
  const value = change[side]
  const markClass = side === 'before' ? removedMark : addedMark
  if (field?.kind === 'pictures' || field?.kind === 'picture') return <PictureCount change={change} side={side} />
  if (field && isLink(field)) return <span className={markClass}>{nameOf(value) || '—'}</span>
  if (field?.kind === 'text' || field?.kind === 'longText')
    return <TextSide before={change.before} after={change.after} side={side} marks={side === 'after' ? marks : []} />
  const { before, after } = change
  const percent =
    side === 'after' && typeof before === 'number' && typeof after === 'number' && before > 0
      ? Math.round((after / before - 1) * 100)
      : 0
  return (
    <>
      <span className={`${markClass} px-1`}>
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
  /** Version number of the post's public text. */
  since: ReactNode
}

export function Versions({ edit, marks, since }: VersionsProps) {
  const t = useT()
  const materialCount = tradinposts.review?.reviewedFields.length ?? 0
  const unchangedCount = materialCount - new Set(edit.changes.map(({ field }) => field)).size
  return (
    <section aria-labelledby="versions" className="overflow-hidden rounded-2 border border-line">
      <h2 id="versions" className="sr-only">
        {t('moderation.versions')}
      </h2>
      <SideBySide
        isPast
        before={
          <>
            {t('moderation.public')} <span className="ms-1 text-sm font-normal">{since}</span>
          </>
        }
        after={
          <>
            {t('moderation.edited')}{' '}
            <span className="ms-1 text-sm font-normal text-muted">{formatDateTime(edit.at)}</span>
          </>
        }
        rows={edit.changes.map((change) => {
          const lang = isLocale(change.locale) ? change.locale : undefined
          return {
            key: `${change.field}-${change.locale ?? ''}`,
            label: (
              <>
                {labelOf(tradinposts, change.field)}
                {lang ? <span className="ms-1 rounded-1 bg-sunken px-1 text-xs">{lang}</span> : null}
              </>
            ),
            lang: { before: lang, after: lang },
            before: <VersionSide change={change} side="before" marks={marks} />,
            after: <VersionSide change={change} side="after" marks={marks} />,
          }
        })}
      />
      <p className="px-3.5 py-2 text-sm text-muted">{t('moderation.unchanged', { count: unchangedCount })}</p>
    </section>
  )
}
