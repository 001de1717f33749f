/** Opens the pages of pressed notifications, and renews the subscription of the browser. */
import type { QueryClient } from '@tanstack/react-query'
import { meQuery } from '../api/session.ts'
import type { createRouter } from './router.tsx'
import { parseSearch } from './search.ts'

/** Messages of the service worker to a page of the panel. */
type WorkerMessage = { type: 'open'; address: string } | { type: 'subscription' }

/** Follows the messages of the service worker, until the page is closed. */
export function followNotifications(router: ReturnType<typeof createRouter>, cache: QueryClient): void {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
    if (data.type === 'open') {
      const [targetPath = '/app', query = ''] = data.address.split('?')
      void router.navigate({ to: targetPath, search: parseSearch(query) })
      return
    }
    const user = cache.getQueryData(meQuery.queryKey)?.id
    if (user === undefined) return
    void import('../account/notices/push.ts').then(({ renewPush }) => renewPush(user)).catch(() => {})
  })
}
