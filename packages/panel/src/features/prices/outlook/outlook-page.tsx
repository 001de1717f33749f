/**
 * The frame of the pages beside the list of price days: head, tabs, and a placeholder while there is no
 * answer.
 */
import { type Screen } from '@dala/model'
import type { ReactNode } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { useDocumentTitle } from '../../../lib/document-title.ts'
import { firstTranslation, useT } from '../../../lib/i18n.ts'
import { useNameRecord } from '../../../lib/record-name.ts'
import { FailureState } from '../../../ui/feedback/failure-state.tsx'
import { PageHead } from '../../../ui/layout/page-head.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { DelayedContent, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { PriceTabs, type PriceView } from './price-tabs.tsx'

interface OutlookPageProps {
  screen: Screen
  view: Exclude<PriceView, 'days'>
  actions?: ReactNode
  children: ReactNode
}

export function OutlookPage({ screen, view, actions, children }: OutlookPageProps) {
  const t = useT()
  const title = t(`prices.view.${view}`)
  useDocumentTitle(`${title}, ${firstTranslation([`${screen.labelPrefix}.many`])}`)
  useNameRecord(title)
  return (
    <>
      <PageHead
        isSlim
        isDense
        title={firstTranslation([`${screen.labelPrefix}.many`])}
        about={t(`prices.view.${view}.about`)}
        actions={actions}
      />
      <PriceTabs view={view} />
      {children}
    </>
  )
}

interface AnsweredProps<T> {
  answer: T | undefined
  error: Error | null
  onRetry: () => void
  children: (answer: T) => ReactNode
}

/** Shows the response with the prices, the reason why there is none, or a loading state. */
export function AnsweredSection<T>({ answer, error, onRetry, children }: AnsweredProps<T>) {
  const t = useT()
  if (answer !== undefined && !error) return children(answer)
  if (error) {
    const status = error instanceof ApiError && error.status > 0 ? { status: error.status } : {}
    return (
      <Sheet>
        <FailureState title={t('list.failed')} text={messageOfFailure(error)} {...status} onRetry={onRetry} />
      </Sheet>
    )
  }
  return (
    <Sheet hasPadding>
      <DelayedContent>
        <Skeleton className="h-[260px] w-full" />
      </DelayedContent>
    </Sheet>
  )
}
