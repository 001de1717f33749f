/** One browser has one session: each tab follows changes of the session in other tabs. */
import type { QueryClient } from '@tanstack/react-query'
import { returnAddress } from '../account/sign-in/return-address.ts'
import { emitSessionEnd } from '../lib/session-end.ts'
import { storageKeys } from '../lib/storage-keys.ts'
import { isUserScreen } from './guard.ts'
import type { createRouter } from './router.tsx'

/**
 * After a sign-out elsewhere this tab opens the sign-in page too; after another sign-in it reloads for that
 * user. Drafts stay with the user who wrote them.
 */
export function followOtherTabs(router: ReturnType<typeof createRouter>, cache: QueryClient): void {
  // The storage event reports changes by other tabs only.
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key !== storageKeys.token) return
    const { href, pathname, searchStr } = router.state.location
    if (newValue !== null) {
      if (!isUserScreen(pathname)) return location.reload()
      const requestedPath = new URLSearchParams(searchStr).get('from')
      return void router.navigate({ href: returnAddress(requestedPath), replace: true })
    }
    emitSessionEnd()
    const navigation = { to: '/user/login', search: { from: href }, replace: true, ignoreBlocker: true } as const
    void router.navigate(navigation).finally(() => cache.clear())
  })
}
