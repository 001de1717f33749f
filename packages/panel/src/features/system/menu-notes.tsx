/** Parts of the System page in the section menu: the number of warnings, and the age of the last proved copy. */
import { useQuery } from '@tanstack/react-query'
import { formatDateTime, formatNumber, formatSpan } from '../../lib/format.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { backupsQuery, stateQuery } from './queries.ts'

/** The number of warnings; absent when there is none. */
export function WarningCount() {
  const locale = useLocale()
  const t = useT()
  const { data: state } = useQuery(stateQuery)
  const count = state?.warnings.length ?? 0
  if (count === 0) return null
  return (
    <span className="inline-flex min-w-5 items-center justify-center rounded-full bg-brand px-1.5 text-xs font-semibold text-on-brand tabular-nums">
      <span aria-hidden>{formatNumber(locale, count)}</span>
      <span className="sr-only">{t('system.warningCount', { count })}</span>
    </span>
  )
}

/** The age of the last proved copy, the one figure of the section menu. */
export function ProvedNote() {
  const t = useT()
  const now = useNow()
  const { data: backups } = useQuery(backupsQuery)
  if (!backups) return null
  const { last_proved: proved } = backups.meta
  return (
    <section aria-label={t('system.proved.title')} className="grid justify-items-start border-t border-line px-3 pt-4">
      <h3 className="text-sm font-semibold">{t('system.proved.title')}</h3>
      <p className="text-3xl leading-tight font-light tabular-nums">
        {proved ? formatSpan(t, proved.taken_at, now) : t('system.proved.never')}
      </p>
      {proved ? (
        <p className="text-sm text-muted">
          {t('system.proved.rows', { count: proved.rows, time: formatDateTime(proved.taken_at) })}
        </p>
      ) : null}
    </section>
  )
}
