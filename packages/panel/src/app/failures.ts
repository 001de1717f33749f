/**
 * Handles failed calls: shows the toast of the error, ends a session that the server no longer knows, and
 * leads to the second step.
 */
import type { QueryClient } from '@tanstack/react-query'
import type { ApiError } from '../api/api-error.ts'
import { type ErrorPlace, noticeOfError, messageOfFailure } from '../api/error-toasts.ts'
import type { FailedCall } from '../api/query-client.ts'
import { viewAs } from '../api/renew.ts'
import { forgetSession, hasToken } from '../api/session.ts'
import { t } from '../lib/i18n.ts'
import { showToast } from '../ui/feedback/toast.ts'
import { isUserScreen } from './guard.ts'
import type { AppRouter } from './router.tsx'

const securityPage = '/app/profile/security'

const errorScreenOf = (pathname: string): ErrorPlace =>
  pathname === '/user/login' ? 'login' : isUserScreen(pathname) ? 'account' : 'panel'

/**
 * Handles a failed call of the API. `isShownInPlace`: the screen shows the failure itself; `missed`: it would have,
 * but is no longer open. A 401 ends the session in every case (requirements §8).
 */
export function handleFailure(
  error: ApiError,
  { isQuery, isShownInPlace: inPlace, missed }: FailedCall,
  router: AppRouter,
  queryClient: QueryClient,
): void {
  const { pathname, href } = router.state.location
  // A role that requires two-step sign-in first sets it up: the security page helps, and explains why.
  if (error.code === 'auth.two-step-required') {
    if (pathname === securityPage || isUserScreen(pathname)) return
    // Unsaved input of the page stays as a draft after the sign-out.
    void router.navigate({ to: securityPage, search: { from: href }, replace: true, ignoreBlocker: true })
    return
  }
  const isSessionEnded = error.status === 401
  // The server decides which roles may be viewed: return to the user's own role.
  if (error.code === 'access.view-as') void viewAs(queryClient, undefined)
  // Failures of calls that ended with the session, or that were repeated without it, are not reported again.
  const isRedundant = isSessionEnded && !hasToken() && (isQuery || inPlace || !isUserScreen(pathname))
  if (!isRedundant && (!inPlace || isSessionEnded)) {
    const notice =
      missed === undefined || isSessionEnded
        ? noticeOfError(error, errorScreenOf(pathname))
        : { title: missed || t('error.unknown.title'), text: messageOfFailure(error) }
    if (notice) showToast({ kind: 'error', ...notice })
  }
  if (!isSessionEnded || !hasToken()) return
  forgetSession()
  // Clear the cache last: screens that are still mounted would repeat their calls without a token.
  void router.navigate({ to: '/user/login', search: { from: href }, replace: true }).finally(() => queryClient.clear())
}
