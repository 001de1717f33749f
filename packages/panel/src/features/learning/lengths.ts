/** Text for the length of lessons. */
import type { Translate } from '../../lib/format.ts'

/** Text of minutes: 54 → "54 minutes", 80 → "1 hour 20 minutes"; empty for 0. */
export function durationText(t: Translate, minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 ? t('unit.hour', { count: hours }) : '', rest > 0 ? t('unit.minute', { count: rest }) : '']
    .filter(Boolean)
    .join(' ')
}

/** Seconds as full minutes, rounded up. */
export const minutesOf = (seconds: number): number => Math.ceil(seconds / 60)
