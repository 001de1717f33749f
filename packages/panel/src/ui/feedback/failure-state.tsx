/**
 * The placeholder of a part that failed: the failure, the status, and a retry button; the frame around it
 * stays.
 */
import { useLayoutEffect, useRef } from 'react'
import CircleAlert from 'lucide-react/icons/circle-alert'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../button.tsx'
import { EmptyState } from './empty-state.tsx'

export interface FailureStateProps {
  title: string
  /** Whether the failure state fills the whole page. */
  isWholePage?: boolean
  text?: string
  status?: number
  onRetry?: () => void
}

export function FailureState({ title, isWholePage, text, status, onRetry }: FailureStateProps) {
  const t = useT()
  const frame = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = frame.current
    // A retry by keyboard removes the focused button, so the failure state takes the focus.
    return () => {
      if (!element?.contains(document.activeElement)) return
      element.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <div ref={frame} role="alert">
      <EmptyState
        illustration={<CircleAlert size={34} strokeWidth={1.5} aria-hidden className="text-danger-text" />}
        title={title}
        {...(isWholePage && { isWholePage })}
        text={
          <>
            {text}
            {status ? (
              <span className="block text-sm">
                {t('error.page.code')}: <bdi dir="ltr">{status}</bdi>
              </span>
            ) : null}
          </>
        }
        action={onRetry ? <Button onClick={onRetry}>{t('action.retry')}</Button> : undefined}
      />
    </div>
  )
}
