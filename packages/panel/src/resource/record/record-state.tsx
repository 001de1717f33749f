/** Loads one record for a page or a form, with a placeholder until it is loaded. */
import type { Entry, Locale, Resource, Screen } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ApiError } from '../../api/api-error.ts'
import { messageOfError } from '../../api/error-toasts.ts'
import { resourceQueries } from '../../api/resource-queries.ts'
import { useT } from '../../lib/i18n.ts'
import { buttonClass } from '../../ui/button.tsx'
import { FailureState } from '../../ui/feedback/failure-state.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { DelayedContent, Skeleton } from '../../ui/feedback/skeleton.tsx'
import { listAddress } from '../screen-address.ts'

export interface RecordState {
  /**
   * The loaded record; undefined while loading or after a failure, null for a single type that is not stored
   * yet.
   */
  record: Entry | null | undefined
  error: Error | null
  retry: () => void
}

/**
 * Loads the record with an index; `new` needs no loading. `language` is that of the record's populated links.
 */
export function useRecord(resource: Resource, index: string, language: Locale): RecordState {
  const queries = resourceQueries(resource)
  const isNew = index === 'new'
  const id = /^\d{1,10}$/.test(index) ? Number(index) : 0
  const recordQuery = useQuery({ ...queries.one(id, language), enabled: !isNew && !resource.single })
  const singleQuery = useQuery({ ...queries.single(language), enabled: resource.single === true })
  const { data, error, refetch } = resource.single ? singleQuery : recordQuery
  return { record: isNew ? null : data, error: data === undefined ? error : null, retry: () => void refetch() }
}

/** Message in place of a form for which the user has no permission. */
export function RecordDenied({ screen }: { screen: Screen }) {
  const t = useT()
  return (
    <Sheet className="mt-6">
      <FailureState title={t('error.403.title')} text={t('error.403.message')} status={403} />
      <BackToList screen={screen} />
    </Sheet>
  )
}

function BackToList({ screen }: { screen: Screen }) {
  const t = useT()
  return (
    <p className="pb-8 text-center">
      <Link {...listAddress(screen)} className={buttonClass('plain')}>
        {t('form.backToList')}
      </Link>
    </p>
  )
}

/** Placeholder of a record that is loading, or that failed to load, with a retry button or a link back. */
export function RecordLoading({ screen, state: { error, retry } }: { screen: Screen; state: RecordState }) {
  const t = useT()
  if (error) {
    const isAnswered = error instanceof ApiError && error.status > 0
    const isFinal = isAnswered && (error.status === 404 || error.status === 403)
    return (
      <Sheet className="mt-6">
        <FailureState
          title={t('form.failed')}
          isWholePage
          text={isAnswered ? messageOfError(error) : t('error.network.message')}
          {...(isAnswered ? { status: error.status } : {})}
          {...(isFinal ? {} : { onRetry: retry })}
        />
        {isFinal && !screen.resource.single ? <BackToList screen={screen} /> : null}
      </Sheet>
    )
  }
  return (
    <DelayedContent>
      <Sheet hasPadding className="mt-6 grid gap-5">
        {[0, 1, 2, 3].map((row) => (
          <Skeleton key={row} className="h-10 w-full" />
        ))}
      </Sheet>
    </DelayedContent>
  )
}
