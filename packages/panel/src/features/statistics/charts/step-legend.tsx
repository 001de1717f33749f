/** The marks of a heat map and of a map: squares that grow with the value, and their legend. */
import { formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import type { Step } from './steps.ts'

/** Sizes of the squares by level, in per cent of their cell. */
const sizes = [0, 36, 52, 68, 84, 100]

export function StepSquare({ level }: { level: number }) {
  return (
    <span
      aria-hidden
      className="block bg-[var(--chart-1)]"
      style={{ inlineSize: `${sizes[level] ?? 0}%`, blockSize: `${sizes[level] ?? 0}%` }}
    />
  )
}

/** Steps of a heat map or a map, with the values of each. */
export function StepLegend({ steps }: { steps: readonly Step[] }) {
  const t = useT()
  const locale = useLocale()
  const text = (value: number) => formatNumber(locale, value)
  return (
    <figcaption className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
      <span className="sr-only">{t('statistics.steps')}</span>
      {[{ from: 0, to: 0, level: 0 }, ...steps].map(({ from, to, level }) => (
        <span key={level} className="inline-flex items-center gap-1.5 tabular-nums">
          <i aria-hidden className="grid size-4 place-items-center bg-sunken">
            <StepSquare level={level} />
          </i>
          {from === to ? text(from) : t('statistics.step', { from: text(from), to: text(to) })}
        </span>
      ))}
    </figcaption>
  )
}
