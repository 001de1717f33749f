/** The figures of a course: started, active, completed, and the time to complete it. */
import type { CourseStatistics } from '@dala/model/api/progress'
import { formatDuration, formatNumber, formatPercent } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'

/** Number of completions of a course below which the median time says little. */
const fewCasesLimit = 5
const gridClass = 'grid grid-cols-2 gap-px overflow-hidden rounded-3 bg-line lg:grid-cols-4'
const tileClass = 'flex min-w-0 flex-col gap-0.5 bg-surface px-4 pt-2.5 pb-3 max-md:px-3.5'

export function Figures({ figures }: { figures: CourseStatistics }) {
  const t = useT()
  const locale = useLocale()
  const { started, active, completed, median_s: median } = figures
  const formatShare = (count: number) =>
    started === 0 ? undefined : formatPercent(locale, Math.floor((count / started) * 100))
  // A median time below a minute is shown as one minute.
  const medianText = median === null ? undefined : formatDuration(t, Math.max(1, median / 60))
  const medianNote =
    median === null
      ? undefined
      : completed < fewCasesLimit
        ? t('learning.figures.few')
        : t('learning.figures.from', { count: completed })
  return (
    <Sheet aria-label={t('learning.figures')}>
      <ul className={gridClass}>
        <Tile name={t('learning.figures.started')} value={formatNumber(locale, started)} />
        <Tile name={t('learning.figures.active')} value={formatNumber(locale, active)} note={formatShare(active)} />
        <Tile
          name={t('learning.figures.completed')}
          value={formatNumber(locale, completed)}
          note={formatShare(completed)}
        />
        <Tile name={t('learning.figures.median')} value={medianText} note={medianNote} />
      </ul>
    </Sheet>
  )
}

interface TileProps {
  name: string
  /** Text of the figure; undefined where the course has no value for it. */
  value: string | undefined
  note?: string | undefined
}

function Tile({ name, value, note }: TileProps) {
  const t = useT()
  return (
    <li className={tileClass}>
      <h2 className="text-sm leading-tight font-medium text-muted wrap-break-word">{name}</h2>
      {value === undefined ? (
        <p className="text-lg leading-tight text-muted">{t('statistics.noValue')}</p>
      ) : (
        <p className="text-2xl leading-tight font-light tabular-nums">{value}</p>
      )}
      {note ? <p className="text-sm text-muted">{note}</p> : null}
    </li>
  )
}

export function FiguresLoading() {
  return (
    <Sheet>
      <div className={gridClass}>
        {[0, 1, 2, 3].map((tile) => (
          <div key={tile} className="grid gap-2.5 bg-surface px-4 pt-3 pb-3.5">
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="h-7 w-1/4" />
          </div>
        ))}
      </div>
    </Sheet>
  )
}
