/** Texts for positions in a video. */
import type { Translate } from '../../../../lib/format.ts'

const padTwo = (value: number) => String(value).padStart(2, '0')

/** Writes seconds as on a clock: 254 → "4:14", 3723 → "1:02:03". */
export function clockText(seconds: number): string {
  const total = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0
  const [hours, minutes, otherSeconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60]
  return hours > 0 ? `${hours}:${padTwo(minutes)}:${padTwo(otherSeconds)}` : `${minutes}:${padTwo(otherSeconds)}`
}

/** Writes seconds as they are read aloud: 254 → "4 minutes 14 seconds". */
export function spokenTime(t: Translate, seconds: number): string {
  const total = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0
  const [hours, minutes, otherSeconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60]
  const texts = [
    hours > 0 ? t('unit.hour', { count: hours }) : '',
    minutes > 0 ? t('unit.minute', { count: minutes }) : '',
    otherSeconds > 0 || total === 0 ? t('unit.second', { count: otherSeconds }) : '',
  ]
  return texts.filter(Boolean).join(' ')
}
