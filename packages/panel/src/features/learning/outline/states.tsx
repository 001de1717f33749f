/** The outline of a course while it loads, and after a failure. */
import { ApiError } from '../../../api/api-error.ts'
import { messageOfError } from '../../../api/error-toasts.ts'
import { useT } from '../../../lib/i18n.ts'
import { FailureState } from '../../../ui/feedback/failure-state.tsx'
import { DelayedContent, Skeleton } from '../../../ui/feedback/skeleton.tsx'

export function OutlineFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useT()
  const isAnswered = error instanceof ApiError && error.status > 0
  return (
    <FailureState
      title={t('learning.outlineFailed')}
      text={isAnswered ? messageOfError(error) : t('error.network.message')}
      {...(isAnswered && { status: error.status })}
      onRetry={onRetry}
    />
  )
}

export function OutlineWaiting() {
  return (
    <DelayedContent>
      {[0, 1, 2, 3].map((row) => (
        <div key={row} className="flex h-(--row) items-center gap-6 border-t border-line px-4">
          <Skeleton className="h-4 w-1/2" />
          <Skeleton className="ms-auto h-4 w-24" />
        </div>
      ))}
    </DelayedContent>
  )
}
