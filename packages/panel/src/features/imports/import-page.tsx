/** Page of one import: its progress, or the step that waits for the user. */
import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { meQuery } from '../../api/session.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { useT } from '../../lib/i18n.ts'
import { useOwnerOfPage } from '../../lib/record-name.ts'
import { listOfImport } from '../../resource/import-list.ts'
import { buttonClass } from '../../ui/button.tsx'
import { FailureState } from '../../ui/feedback/failure-state.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { DelayedContent, Skeleton } from '../../ui/feedback/skeleton.tsx'
import { ColumnsStep } from './columns/columns-step.tsx'
import { openNamesOf } from './columns/left-names.ts'
import { type Import, importQuery } from './import-api.ts'
import { PreviewStep } from './preview/preview-step.tsx'
import { ReadingStep } from './reading-step.tsx'
import { ReportStep } from './report/report-step.tsx'
import { kindLabel } from './labels.ts'

export function ImportPage() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  return /^\d{1,10}$/.test(id) ? <LoadedSession key={id} id={Number(id)} /> : <MissingImport />
}

function LoadedSession({ id }: { id: number }) {
  const { data: me } = useQuery(meQuery)
  const { data, error, refetch } = useQuery(importQuery(id))
  if (error && !data) return <MissingImport error={error} onRetry={() => void refetch()} />
  if (!data || !me)
    return (
      <DelayedContent>
        <Sheet hasPadding className="mt-6 grid gap-4">
          {[0, 1, 2, 3].map((row) => (
            <Skeleton key={row} className="h-10 w-full" />
          ))}
        </Sheet>
      </DelayedContent>
    )
  return <ShownImport record={data} user={me.id} />
}

/**
 * The step for the state of the import; before the preview comes the columns step, if it has open decisions.
 */
function ShownImport({ record, user }: { record: Import; user: number }) {
  const t = useT()
  const title = t('import.titleOf', { what: kindLabel(record.kind) })
  const { step }: { step?: unknown } = useSearch({ strict: false })
  useDocumentTitle(title)
  useOwnerOfPage(listOfImport(record.kind))
  const { state, mapping } = record
  // The last decision on a column does not open the next step: the user can review the decision first.
  const [initialStep, setInitialStep] = useState<'columns' | 'preview'>()
  if (mapping && initialStep === undefined)
    setInitialStep(mapping.open_columns + openNamesOf(mapping) + mapping.missing.length > 0 ? 'columns' : 'preview')
  if (state === 'done' || state === 'reverted') return <ReportStep record={record} title={title} />
  // Rows that are checked again after a decision are no reason to leave the step of the import.
  if (!mapping || (state !== 'preview' && state !== 'parsing')) return <ReadingStep record={record} title={title} />
  const isColumns = step === 'columns' || (step !== 'preview' && initialStep === 'columns')
  if (isColumns) return <ColumnsStep record={record} mapping={mapping} title={title} />
  return <PreviewStep record={record} mapping={mapping} title={title} user={user} />
}

function MissingImport({ error, onRetry }: { error?: Error; onRetry?: () => void }) {
  const t = useT()
  const status = error instanceof ApiError ? error.status : 404
  const isFinal = status === 404 || status === 403
  return (
    <Sheet className="mt-6">
      <FailureState
        title={isFinal ? t('error.404.title') : t('form.failed')}
        text={error && !isFinal ? messageOfFailure(error) : t('error.404.message')}
        {...(status > 0 && { status })}
        {...(!isFinal && onRetry && { onRetry })}
      />
      <p className="-mt-8 pb-12 text-center">
        <Link to="/app/import" className={buttonClass('plain')}>
          {t('import.all')}
        </Link>
      </p>
    </Sheet>
  )
}
