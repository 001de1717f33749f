/** The explanation of how a figure of a report is counted, behind a small button beside its name. */
import { metricExplanation, metricLabel, type ReportKey } from '@dala/model'
import Info from 'lucide-react/icons/info'
import { firstTranslation, useT } from '../../lib/i18n.ts'
import { Popover } from '../../ui/overlays/popover.tsx'

export function FigureExplanation({ report, metric }: { report: ReportKey; metric: string }) {
  const t = useT()
  const name = firstTranslation(metricLabel(report, metric))
  const label = t('statistics.howOf', { name })
  return (
    <Popover
      title={name}
      trigger={
        <button
          type="button"
          aria-label={label}
          data-tip={label}
          // The help button of a figure is as small as the figure allows; on touch screens its target is
          // larger.
          className="relative z-1 grid size-6 shrink-0 place-items-center rounded-1 text-muted hover:bg-hover hover:text-ink max-md:after:absolute max-md:after:-inset-2.5"
        >
          <Info size={15} aria-hidden />
        </button>
      }
    >
      {() => <p>{firstTranslation(metricExplanation(report, metric))}</p>}
    </Popover>
  )
}
