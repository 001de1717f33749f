/** One browser has one session: a tab follows what another one does to it. */
import type { QueryClient } from '@tanstack/react-query'
import { returnAddress } from '../account/sign-in/return-address.ts'
import { tellSessionEnd } from '../lib/session-end.ts'
import { storageKeys } from '../lib/storage-keys.ts'
import { isUserScreen } from './guard.ts'
import type { createRouter } from './router.tsx'

/**
 * After a sign-out elsewhere this tab leads to the sign-in page too; after another sign-in it begins anew as that
 * reader. What is being written stays as a draft of whoever wrote it.
 */
export function followOtherTabs(router: ReturnType<typeof createRouter>, cache: QueryClient): void {
  // Only of changes by other tabs.
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key !== storageKeys.token) return
    const { href, pathname, searchStr } = router.state.location
    if (newValue !== null) {
      if (!isUserScreen(pathname)) return location.reload()
      const from = new URLSearchParams(searchStr).get('from')
      return void router.navigate({ href: returnAddress(from), replace: true })
    }
    tellSessionEnd()
    const way = { to: '/user/login', search: { from: href }, replace: true, ignoreBlocker: true } as const
    void router.navigate(way).finally(() => cache.clear())
  })
}
