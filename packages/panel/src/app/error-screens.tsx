/**
 * The error pages: unknown address, missing rights, a failure. Inside the shell when the user is signed in.
 */
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { hasToken } from '../api/session.ts'
import { useT } from '../lib/i18n.ts'
import { ErrorPage } from './crash-screen.tsx'
import { Shell } from './shell/shell.tsx'

/** Frame of an error page: the shell for a signed-in user, otherwise none. */
function ShellFrame({ children }: { children: ReactNode }) {
  return hasToken() ? <Shell>{children}</Shell> : <main className="min-h-dvh px-6">{children}</main>
}

export function NotFoundScreen() {
  const t = useT()
  return (
    <ShellFrame>
      <ErrorPage code="404" title={t('error.404.title')} text={t('error.404.page')} />
    </ShellFrame>
  )
}

export function UnauthorizedScreen() {
  const t = useT()
  return (
    <ShellFrame>
      <ErrorPage code="403" title={t('error.unauthorized.title')} text={t('error.unauthorized.message')} />
    </ShellFrame>
  )
}

/** Error page at `/error?code=500`: shows the code only if it is a status. */
export function GeneralErrorScreen() {
  const t = useT()
  const { code }: { code?: unknown } = useSearch({ strict: false })
  return (
    <ShellFrame>
      <ErrorPage
        code={typeof code === 'string' && /^[45]\d\d$/.test(code) ? code : '500'}
        title={t('error.page.title')}
        text={t('error.unknown.message')}
      />
    </ShellFrame>
  )
}
