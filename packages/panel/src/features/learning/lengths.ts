/** Text for the length of lessons. */
import type { Translate } from '../../lib/format.ts'

/** Writes minutes of a lesson as text: 54 → "54 minutes", 80 → "1 hour 20 minutes"; empty for 0. */
export function durationText(t: Translate, minutes: number): string {
  const [hours, otherMinutes] = [Math.floor(minutes / 60), minutes % 60]
  return [
    hours > 0 ? t('unit.hour', { count: hours }) : '',
    otherMinutes > 0 ? t('unit.minute', { count: otherMinutes }) : '',
  ]
    .filter(Boolean)
    .join(' ')
}

/** Returns seconds as full minutes, rounded up. */
export const minutesOf = (seconds: number): number => Math.ceil(seconds / 60)

const padTwoDigits = (value: number) => String(value).padStart(2, '0')

/** Writes the length of a video as a player shows it: 706 → "11:46", 3750 → "1:02:30". */
export function clockText(seconds: number): string {
  const [hours, minutes, otherSeconds] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return hours > 0
    ? `${hours}:${padTwoDigits(minutes)}:${padTwoDigits(otherSeconds)}`
    : `${minutes}:${padTwoDigits(otherSeconds)}`
}
