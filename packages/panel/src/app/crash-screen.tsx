/** Error pages: the shared layout, and the page that a route shows when its screen threw. */
import type { ErrorComponentProps } from '@tanstack/react-router'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { messageOfError } from '../api/error-toasts.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useT } from '../lib/i18n.ts'
import { useOnline } from '../lib/hooks/use-online.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { ChunkLoadError, reloadFailedScreens } from './lazy-screen.ts'

export interface ErrorPageProps {
  code: string | undefined
  title: string
  text: string
  action?: ReactNode
}

/** Layout of an error page: the code in light figures, a sentence, and a link to the home page. */
export function ErrorPage({ code, title, text, action }: ErrorPageProps) {
  const t = useT()
  useDocumentTitle(title)
  return (
    <div className="grid min-h-[60vh] content-center justify-items-start gap-2 py-10 md:ps-[6%]">
      {code === undefined ? null : (
        <p className="text-3xl leading-tight font-light text-muted">
          <span className="sr-only">{t('error.page.code')} </span>
          <bdi dir="ltr">{code}</bdi>
        </p>
      )}
      <h1 className="text-2xl leading-tight font-semibold tracking-[-0.012em]">{title}</h1>
      <p className="max-w-[56ch] text-muted">{text}</p>
      <div className="mt-4 flex flex-wrap gap-2">
        {action}
        <Link to="/" className={buttonClass(action ? 'plain' : 'primary')}>
          {t('action.goHome')}
        </Link>
      </div>
    </div>
  )
}

/** The page of a route whose screen threw, inside the frame that still works. */
export function CrashScreen({ error, reset }: ErrorComponentProps) {
  const t = useT()
  if (error instanceof ChunkLoadError) return <ChunkFailure onRetry={reset} />
  const apiError = error instanceof ApiError ? error : undefined
  return (
    <ErrorPage
      code={apiError && apiError.status > 0 ? String(apiError.status) : undefined}
      title={t(
        apiError?.status === 403
          ? 'error.403.title'
          : apiError?.status === 404
            ? 'error.404.title'
            : 'error.page.title',
      )}
      text={apiError ? messageOfError(apiError) || t('error.unknown.message') : t('error.unknown.message')}
      action={
        <Button kind="primary" onClick={reset}>
          {t('action.retry')}
        </Button>
      }
    />
  )
}

/**
 * A page whose code could not be loaded. It is retried when there is a connection; a reload without one would
 * lose the panel.
 */
function ChunkFailure({ onRetry }: { onRetry: () => void }) {
  const t = useT()
  const online = useOnline()
  const [isLoading, setLoading] = useState(false)
  const retry = async () => {
    setLoading(true)
    await reloadFailedScreens()
    setLoading(false)
    onRetry()
  }
  const retryOnline = useEffectEvent(retry)
  useEffect(() => {
    const retryScreens = () => void retryOnline()
    window.addEventListener('online', retryScreens)
    return () => window.removeEventListener('online', retryScreens)
  }, [])
  return (
    <ErrorPage
      code={undefined}
      title={t('error.chunk.title')}
      text={t(online ? 'error.chunk.message' : 'error.chunk.offline')}
      action={
        <>
          <Button kind="primary" isBusy={isLoading} onClick={() => void retry()}>
            {t('action.retry')}
          </Button>
          {online ? <Button onClick={() => window.location.reload()}>{t('error.chunk.reload')}</Button> : null}
        </>
      }
    />
  )
}
