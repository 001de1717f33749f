/** Bar that shows a share, below or beside the number with the same value. */
import { cx } from '../../../lib/class-names.ts'

export function ShareBar({ value, max, className }: { value: number; max: number; className?: string }) {
  const barShare = max > 0 ? Math.max(0, Math.min(100, (value / max) * 100)) : 0
  return (
    <span aria-hidden className={cx('block h-1.5 overflow-hidden rounded-full bg-sunken', className)}>
      <span className="block h-full rounded-full bg-[var(--chart-1)]" style={{ inlineSize: `${barShare}%` }} />
    </span>
  )
}
