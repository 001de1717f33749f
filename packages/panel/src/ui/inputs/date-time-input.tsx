/**
 * Input for a moment: its day typed or picked, its time typed as hh:mm, both in the user's zone; the value is
 * UTC.
 */
import { useId, useState } from 'react'
import { dayOfMoment, formatTime, parseTime, toMomentText } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { DateInput } from './date-input.tsx'
import { useFieldControl, useFieldLabel } from './field.tsx'
import { Input } from './input.tsx'

export interface DateTimeInputProps {
  /**
   * Moment as `2026-03-01T10:00:00.000Z`, or null; an invalid one is returned as typed, so that the check can
   * report it.
   */
  value: string | null
  onValueChange: (value: string | null) => void
  onBlur?: () => void
}

interface TypedDateTime {
  day: string | null
  time: string
  /** Value that was passed to the form; a different value of the form is newer than the typed text. */
  emittedValue: string | null
}

const isMoment = (value: string | null): value is string =>
  value !== null && /^\d{4}-\d{2}-\d{2}T/.test(value) && dayOfMoment(value) !== null

/**
 * Returns the moment of a day and a time. A day without a time starts at midnight; a time alone is no moment.
 */
function combineDayAndTime(day: string | null, time: string): string | null {
  if (day === null && time.trim() === '') return null
  const normalizedTime = time.trim() === '' ? '00:00' : parseTime(time)
  const moment = day !== null && normalizedTime !== null ? toMomentText(day, normalizedTime) : null
  return moment ?? `${day ?? ''} ${time}`.trim()
}

export function DateTimeInput({ value, onValueChange, onBlur }: DateTimeInputProps) {
  const t = useT()
  const label = useFieldLabel()
  const timeId = useId()
  const { id: _id, ...control } = useFieldControl()
  const [typedValue, setTypedValue] = useState<TypedDateTime | null>(null)
  const storedMoment = isMoment(value) ? { day: dayOfMoment(value), time: formatTime(value) } : { day: value, time: '' }
  const { day, time } = typedValue?.emittedValue === value && typedValue ? typedValue : storedMoment
  const change = (newMoment: { day: string | null; time: string }) => {
    const emittedValue = combineDayAndTime(newMoment.day, newMoment.time)
    setTypedValue({ ...newMoment, emittedValue })
    onValueChange(emittedValue)
  }
  const clearTypedText = () => {
    // An invalid text of the day or the time stays as typed.
    if (isMoment(value)) setTypedValue(null)
    onBlur?.()
  }
  return (
    <div
      className="flex gap-2"
      onBlur={({ currentTarget, relatedTarget }) => {
        // Midnight is not filled in while the focus moves from the day of the input to its time.
        if (!currentTarget.contains(relatedTarget)) clearTypedText()
      }}
    >
      <DateInput value={day} onValueChange={(newDay) => change({ day: newDay, time })} className="min-w-0 flex-1" />
      <Input
        {...control}
        id={timeId}
        aria-label={t('field.time')}
        aria-labelledby={label ? `${label} ${timeId}` : undefined}
        inputMode="numeric"
        autoComplete="off"
        placeholder={t('date.timeHint')}
        className="max-w-24 text-center tabular-nums"
        value={time}
        onFocus={({ target }) => target.select()}
        onChange={(event) => change({ day, time: event.target.value })}
      />
    </div>
  )
}
