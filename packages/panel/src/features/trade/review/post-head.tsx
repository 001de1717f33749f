/** Head of a reviewed post: its title, state, wait and hints. */
import { resources } from '@dala/model'
import { Link } from '@tanstack/react-router'
import Copy from 'lucide-react/icons/copy'
import Pencil from 'lucide-react/icons/pencil'
import Phone from 'lucide-react/icons/phone'
import SquarePen from 'lucide-react/icons/square-pen'
import UserCheck from 'lucide-react/icons/user-check'
import { FieldDisplay } from '../../../fields/field-display.tsx'
import { formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { RecordMenu } from '../../../resource/record/menu.tsx'
import { editAddress } from '../../../resource/screen-address.ts'
import { buttonClass } from '../../../ui/button.tsx'
import type { ReviewedPostProps } from './reviewed-post-props.ts'
import { minutesLeft, waitOf, waitText } from './wait.ts'

const { tradinposts } = resources

const chipClass = 'inline-flex items-center gap-1.5 rounded-1 px-2.5 py-1 text-sm font-medium'

/** Head with the title of the reviewed post, its state, and its hints with links. */
export function PostHead({
  screen,
  record,
  review,
  ownClaim,
  wait,
  lang,
  name,
  onCompare,
}: Pick<ReviewedPostProps, 'screen' | 'record' | 'review' | 'ownClaim' | 'wait' | 'lang'> & {
  name: string
  /** Opens the first similar post beside the reviewed one. */
  onCompare: () => void
}) {
  const t = useT()
  const locale = useLocale()
  const now = useNow()
  const { waiting_since: waitingSince } = record
  const waitLabel =
    wait && typeof waitingSince === 'string' ? waitOf(wait.calendar, wait.target, waitingSince, now) : undefined
  const minutesRemaining = ownClaim ? minutesLeft(ownClaim, now) : 0
  return (
    <header className="grid gap-2.5">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h1 lang={lang} className="text-xl leading-tight font-semibold wrap-anywhere">
            {name}
          </h1>
          <p className="mt-0.5 flex flex-wrap gap-x-2 text-sm text-muted">
            <FieldDisplay resource={tradinposts} name="tradingposttype" value={record['tradingposttype']} />
            <span>{t('moderation.number', { id: formatNumber(locale, record.id) })}</span>
            {waitLabel ? (
              <span
                className={
                  waitLabel.state === 'late'
                    ? 'font-semibold text-danger-text'
                    : waitLabel.state === 'soon'
                      ? 'font-semibold text-warning-text'
                      : ''
                }
              >
                {waitText(t, 'moderation.waits', waitLabel)}
                {waitLabel.state === 'late' ? `, ${t('moderation.late')}` : ''}
              </span>
            ) : null}
          </p>
        </div>
        <span className="flex shrink-0 gap-1">
          <Link
            {...editAddress(screen, record.id)}
            aria-label={t('action.edit')}
            data-tip={t('action.edit')}
            className={buttonClass('quiet', 'px-2!')}
          >
            <Pencil size={16} aria-hidden />
          </Link>
          <RecordMenu screen={screen} record={record} name={name} />
        </span>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {review.edit ? (
          <span className={`${chipClass} bg-brand-soft text-on-brand-soft`}>
            <SquarePen size={15} aria-hidden />
            {t(review.edit.state === 'waiting' ? 'moderation.editOfPublic' : 'moderation.editReturned')}
          </span>
        ) : (
          <FieldDisplay resource={tradinposts} name="status" value={record['status']} />
        )}
        {review.contacts.length > 0 ? (
          <span className={`${chipClass} bg-warning-soft text-warning-text`}>
            <Phone size={15} aria-hidden />
            {t('moderation.hint.contact')}
          </span>
        ) : null}
        {review.twins.length > 0 ? (
          <button
            type="button"
            className={`${chipClass} min-h-6 bg-warning-soft text-warning-text pointer-coarse:min-h-11`}
            aria-haspopup="dialog"
            onClick={onCompare}
          >
            <Copy size={15} aria-hidden />
            {t('moderation.hint.twin')}
          </button>
        ) : null}
        {ownClaim ? (
          <span className={`${chipClass} bg-sunken text-muted`}>
            <UserCheck size={15} aria-hidden />
            {t('moderation.yours', { count: minutesRemaining })}
          </span>
        ) : null}
      </div>
    </header>
  )
}
