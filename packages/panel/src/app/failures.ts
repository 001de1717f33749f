/** What happens when a call fails: the toast of the one table, the end of a session the server no longer knows, the way to a second step. */
import type { QueryClient } from '@tanstack/react-query'
import type { ApiError } from '../api/api-error.ts'
import { type ErrorPlace, noticeOfError, wordsOfFailure } from '../api/error-toasts.ts'
import type { FailedCall } from '../api/query-client.ts'
import { viewAs } from '../api/renew.ts'
import { forgetSession, hasToken } from '../api/session.ts'
import { t } from '../lib/i18n.ts'
import { showToast } from '../ui/feedback/toast.ts'
import { isUserScreen } from './guard.ts'
import type { AppRouter } from './router.tsx'

const securityPage = '/app/profile/security'

const placeOf = (pathname: string): ErrorPlace =>
  pathname === '/user/login' ? 'login' : isUserScreen(pathname) ? 'account' : 'panel'

/**
 * Handles a failed call. `inPlace`: the screen draws it itself; `missed`: it would have, and has gone. A 401 ends the
 * session all the same (requirements §8).
 */
export function handleFailure(
  error: ApiError,
  { reads, inPlace, missed }: FailedCall,
  router: AppRouter,
  queryClient: QueryClient,
): void {
  const { pathname, href } = router.state.location
  // The role wants a second step first: only the page that sets it up is of any use now, and it says so itself.
  if (error.code === 'auth.two-step-required') {
    if (pathname === securityPage || isUserScreen(pathname)) return
    // What is being written stays as a draft.
    void router.navigate({ to: securityPage, search: { from: href }, replace: true, ignoreBlocker: true })
    return
  }
  const ended = error.status === 401
  // The server knows better whom one may look as: the panel is shown as it is.
  if (error.code === 'access.view-as') void viewAs(queryClient, undefined)
  // What was still on its way when the session ended, or was read again without one, says nothing new.
  const echo = ended && !hasToken() && (reads || inPlace || !isUserScreen(pathname))
  if (!echo && (!inPlace || ended)) {
    const notice =
      missed === undefined || ended
        ? noticeOfError(error, placeOf(pathname))
        : { title: missed || t('error.unknown.title'), text: wordsOfFailure(error) }
    if (notice) showToast({ kind: 'error', ...notice })
  }
  if (!ended || !hasToken()) return
  forgetSession()
  // The cache goes last: screens still drawn would ask again without a token.
  void router.navigate({ to: '/user/login', search: { from: href }, replace: true }).finally(() => queryClient.clear())
}
