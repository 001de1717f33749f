/** The frame of every step of an import: the head with its actions, the strip of steps, and notices. */
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Download from 'lucide-react/icons/download'
import Info from 'lucide-react/icons/info'
import type { ReactNode } from 'react'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { useLocale, useT, useWrittenLocale } from '../../lib/i18n.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import { type Import, saveErrors } from './import-api.ts'
import type { ImportStep } from './steps-strip.tsx'
import { secondsText } from './labels.ts'

/** Details of the import below the names of its steps. */
export function useStepDetails(record: Import): Readonly<Record<ImportStep, string>> {
  const t = useT()
  const locale = useLocale()
  const { mapping, summary, state } = record
  const columns = mapping?.columns ?? []
  const matchedColumns = columns.filter(({ status }) => status !== 'open').length
  const rows = summary ? `, ${t('import.rows', { count: summary.total })}` : ''
  const faults = summary
    ? [
        t('import.errors', { count: summary.error }),
        ...(summary.warning > 0 ? [t('import.warnings', { count: summary.warning })] : []),
      ].join(', ')
    : t('import.beforeWriting')
  return {
    file: `${record.file_name}${rows}`,
    columns: mapping
      ? t('import.columnsMatched', { count: matchedColumns, all: formatNumber(locale, columns.length) })
      : t('import.afterReading'),
    preview: faults,
    report: state === 'done' || state === 'reverted' ? formatDateTime(record.committed_at) : t('import.afterWriting'),
  }
}

/** Frame of a step with a bar at its end, which stays at the edge of the window however short the step is. */
export function StepPage({ children }: { children: ReactNode }) {
  return <div className="flex flex-col md:min-h-[calc(100dvh-var(--top-h)-40px)]">{children}</div>
}

interface ImportHeadProps {
  record: Import
  title: string
  total?: string | undefined
  about: string
  actions?: ReactNode
}

export function ImportHead({ record, title, total, about, actions }: ImportHeadProps) {
  const t = useT()
  return (
    <PageHead
      title={title}
      total={total}
      about={about}
      actions={
        <>
          {actions}
          {record.state === 'preview' ? (
            <Link to="/app/import" search={{ kind: record.kind }} className={buttonClass('quiet')}>
              {t('import.leave')}
            </Link>
          ) : null}
        </>
      }
    />
  )
}

/** Button that downloads the rows with errors, with a reason beside each. */
export function ErrorsSheetButton({ record }: { record: Import }) {
  const t = useT()
  const written = useWrittenLocale()
  const save = useMutation({
    mutationFn: () => saveErrors(record.id, written),
    meta: { inPlace: true },
    onError: (error) =>
      showToast({
        kind: 'error',
        title: t('message.notDone', { what: t('import.errorsSheet') }),
        text: messageOfFailure(error),
      }),
  })
  return (
    <Button icon={<Download size={17} aria-hidden />} isBusy={save.isPending} onClick={() => save.mutate()}>
      {t('import.errorsSheet')}
    </Button>
  )
}

/** Notice that the same file was imported before. */
export function TwinNotice({ record }: { record: Import }) {
  const t = useT()
  const { same_as: sameImport } = record
  if (!sameImport) return null
  return (
    <p className="mb-4 flex items-start gap-2 rounded-2 bg-warning-soft px-4 py-3 text-sm text-warning-text">
      <Info size={16} aria-hidden className="mt-0.5 shrink-0" />
      <span>
        {t('import.sameFile', { at: formatDateTime(sameImport.at), author: sameImport.author })}{' '}
        <Link to={`/app/import/${sameImport.id}`} className="font-semibold underline underline-offset-[3px]">
          {t('import.openTwin')}
        </Link>
      </span>
    </p>
  )
}

/** Duration of reading the file, as text for the head of the columns step. */
export function useReadingText(record: Import): string {
  const t = useT()
  const locale = useLocale()
  const { reading, summary } = record
  if (!reading) return ''
  return t('import.readAs', {
    seconds: secondsText(locale, reading.seconds),
    sheet: reading.sheet,
    row: formatNumber(locale, reading.heading_row),
    rows: t('import.rows', { count: summary?.total ?? 0 }),
  })
}
