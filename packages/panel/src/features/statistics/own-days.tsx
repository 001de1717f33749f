/**
 * Inputs for the first and the last day of a custom period of a report; applied once both are valid and in
 * order.
 */
import { useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { DateInput } from '../../ui/inputs/date-input.tsx'
import type { ReportState } from './use-report.ts'

interface Days {
  from: string | null
  to: string | null
}

const isDay = (text: string | null): text is string => text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text)

export function OwnDays({ state: { search, change } }: { state: ReportState }) {
  const t = useT()
  // Typed text that is not a valid day yet; the address has valid days.
  const [typedDays, setTypedDays] = useState<Partial<Days>>({})
  const days: Days = { from: search.from ?? null, to: search.to ?? null, ...typedDays }
  const isWrongOrder = isDay(days.from) && isDay(days.to) && days.to < days.from
  const setDays = (dayChange: Partial<Days>) => {
    const { from, to } = { ...days, ...dayChange }
    if (isDay(from) && isDay(to) && from <= to) {
      setTypedDays({})
      change({ from, to, period: undefined })
    } else setTypedDays({ ...typedDays, ...dayChange })
  }
  return (
    <fieldset aria-label={t('statistics.periods.custom')} className="flex flex-wrap items-center gap-2.5">
      <DateInput
        aria-label={t('statistics.from')}
        className="w-[164px]"
        value={days.from}
        onValueChange={(startDay) => setDays({ from: startDay })}
      />
      <DateInput
        aria-label={t('statistics.to')}
        aria-invalid={isWrongOrder || undefined}
        aria-describedby={isWrongOrder ? 'report-days-order' : undefined}
        className="w-[164px]"
        value={days.to}
        onValueChange={(endDay) => setDays({ to: endDay })}
      />
      {isWrongOrder ? (
        <p id="report-days-order" role="alert" className="text-sm text-danger-text">
          {t('error.report.order')}
        </p>
      ) : null}
    </fieldset>
  )
}
