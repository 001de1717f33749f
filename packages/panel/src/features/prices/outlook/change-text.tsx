/** A price change in figures, with an arrow and a word; or the reason why there is none. */
import type { ChangeGap, PriceBand } from '@dala/model'
import ArrowDownRight from 'lucide-react/icons/arrow-down-right'
import ArrowUpRight from 'lucide-react/icons/arrow-up-right'
import Equal from 'lucide-react/icons/equal'
import { cx } from '../../../lib/class-names.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { changeText } from './price-text.ts'

interface ChangeTextProps {
  change: number | null
  changeBand: PriceBand | null
  gap: ChangeGap | null
  /** Whether the word for the size of the change is omitted unless the change is sharp. */
  isShort?: boolean
}

export function ChangeText({ change, changeBand: band, gap, isShort = false }: ChangeTextProps) {
  const t = useT()
  const locale = useLocale()
  if (change === null || band === null)
    return (
      <span className="text-muted">
        <span aria-hidden>– </span>
        {gap ? t(`prices.gap.${gap}`) : null}
      </span>
    )
  const Icon = change > 0 ? ArrowUpRight : change < 0 ? ArrowDownRight : Equal
  return (
    // In a narrow column the word for the size of the change takes a separate line.
    <span
      className={cx(
        'inline-flex flex-wrap items-center gap-x-1.5 whitespace-nowrap',
        band === 'sharp' && 'text-warning-text',
      )}
    >
      <span className="inline-flex items-center gap-1.5">
        <Icon size={16} aria-hidden className="shrink-0" />
        <b className="tabular-nums">{changeText(locale, change)}</b>
      </span>
      {isShort && band !== 'sharp' ? null : (
        <span className={cx('text-sm', band !== 'sharp' && 'text-muted')}>{t(`prices.band.${band}`)}</span>
      )}
    </span>
  )
}
