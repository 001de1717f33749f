/** Visible countdown after too many tries, until the server accepts calls again. */
import Hourglass from 'lucide-react/icons/hourglass'
import { useT } from '../lib/i18n.ts'

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** Text of a number of seconds: 65 → `1:05`, 3665 → `1:01:05`. */
function formatMinutes(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)]
  const secondsText = twoDigits(seconds % 60)
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${secondsText}` : `${minutes}:${secondsText}`
}

/** The waiting time is announced once to screen readers; the countdown is only visual. */
export function WaitNote({ seconds }: { seconds: number }) {
  const t = useT()
  return (
    <p className="flex items-start gap-2 rounded-2 bg-warning-soft px-3 py-2.5 text-warning-text">
      <Hourglass size={16} aria-hidden className="mt-[3px] shrink-0" />
      <span>
        {t('error.429.title')}.{' '}
        <span aria-live="off" className="tabular-nums">
          {t('auth.wait', { time: formatMinutes(seconds) })}
        </span>
      </span>
    </p>
  )
}
