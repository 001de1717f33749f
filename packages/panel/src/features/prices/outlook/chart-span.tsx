/**
 * The days of a chart: a preset span up to the last published day, or a first and a last day typed by the
 * user.
 */
import { maxPriceYears } from '@dala/model'
import { useId, useState } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { DateInput } from '../../../ui/inputs/date-input.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import { faultOfSpan, isDay, type OutlookState, spans } from './outlook-search.ts'

interface Days {
  from: string
  to: string
}

interface ChartSpanProps {
  state: OutlookState
  /** First and last day of the price chart. */
  days: Days
}

const customSpan = 'own'

export function ChartSpan({ state: { search, change }, days }: ChartSpanProps) {
  const t = useT()
  const isOwn = search.from !== undefined
  return (
    <>
      <Select
        variant="filter"
        aria-label={t('statistics.period')}
        value={isOwn ? customSpan : search.span}
        onValueChange={(span) => change(span === customSpan ? days : { span, from: undefined, to: undefined })}
        choices={[
          ...spans.map((value) => ({ value, label: t(`prices.span.${value}`) })),
          { value: customSpan, label: t('statistics.periods.custom') },
        ]}
      />
      <OwnDays days={days} onDays={change} />
    </>
  )
}

/** Typed days are applied once the chart can have them; until then a message gives the reason. */
function OwnDays({ days, onDays }: { days: Days; onDays: (days: Days) => void }) {
  const t = useT()
  const id = useId()
  const [typedDays, setTypedDays] = useState<Record<keyof Days, string | null>>(days)
  const [isLeft, setLeft] = useState(false)
  const currentSpan = `${days.from}/${days.to}`
  const [shownSpan, setShownSpan] = useState(currentSpan)
  if (shownSpan !== currentSpan) {
    setShownSpan(currentSpan)
    setTypedDays(days)
  }
  const { from, to } = typedDays
  const isWhole = isDay(from) && isDay(to)
  const fault = isWhole ? faultOfSpan({ from, to }) : undefined
  const setDays = (dayChange: Partial<typeof typedDays>) => {
    const now = { ...typedDays, ...dayChange }
    setTypedDays(now)
    setLeft(false)
    if (isDay(now.from) && isDay(now.to) && !faultOfSpan({ from: now.from, to: now.to }))
      onDays({ from: now.from, to: now.to })
  }
  const problem =
    fault === 'order'
      ? t('error.report.order')
      : fault === 'length'
        ? t('error.price.span', { years: String(maxPriceYears) })
        : !isWhole && isLeft
          ? t('prices.span.notDay')
          : undefined
  const field = (name: keyof Days) => ({
    className: 'w-[164px] max-md:w-full',
    value: typedDays[name],
    onBlur: () => setLeft(true),
    'aria-invalid':
      (problem !== undefined &&
        (fault === 'order' ? name === 'to' : fault ? name === 'from' : !isDay(typedDays[name]))) ||
      undefined,
    'aria-describedby': problem === undefined ? undefined : id,
  })
  return (
    <fieldset
      aria-label={t('statistics.periods.custom')}
      className="flex flex-wrap items-center gap-2.5 max-md:grid max-md:w-full max-md:grid-cols-2"
    >
      <DateInput aria-label={t('statistics.from')} {...field('from')} onValueChange={(day) => setDays({ from: day })} />
      <DateInput aria-label={t('statistics.to')} {...field('to')} onValueChange={(day) => setDays({ to: day })} />
      {problem === undefined ? null : (
        <p id={id} role="alert" className="text-sm text-danger-text max-md:col-span-2">
          {problem}
        </p>
      )}
    </fieldset>
  )
}
