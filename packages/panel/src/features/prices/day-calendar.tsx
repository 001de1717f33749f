/**
 * Five weeks of price days beside the list: each day shows its mark and links to its table or to a new day.
 */
import type { Entry, Screen } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import CalendarDays from 'lucide-react/icons/calendar-days'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { type KeyboardEvent, useState } from 'react'
import { resourceQueries } from '../../api/resource-queries.ts'
import { cx } from '../../lib/class-names.ts'
import { dayToDate, formatDate, formatList, formatLongDate, formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { newAddress, recordAddress } from '../../resource/screen-address.ts'
import { useMay } from '../../resource/use-may.ts'
import { buttonClass } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Popover } from '../../ui/overlays/popover.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { MarkIcon, marks, MarkLabel, markLabelOf } from './day-mark.tsx'
import { daysAfter, markOf, toCoverage, weeksUpTo } from './day-marks.ts'
import { useToday } from './use-today.ts'

const shownWeeks = 5

/** Query of the price days of a range that have a record, by date. */
function useDays(screen: Screen, from: string, to: string): ReadonlyMap<string, Entry> {
  const locale = useLocale()
  const query = {
    locale,
    fields: ['date', 'state', 'coverage'],
    filters: { date: { $between: [from, to] } },
    pagination: { pageSize: 50, withCount: false },
  }
  const { data } = useQuery(resourceQueries(screen.resource).list(query))
  return new Map((data?.entries ?? []).map((entry) => [String(entry['date']), entry]))
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** The arrow keys move from day to day, as in a calendar; the strip of days is one tab stop. */
function handleArrow(event: KeyboardEvent<HTMLAnchorElement>): void {
  const step = steps[event.key]
  if (step === undefined) return
  const dayStrip = event.currentTarget.closest('[data-strip]')
  const days = [...(dayStrip?.querySelectorAll<HTMLElement>('[data-day]') ?? [])]
  const nextDay = days[days.indexOf(event.currentTarget) + step]
  if (!nextDay) return
  event.preventDefault()
  nextDay.focus()
}

/** Calendar of price days in the column beside the list. */
export function CalendarSheet({ screen }: { screen: Screen }) {
  const t = useT()
  return (
    <Sheet aria-label={t('prices.calendar')} className="p-4">
      <DayCalendar screen={screen} />
    </Sheet>
  )
}

/** Calendar of price days for narrow screens; its button counts the days without prices. */
export function CalendarButton({ screen }: { screen: Screen }) {
  const t = useT()
  const locale = useLocale()
  const { missing } = useToday()
  const label = t('prices.calendarMissing', { count: missing.length })
  return (
    <Popover
      title={t('prices.calendar')}
      trigger={
        <button type="button" aria-label={label} data-tip={label} className={buttonClass('plain')}>
          <CalendarDays size={18} aria-hidden />
          {missing.length > 0 ? (
            <span className="text-sm text-warning-text tabular-nums">{formatNumber(locale, missing.length)}</span>
          ) : null}
        </button>
      }
    >
      {() => <DayCalendar screen={screen} />}
    </Popover>
  )
}

function DayCalendar({ screen }: { screen: Screen }) {
  const t = useT()
  const { now, missing } = useToday()
  const [selectedLast, setLast] = useState<string>()
  const lastDay = selectedLast ?? now
  const weeks = weeksUpTo(lastDay, shownWeeks)
  const allDays = weeks.flat()
  const [from = now, to = now] = [allDays[0], allDays.at(-1)]
  const days = useDays(screen, from, to)
  const tabStop = allDays.includes(now) ? now : from
  return (
    <div className="grid gap-3">
      <div className="flex items-center gap-x-2">
        <h2 className="min-w-0 font-semibold tabular-nums">
          {t('prices.strip', { from: formatDate(from), to: formatDate(to) })}
        </h2>
        <div className="-me-1.5 ms-auto flex">
          <IconButton
            label={t('prices.earlier')}
            icon={<ChevronLeft size={18} aria-hidden className="rtl:rotate-180" />}
            onClick={() => setLast(daysAfter(lastDay, -7 * shownWeeks))}
          />
          <IconButton
            label={t('prices.later')}
            disabled={lastDay >= now && t('prices.noLater')}
            icon={<ChevronRight size={18} aria-hidden className="rtl:rotate-180" />}
            onClick={() => setLast(daysAfter(lastDay, 7 * shownWeeks))}
          />
        </div>
      </div>
      {missing.length > 0 ? (
        <p className="flex items-start gap-2 text-sm text-warning-text">
          <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
          {t('prices.daysMissing', { count: missing.length, days: formatList(t, missing.map(formatDate)) })}
        </p>
      ) : null}
      <div className="grid gap-1" data-strip="">
        {weeks.map((week) => (
          <ul key={week[0]} className="grid grid-cols-7 gap-1">
            {week.map((day) => (
              <li key={day}>
                <DayCell screen={screen} day={day} now={now} record={days.get(day)} isStop={day === tabStop} />
              </li>
            ))}
          </ul>
        ))}
      </div>
      <ul className="grid gap-1 text-sm">
        {marks.map((mark) => (
          <li key={mark}>
            <MarkLabel mark={mark} />
          </li>
        ))}
      </ul>
    </div>
  )
}

interface DayCellProps {
  screen: Screen
  day: string
  now: string
  record: Entry | undefined
  isStop: boolean
}

const cellClass =
  'grid min-h-11 content-center justify-items-center gap-0.5 rounded-2 border text-sm leading-none tabular-nums'

function DayCell({ screen, day, now, record, isStop }: DayCellProps) {
  const t = useT()
  const locale = useLocale()
  const may = useMay(screen.resource)
  const number = dayToDate(day)?.getDate()
  const mark = markOf(record)
  const coverage = toCoverage(record?.['coverage'])
  const name = `${formatLongDate(t, day)}: ${t(markLabelOf(mark))}`
  const messageParams = coverage && {
    filled: formatNumber(locale, coverage.filled),
    all: formatNumber(locale, coverage.expected),
  }
  const label = messageParams ? `${name}, ${t('form.coverage', messageParams)}` : name
  const address = record ? recordAddress(screen, record.id) : newAddress(screen, { date: day })
  // A future day is no link: it has no prices yet, and a user without permission cannot create one.
  if (!record && (day > now || !may('create'))) {
    return (
      <span className={cx(cellClass, 'border-dashed border-line text-muted')}>
        <span className="sr-only">{label}</span>
        <span aria-hidden>{number}</span>
        <span className="size-3.5" />
      </span>
    )
  }
  return (
    <Link
      to={address.to}
      search={address.search}
      data-day=""
      onKeyDown={handleArrow}
      data-tip={label}
      tabIndex={isStop ? 0 : -1}
      aria-label={label}
      aria-current={day === now ? 'date' : undefined}
      className={cx(
        cellClass,
        'hover:bg-hover',
        record ? 'border-line-strong' : 'border-dashed border-line-strong',
        day === now && 'border-2 border-brand-ui font-semibold',
      )}
    >
      {number}
      <MarkIcon mark={mark} size={14} />
    </Link>
  )
}

/** Link "Today" to the price table of the day, or to a new day. */
export function TodayLink({ screen }: { screen: Screen }) {
  const t = useT()
  const may = useMay(screen.resource)
  const { now } = useToday()
  const record = useDays(screen, now, now).get(now)
  if (!record && !may('create')) return null
  const { to, search } = record ? recordAddress(screen, record.id) : newAddress(screen, { date: now })
  return (
    <Link to={to} search={search} className={buttonClass('plain')}>
      {t('date.today')}
    </Link>
  )
}
