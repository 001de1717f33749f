/** A figure by hour and weekday: 24 by 7 squares that grow with the number of cases, and arrow keys walk them. */
import { dimensionLabel, metricLabel, type ReportKey, type ReportMatrix } from '@dala/model'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { formatNumber, weekdayNames } from '../../../lib/format.ts'
import { firstTranslation, useLocale, useT } from '../../../lib/i18n.ts'
import { DrawnOrTable } from './drawn-or-table.tsx'
import { PlainTable } from './plain-table.tsx'
import { StepSquare, StepLegend } from './step-legend.tsx'
import { levelOf, type Step, stepsOf } from './steps.ts'

const hours = Array.from({ length: 24 }, (_, hour) => hour)
const weekdays = [1, 2, 3, 4, 5, 6, 7]
const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`

interface Place {
  weekday: number
  hour: number
}

/** Place that an arrow key leads to; undefined for other keys. */
function placeAfter(key: string, { weekday, hour }: Place): Place | undefined {
  const steps: Readonly<Record<string, Place>> = {
    ArrowLeft: { weekday, hour: Math.max(0, hour - 1) },
    ArrowRight: { weekday, hour: Math.min(23, hour + 1) },
    ArrowUp: { weekday: Math.max(1, weekday - 1), hour },
    ArrowDown: { weekday: Math.min(7, weekday + 1), hour },
    Home: { weekday, hour: 0 },
    End: { weekday, hour: 23 },
  }
  return steps[key]
}

export function HeatMap({ report, matrix }: { report: ReportKey; matrix: ReportMatrix }) {
  const t = useT()
  const locale = useLocale()
  const { dim, metric, rows } = matrix
  const name = t('statistics.tableName', {
    name: firstTranslation(metricLabel(report, metric)),
    dim: firstTranslation(dimensionLabel(dim)),
  })
  const names = weekdayNames(t)
  const text = (value: number) => formatNumber(locale, value)
  const hourText = ({ weekday, hour }: Place) =>
    t('statistics.hourOf', { weekday: names[weekday - 1] ?? '', from: clock(hour), to: clock((hour + 1) % 24) })
  const valueOf = (weekHour: Place) =>
    rows.find(({ weekday, hour }) => weekday === weekHour.weekday && hour === weekHour.hour)?.value ?? 0
  const peakRow = rows.reduce<ReportMatrix['rows'][number] | undefined>(
    (highestRow, row) => (highestRow === undefined || row.value > highestRow.value ? row : highestRow),
    undefined,
  )
  const total = rows.reduce((sum, { value }) => sum + value, 0)
  const summary = peakRow
    ? t('statistics.heatSummary', { name, most: text(peakRow.value), hour: hourText(peakRow), total: text(total) })
    : ''
  return (
    <DrawnOrTable
      report={report}
      metric={metric}
      name={name}
      isEmpty={peakRow === undefined}
      drawing={
        <HeatGrid
          name={name}
          summary={summary}
          start={peakRow ?? { weekday: 1, hour: 9 }}
          valueOf={valueOf}
          steps={stepsOf(rows.map(({ value }) => value))}
          cellText={(weekHour) =>
            t('statistics.hourValue', { hour: hourText(weekHour), value: text(valueOf(weekHour)) })
          }
        />
      }
      table={
        <PlainTable
          name={name}
          headings={[t('field.time'), ...names]}
          rows={hours.map((hour) => ({
            key: clock(hour),
            head: `${clock(hour)}–${clock((hour + 1) % 24)}`,
            cells: weekdays.map((weekday) => text(valueOf({ weekday, hour }))),
          }))}
        />
      }
    />
  )
}

interface HeatGridProps {
  name: string
  summary: string
  /** Place that the keyboard enters first: the one with the most cases. */
  start: Place
  valueOf: (place: Place) => number
  cellText: (place: Place) => string
  steps: readonly Step[]
}

function HeatGrid({ name, summary, start, valueOf, cellText, steps }: HeatGridProps) {
  const t = useT()
  const summaryId = useId()
  const grid = useRef<HTMLTableElement>(null)
  const [focusedHour, setFocusedHour] = useState<Place>(start)
  const shortWeekdays = weekdayNames(t, 'short')
  const isAtPlace = ({ weekday, hour }: Place) => weekday === focusedHour.weekday && hour === focusedHour.hour
  const walkPlaces = (event: KeyboardEvent) => {
    const nextHour = placeAfter(event.key, focusedHour)
    if (!nextHour) return
    event.preventDefault()
    setFocusedHour(nextHour)
    grid.current?.querySelector<HTMLElement>(`[data-place="${nextHour.weekday} ${nextHour.hour}"]`)?.focus()
  }
  return (
    <figure>
      <p id={summaryId} className="mb-2 text-sm text-muted">
        {summary}
      </p>
      {/* Hours run from left to right in every language. */}
      <table
        ref={grid}
        role="grid"
        dir="ltr"
        aria-label={name}
        aria-describedby={summaryId}
        onKeyDown={walkPlaces}
        className="w-full table-fixed border-separate border-spacing-px text-xs"
      >
        <thead>
          <tr>
            <th scope="col" className="w-8 p-0">
              <span className="sr-only">{t('field.time')}</span>
            </th>
            {hours.map((hour) => (
              <th key={hour} scope="col" className="p-0 text-start font-normal text-muted">
                <span className="sr-only">{clock(hour)}</span>
                <span aria-hidden>{hour % 6 === 0 ? hour : ''}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weekdays.map((weekday) => (
            <tr key={weekday}>
              <th scope="row" className="pe-1 text-start font-normal text-muted">
                {shortWeekdays[weekday - 1]}
              </th>
              {hours.map((hour) => (
                <td
                  key={hour}
                  tabIndex={isAtPlace({ weekday, hour }) ? 0 : -1}
                  data-place={`${weekday} ${hour}`}
                  aria-label={cellText({ weekday, hour })}
                  data-tip={cellText({ weekday, hour })}
                  onFocus={() => setFocusedHour({ weekday, hour })}
                  className="bg-sunken p-0"
                >
                  <span className="grid aspect-square max-h-6 w-full place-items-center">
                    <StepSquare level={levelOf(steps, valueOf({ weekday, hour }))} />
                  </span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <StepLegend steps={steps} />
    </figure>
  )
}
