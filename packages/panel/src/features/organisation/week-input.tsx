/** Input of the working hours of a week: a switch and two times for each day. */
import { readWorkingHours, writeWorkingHours } from '@dala/model'
import { useId } from 'react'
import { weekdayNames } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { FieldError } from '../../ui/inputs/field.tsx'
import { Input } from '../../ui/inputs/input.tsx'
import { Switch } from '../../ui/inputs/switch.tsx'

/** The hours of an open day as they are typed. */
interface DayTimes {
  from: string
  to: string
}

/** Hours of a day that is switched on before any other. */
const usualTimes: DayTimes = { from: '09:00', to: '18:00' }

/** Reads the open days of a text whose times may still be wrong. */
function timesByDay(text: string): ReadonlyMap<number, DayTimes> {
  const times = new Map<number, DayTimes>()
  for (const item of text.split(',')) {
    const [, first, last = first, from = '', to = ''] = /^([1-7])(?:-([1-7]))? ([^-]*)-(.*)$/.exec(item.trim()) ?? []
    for (let day = Number(first); day <= Number(last); day += 1) times.set(day, { from, to })
  }
  return times
}

/** Writes the open days in the shortest form, or as they are typed while a time is wrong. */
function textOfTimes(times: ReadonlyMap<number, DayTimes>): string {
  const typed = [...times]
    .toSorted(([first], [second]) => first - second)
    .map(([day, { from, to }]) => `${day} ${from}-${to}`)
    .join(', ')
  const hours = readWorkingHours(typed)
  return hours ? writeWorkingHours(hours) : typed
}

const isWrong = ({ from, to }: DayTimes) => readWorkingHours(`1 ${from}-${to}`) === undefined

/** Completes a time without a leading zero or without minutes: `9:00` and `9` become `09:00`. */
const completeTime = (text: string) => {
  const [, hour, minutes = '00'] = /^(\d{1,2})(?::(\d\d))?$/.exec(text) ?? []
  return hour === undefined ? text : `${hour.padStart(2, '0')}:${minutes}`
}

interface WeekInputProps {
  name: string
  value: string
  /** Whether a wrong time is shown as an error. */
  hasError: boolean
  onChange: (value: string) => void
}

export function WeekInput({ name, value, hasError, onChange }: WeekInputProps) {
  const t = useT()
  const errorId = useId()
  const times = timesByDay(value)
  const set = (day: number, dayTimes: DayTimes | undefined) => {
    const next = new Map(times)
    if (dayTimes) next.set(day, dayTimes)
    else next.delete(day)
    onChange(textOfTimes(next))
  }
  return (
    <div className="grid gap-2">
      {weekdayNames(t).map((label, index) => {
        const day = index + 1
        const dayTimes = times.get(day)
        return (
          <div
            key={day}
            className="grid min-h-(--control) grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 max-md:grid-cols-[auto_minmax(0,1fr)]"
          >
            <Switch
              aria-label={label}
              checked={dayTimes !== undefined}
              disabled={dayTimes !== undefined && times.size === 1 && t('organisation.week.lastDay')}
              onCheckedChange={(isOpen) =>
                set(day, isOpen ? ([...times.values()].find((other) => !isWrong(other)) ?? usualTimes) : undefined)
              }
            />
            <span aria-hidden>{label}</span>
            {dayTimes ? (
              <span className="flex items-center gap-1.5 max-md:col-span-2 max-md:ps-14">
                {(['from', 'to'] as const).map((end) => (
                  <span key={end} className="contents">
                    {end === 'to' ? <span aria-hidden>–</span> : null}
                    <Input
                      name={`${name}.${day}.${end}`}
                      aria-label={t(`organisation.week.${end}`, { day: label })}
                      aria-invalid={(hasError && isWrong(dayTimes)) || undefined}
                      aria-describedby={hasError && isWrong(dayTimes) ? errorId : undefined}
                      className="w-[5.5rem]! text-center tabular-nums"
                      inputMode="numeric"
                      autoComplete="off"
                      maxLength={5}
                      value={dayTimes[end]}
                      onChange={({ target }) => set(day, { ...dayTimes, [end]: target.value.replace(/[^\d:]/g, '') })}
                      onBlur={() => {
                        const completed = completeTime(dayTimes[end])
                        if (completed !== dayTimes[end]) set(day, { ...dayTimes, [end]: completed })
                      }}
                    />
                  </span>
                ))}
              </span>
            ) : (
              <span className="text-muted max-md:col-span-2 max-md:ps-14">{t('organisation.week.closed')}</span>
            )}
          </div>
        )
      })}
      {hasError ? <FieldError id={errorId}>{t('organisation.week.wrong')}</FieldError> : null}
    </div>
  )
}
