/**
 * The week beside the list of work: seven columns, and below them the days to publish or the user's own
 * figures.
 */
import type { HomeDay, HomeWeek } from '@dala/model'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { cx } from '../../lib/class-names.ts'
import { formatDate, formatDuration, formatNumber, formatPercent, type Translate } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { weekdayTexts } from './home-text.ts'

export function WeekSheet({ week, today }: { week: HomeWeek; today: string }) {
  const t = useT()
  const locale = useLocale()
  const id = useId()
  const maxCount = Math.max(1, ...week.days.map(({ count }) => count ?? 0))
  const fillOf = ({ share, count }: HomeDay) => share ?? (count === null ? 0 : (count / maxCount) * 100)
  const valueOf = ({ share, count }: HomeDay) => share ?? count
  return (
    <Sheet aria-labelledby={id}>
      <div className="flex items-baseline justify-between gap-2 px-4 pt-3 pb-2">
        <h2 id={id} className="font-semibold">
          {t(week.of === 'prices' ? 'home.week' : 'home.weekMine')}
        </h2>
        <span className="text-sm text-muted">{t(`home.week.of.${week.of}`)}</span>
      </div>
      <ol className="grid grid-cols-7 gap-1 px-3 pb-2.5 max-md:px-2">
        {week.days.map((day) => {
          const { name, long, day: number } = weekdayTexts(t, day.date)
          const isToday = day.date === today
          const value = valueOf(day)
          return (
            <li
              key={day.date}
              aria-current={isToday ? 'date' : undefined}
              className={cx(
                'grid justify-items-center gap-0.5 rounded-2 pt-1.5 pb-1 text-xs text-muted',
                isToday && 'bg-brand-soft font-semibold text-on-brand-soft',
              )}
            >
              <span aria-hidden>{name}</span>
              <span aria-hidden className={cx('text-md leading-tight', isToday ? '' : 'text-ink')}>
                {number}
              </span>
              <span
                aria-hidden
                className={cx(
                  'mt-[3px] mb-px flex h-[22px] w-[26px] items-end overflow-hidden rounded-1 shadow-[inset_0_0_0_1px_var(--line)]',
                  isToday ? 'bg-surface' : 'bg-[color-mix(in_oklab,var(--line)_40%,var(--surface))]',
                )}
              >
                <span className="w-full bg-brand-ui" style={{ blockSize: `${fillOf(day)}%` }} />
              </span>
              <span aria-hidden className="min-h-[17px] tabular-nums">
                {value === null ? '' : formatNumber(locale, value)}
              </span>
              <span className="sr-only">
                {value === null
                  ? t('home.week.none', { day: long, number })
                  : t(`home.week.value.${week.of}`, { day: long, number, shown: formatNumber(locale, value) })}
              </span>
            </li>
          )
        })}
      </ol>
      {week.unpublished.length > 0 ? (
        <ul className="grid border-t border-line px-4 pt-1.5 pb-2 text-sm">
          {week.unpublished.map(({ date, pricedate }) => (
            <li key={date} className="grid grid-cols-[94px_1fr] gap-2">
              <span className="text-muted">{date === today ? t('home.todaySmall') : formatDate(date)}</span>
              <Link
                to={pricedate === null ? '/app/price-list' : `/app/price-list/${pricedate}`}
                className="min-h-6 hover:text-brand-text hover:underline max-md:min-h-11"
              >
                {t(date === today ? 'home.week.publish' : 'home.week.unpublished')}
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
      {week.figures.length > 0 ? (
        <dl className="grid gap-1 border-t border-line px-4 pt-2 pb-2.5 text-sm">
          {week.figures.map(({ key, unit, value, team }) => (
            <div key={key} className="flex items-baseline justify-between gap-2">
              <dt className="text-muted">{t(`home.figure.${key}`)}</dt>
              <dd className="text-end font-semibold">
                {figureText(t, locale, unit, value)}
                {team === null ? null : (
                  <small className="ms-1 inline-block min-w-[92px] font-normal text-muted">
                    {t('home.figure.team', { value: figureText(t, locale, unit, team) })}
                  </small>
                )}
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </Sheet>
  )
}

/** Figure of the week with its unit; a dash if there are too few cases. */
function figureText(
  t: Translate,
  locale: ReturnType<typeof useLocale>,
  unit: HomeWeek['figures'][number]['unit'],
  value: number | null,
): string {
  if (value === null) return '—'
  const roundedValue = Math.round(value * 10) / 10
  if (unit === 'minutes') return formatDuration(t, value)
  return unit === 'percent' ? formatPercent(locale, roundedValue) : formatNumber(locale, roundedValue)
}
