/**
 * Step shown while the file is being read or its rows are being written, and after a failure with its reason.
 */
import { Link } from '@tanstack/react-router'
import CircleAlert from 'lucide-react/icons/circle-alert'
import { formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import type { Import } from './import-api.ts'
import { ImportHead, TwinNotice, useStepDetails } from './import-frame.tsx'
import { StepsStrip } from './steps-strip.tsx'
import { failureText } from './labels.ts'

export function ReadingStep({ record, title }: { record: Import; title: string }) {
  const t = useT()
  const details = useStepDetails(record)
  const isWriting = record.state === 'committing'
  return (
    <>
      <ImportHead record={record} title={title} about={record.file_name} />
      <TwinNotice record={record} />
      <Sheet className="overflow-hidden" aria-label={t('import.stepsName')}>
        <StepsStrip now={isWriting ? 'report' : 'file'} details={details} open={[]} />
        {record.state === 'failed' ? <ReadingFailure record={record} /> : <Progress record={record} />}
      </Sheet>
    </>
  )
}

function Progress({ record }: { record: Import }) {
  const t = useT()
  const locale = useLocale()
  const { progress, state } = record
  const step = progress?.step ?? (state === 'committing' ? 'writing' : 'reading')
  const doneCount = formatNumber(locale, progress?.done ?? 0)
  const statusText =
    progress?.total === null || progress === null
      ? t('import.rowsSoFar', { done: doneCount })
      : t('import.rowsOf', { done: doneCount, count: progress.total })
  return (
    <div className="grid justify-items-center gap-2 px-6 py-14 text-center">
      <span className="text-brand-text">
        <Spinner size={30} />
      </span>
      <h2 className="mt-2 text-lg font-semibold">{t(`import.progress.${step}`)}</h2>
      <progress
        aria-label={t(`import.progress.${step}`)}
        className="progress-bar max-w-[420px]"
        {...(typeof progress?.total === 'number' && { max: Math.max(1, progress.total), value: progress.done })}
      />
      <output className="text-muted tabular-nums">{statusText}</output>
      <p className="max-w-[56ch] text-sm text-muted">{t('import.mayLeave')}</p>
    </div>
  )
}

function ReadingFailure({ record }: { record: Import }) {
  const t = useT()
  const { failure } = record
  return (
    <div role="alert">
      <EmptyState
        illustration={<CircleAlert size={34} strokeWidth={1.5} aria-hidden className="text-danger-text" />}
        title={t(record.mapping ? 'import.writingFailed' : 'import.failed')}
        text={
          <>
            {failure ? failureText(failure) : t('error.unknown.message')} {t('import.nothingWritten')}
          </>
        }
        action={
          <Link to="/app/import" search={{ kind: record.kind }} className={buttonClass('primary')}>
            {t('import.another')}
          </Link>
        }
      />
    </div>
  )
}
