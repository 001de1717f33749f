/** Waiting time of a customer: amber when the deadline is near, red after it, always with an icon and a text. */
import AlarmClock from 'lucide-react/icons/alarm-clock'
import Clock from 'lucide-react/icons/clock'
import { cx } from '../lib/class-names.ts'
import { useT } from '../lib/i18n.ts'
import { type Urgency, urgencyOf, type CaseWait, waitLabel } from '../lib/wait.ts'

const toneOf: Readonly<Record<Urgency, string>> = {
  calm: '',
  soon: 'text-warning-text',
  late: 'text-danger-text',
}

export interface WaitChipProps {
  wait: CaseWait
  now: Date
  /** Whether the chip takes the colour of its surroundings, as in a chosen row. */
  isPlain?: boolean
  /** Whether a long text continues on a second line instead of being cut. */
  isWrapped?: boolean
  className?: string
}

/** Renders nothing while no customer waits. */
export function WaitChip({ wait, now, isPlain = false, isWrapped = false, className }: WaitChipProps) {
  const t = useT()
  const urgency = urgencyOf(wait, now)
  if (!urgency) return null
  const Sign = urgency === 'late' ? AlarmClock : Clock
  return (
    <span className={cx('inline-flex min-w-0 items-center gap-1 font-medium', !isPlain && toneOf[urgency], className)}>
      <Sign size={13} aria-hidden className="shrink-0" />
      <span className={isWrapped ? 'min-w-0 whitespace-normal' : 'truncate'} title={waitLabel(t, wait, now)}>
        {waitLabel(t, wait, now, true)}
      </span>
    </span>
  )
}
