/** Chip with a state as text, and a mark whose shape distinguishes the kinds without colour. */
import { cx } from '../../lib/class-names.ts'

export type StatusTone = 'good' | 'waiting' | 'bad' | 'new' | 'quiet'

const tones: Readonly<Record<StatusTone, { chip: string; mark: string }>> = {
  good: { chip: 'bg-success-soft text-success-text', mark: 'rounded-full bg-current' },
  waiting: { chip: 'bg-warning-soft text-warning-text', mark: 'rotate-45 bg-current scale-90' },
  bad: { chip: 'bg-danger-soft text-danger-text', mark: 'bg-current' },
  new: { chip: 'bg-info-soft text-info-text', mark: 'rounded-full border-2 border-current' },
  quiet: { chip: 'bg-sunken text-muted', mark: 'rounded-full border border-dashed border-current' },
}

export function StatusChip({ tone, children }: { tone: StatusTone; children: string }) {
  const { chip, mark } = tones[tone]
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1.5 rounded-1 px-2 py-0.5 text-sm font-medium whitespace-nowrap',
        chip,
      )}
    >
      <i aria-hidden className={cx('size-2 shrink-0', mark)} />
      {children}
    </span>
  )
}
