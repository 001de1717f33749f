/** The first and the last day of the messages that a search finds; either may be missing. */
import { isDay } from '@dala/model'
import { useId, useState } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { DateInput } from '../../../ui/inputs/date-input.tsx'
import { FieldError } from '../../../ui/inputs/field.tsx'
import { type DeskSearch, removeParameters } from '../desk-search.ts'

type Days = Readonly<Record<'from' | 'to', string | null>>

export interface SearchDaysProps {
  search: DeskSearch
  onChange: (newSearch: DeskSearch) => void
}

export function SearchDays({ search, onChange }: SearchDaysProps) {
  const t = useT()
  const id = useId()
  // Typed text that is not a valid day yet; the address has valid days.
  const [typedDays, setTypedDays] = useState<Partial<Days>>({})
  const days: Days = { from: search.from ?? null, to: search.to ?? null, ...typedDays }
  const isWrongOrder = days.from !== null && days.to !== null && days.to < days.from
  const change = (changedDays: Partial<Days>) => {
    const { from, to } = { ...days, ...changedDays }
    const areDaysValid =
      [from, to].every((day) => day === null || isDay(day)) && (from === null || to === null || from <= to)
    setTypedDays(areDaysValid ? {} : { ...typedDays, ...changedDays })
    if (areDaysValid)
      onChange({
        ...removeParameters(search, 'from', 'to'),
        ...(from !== null && { from }),
        ...(to !== null && { to }),
      })
  }
  return (
    <fieldset aria-label={t('chat.searchDays')} className="grid grid-cols-[repeat(auto-fit,minmax(150px,1fr))] gap-2">
      <DateInput
        aria-label={t('statistics.from')}
        value={days.from}
        onValueChange={(startDay) => change({ from: startDay })}
      />
      <DateInput
        aria-label={t('statistics.to')}
        aria-invalid={isWrongOrder || undefined}
        aria-describedby={isWrongOrder ? id : undefined}
        value={days.to}
        onValueChange={(endDay) => change({ to: endDay })}
      />
      {isWrongOrder ? (
        <div id={id} role="alert" className="col-span-full">
          <FieldError>{t('error.report.order')}</FieldError>
        </div>
      ) : null}
    </fieldset>
  )
}
