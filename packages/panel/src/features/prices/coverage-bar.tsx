/** Shows how much of a price day is filled in: figures, a bar, and cells that need a check. */
import { formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import type { Coverage } from './day-marks.ts'

export function CoverageBar({ coverage }: { coverage: Coverage }) {
  const t = useT()
  const locale = useLocale()
  const { expected, filled, carried, flagged } = coverage
  const messageParams = { filled: formatNumber(locale, filled), all: formatNumber(locale, expected) }
  return (
    <div className="inline-grid min-w-[104px] gap-1 text-start">
      <span className="tabular-nums">{t('form.coverage', messageParams)}</span>
      <Bar filled={filled} carried={carried} expected={expected} />
      {flagged > 0 ? (
        <span className="text-xs text-warning-text">{t('prices.flagged', { count: flagged })}</span>
      ) : null}
      {carried > 0 ? <span className="text-xs text-muted">{t('prices.carried', { count: carried })}</span> : null}
    </div>
  )
}

/** Bar of a price day's coverage, without figures. */
function Bar({ filled, carried = 0, expected }: { filled: number; carried?: number; expected: number }) {
  const widthOf = (count: number) => `${expected > 0 ? Math.min(100, (count / expected) * 100) : 0}%`
  return (
    <span aria-hidden className="flex h-1 w-full overflow-hidden rounded-full bg-line">
      <span className="h-full bg-brand-ui" style={{ width: widthOf(filled) }} />
      <span className="h-full bg-line-strong" style={{ width: widthOf(carried) }} />
    </span>
  )
}
