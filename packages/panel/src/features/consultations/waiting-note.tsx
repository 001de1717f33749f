/**
 * The note at the end of the section menu: how many questions have no answer, how many of them wait long, and
 * a link to them.
 */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Query } from '../../api/query-string.ts'
import { resourceQueries } from '../../api/resource-queries.ts'
import { meQuery } from '../../api/session.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { limitRows } from '../../resource/screen-for-user.ts'
import type { MenuNoteProps } from '../../resource/screen-parts.ts'
import { totalText } from '../../resource/total-text.ts'
import { conditionsOf, type Segment } from './segments.ts'

/** Number of hours after which the wait for an answer counts as long. */
const longWaitHours = 24
const minuteMs = 60_000
const countStaleTime = minuteMs

/** Segment of the consultations that the note links to. */
const shownSegment: Segment = 'unreplayed'

/** Time before which long waits began, in whole minutes, so that the query key is stable for a minute. */
const longWaitLimit = (now: number) =>
  new Date(Math.floor(now / minuteMs) * minuteMs - longWaitHours * 60 * minuteMs).toISOString()

export function WaitingNote({ screen, onGo }: MenuNoteProps) {
  const t = useT()
  const locale = useLocale()
  const now = useNow()
  const { data: me } = useQuery(meQuery)
  const rows = { ...limitRows(screen, me), ...conditionsOf({ show: shownSegment }) }
  const counts = resourceQueries(screen.resource)
  const countOf = (filters: Query) => ({
    ...counts.count({ filters }, locale),
    staleTime: countStaleTime,
    enabled: me !== undefined,
  })
  const { data: waitingTotal } = useQuery(countOf(rows))
  const { data: longWaiting } = useQuery(countOf({ ...rows, createdAt: { $lt: longWaitLimit(now.getTime()) } }))
  if (!waitingTotal || waitingTotal.total === 0) return null
  return (
    <section aria-label={t('consultation.waiting')} className="grid justify-items-start border-t border-line px-3 pt-4">
      <h3 className="text-sm font-semibold">{t('consultation.waiting')}</h3>
      <p className="text-3xl leading-tight font-light tabular-nums">{totalText(locale, waitingTotal)}</p>
      {longWaiting && longWaiting.total > 0 ? (
        <p className="text-sm text-muted">
          {t('consultation.waitingLong', { count: longWaiting.total, hours: longWaitHours })}
        </p>
      ) : null}
      <Link
        to={`/app/${screen.path}`}
        search={{ show: shownSegment }}
        {...(onGo ? { onClick: onGo } : {})}
        className="mt-1.5 inline-flex min-h-6 items-center text-sm font-semibold text-brand-text hover:underline max-md:min-h-11"
      >
        {t('consultation.openQueue')}
      </Link>
    </section>
  )
}
