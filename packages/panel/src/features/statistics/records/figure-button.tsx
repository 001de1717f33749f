/** The value of a figure as a button that opens the records behind it. */
import { type ReportKey, wholeReport } from '@dala/model'
import { cx } from '../../../lib/class-names.ts'
import { useT } from '../../../lib/i18n.ts'
import { isSameFigure, type OpenedFigure } from '../report-search.ts'
import type { ReportState } from '../use-report.ts'

interface FigureButtonProps {
  report: ReportKey
  state: ReportState
  figure: OpenedFigure
  /** Name of the figure, with that of its row or interval. */
  name: string
  text: string
  /** Number of cases behind the figure. */
  n: number
  /** Whether the button covers the element around it, such as a tile. */
  isStretched?: boolean
}

export function FigureButton({ report, state, figure, name, text, n, isStretched = false }: FigureButtonProps) {
  const t = useT()
  if (n === 0 || wholeReport(report).metrics[figure.metric]?.unlisted) return text
  return (
    <button
      type="button"
      aria-pressed={isSameFigure(figure, state.search.opened)}
      aria-label={t('statistics.openRecords', { name, value: text })}
      onClick={() => state.open(figure)}
      className={cx(
        'rounded-1 text-inherit',
        isStretched
          ? 'text-start after:absolute after:inset-0'
          : 'inline-flex min-h-6 min-w-6 items-center justify-end underline decoration-line-strong underline-offset-4 hover:decoration-current aria-pressed:font-semibold aria-pressed:decoration-current',
      )}
    >
      {text}
    </button>
  )
}
