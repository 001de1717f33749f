/** Steps of a bulk action: preview, progress and result. */
import type { Screen } from '@dala/model'
import CircleAlert from 'lucide-react/icons/circle-alert'
import type { ReactNode } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import type { DisabledReason } from '../../../ui/disabled-reason.tsx'
import type { BulkKind } from './actions.ts'
import type { BulkJob, DryRun } from './api.ts'
import { RefusedRows } from './rows.tsx'

export function JobProgress({ job, label }: { job: BulkJob | undefined; label: string }) {
  const t = useT()
  const locale = useLocale()
  const formatFigure = (value: number) => formatNumber(locale, value)
  return (
    <div className="grid gap-1.5">
      <p className="flex items-baseline justify-between gap-3 text-sm">
        <span>{label}</span>
        {job ? (
          <span className="text-muted tabular-nums">
            {t('bulk.progress', { done: formatFigure(job.done), all: formatFigure(job.count) })}
          </span>
        ) : null}
      </p>
      <progress className="progress-bar" aria-label={label} value={job?.done ?? 0} max={Math.max(1, job?.count ?? 1)} />
    </div>
  )
}

interface BulkPreviewProps {
  screen: Screen
  kind: BulkKind
  trialState: DryRun
  mode: 'each' | 'all'
  onMode: (mode: 'each' | 'all') => void
  /** Why the mode `all` is not offered. */
  whyEach: DisabledReason
  /** Examples of the changes. */
  children?: ReactNode
}

export function BulkPreview({
  screen,
  kind,
  trialState: { job, step },
  mode,
  onMode,
  whyEach,
  children,
}: BulkPreviewProps) {
  const t = useT()
  if (!job) return <JobProgress job={step} label={t('bulk.checking')} />
  const isRemoval = kind === 'remove'
  const { changed, unchanged, refused } = job
  return (
    <>
      <output className="grid gap-1">
        <b>
          {changed === 0 ? t('bulk.nothing') : t(isRemoval ? 'bulk.willRemove' : 'bulk.willChange', { count: changed })}
        </b>
        {unchanged > 0 ? <span className="text-muted">{t('bulk.willStay', { count: unchanged })}</span> : null}
        {isRemoval && changed > 0 && !screen.resource.noTrash ? (
          <span className="text-muted">{t('bulk.trashNote')}</span>
        ) : null}
        {refused > 0 ? (
          <Refusals>{t(isRemoval ? 'bulk.cannotRemove' : 'bulk.willRefuse', { count: refused })}</Refusals>
        ) : null}
      </output>
      {refused > 0 ? <RefusedRows screen={screen} job={job} /> : null}
      {changed > 0 ? children : null}
      {whyEach && changed > 0 ? (
        <p className="text-sm text-muted">{whyEach}</p>
      ) : job.count > 1 && changed > 0 ? (
        <label className="flex items-start gap-2.5 max-md:min-h-11 max-md:items-center">
          <input
            type="checkbox"
            className="check mt-px shrink-0"
            checked={mode === 'all'}
            onChange={(event) => onMode(event.target.checked ? 'all' : 'each')}
          />
          <span>
            {t('bulk.allOrNothing')}
            {mode === 'all' && refused > 0 ? (
              <span className="block text-sm text-muted">{t('bulk.allRefused')}</span>
            ) : null}
          </span>
        </label>
      ) : null}
    </>
  )
}

function Refusals({ children }: { children: string }) {
  return (
    <span className="flex items-start gap-1.5 font-medium text-danger-text">
      <CircleAlert size={16} aria-hidden className="mt-[3px] shrink-0" />
      {children}
    </span>
  )
}

/** The note about a bulk job that ended in another way than complete success. */
export function BulkResult({ screen, job }: { screen: Screen; job: BulkJob }) {
  const t = useT()
  const { state, changed, refused } = job
  const text =
    state === 'refused'
      ? t('bulk.endedRefused')
      : state === 'failed'
        ? t('bulk.endedFailed')
        : state === 'stopped'
          ? t('bulk.endedStopped', { count: changed })
          : t('bulk.done', { count: changed })
  return (
    <>
      <output className="grid gap-1">
        <b>{text}</b>
        {refused > 0 ? <Refusals>{t('bulk.wereRefused', { count: refused })}</Refusals> : null}
      </output>
      {refused > 0 ? <RefusedRows screen={screen} job={job} /> : null}
    </>
  )
}
