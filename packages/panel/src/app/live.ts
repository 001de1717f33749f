/** Keeps the panel's socket open while a user is signed in; its code is loaded after the first page. */
import { hashKey, type QueryClient } from '@tanstack/react-query'
import { meQuery } from '../api/session.ts'

/** Milliseconds before the socket loads: the first page needs the connection first. */
const liveDelay = 1_500

/** Keeps the socket open for the signed-in user until the page is closed. */
export function maintainLiveUpdates(cache: QueryClient): void {
  const me = hashKey(meQuery.queryKey)
  let loadController: AbortController | undefined

  const start = async (signal: AbortSignal) => {
    const [{ startLiveUpdates }, { startSender }, { renewPush }] = await Promise.all([
      import('../resource/live/updates.ts'),
      import('../features/chat/outbox/sender.ts'),
      import('../account/notices/push.ts'),
    ])
    const user = cache.getQueryData(meQuery.queryKey)?.id
    if (signal.aborted || user === undefined) return
    // Send chat messages that were pending when the page was left, whatever page is open now.
    void startSender(cache, user)
    // Without a subscription the inbox still has every notice.
    void renewPush(user).catch(() => {})
    const stopUpdates = startLiveUpdates(cache, () => void cache.invalidateQueries({ queryKey: meQuery.queryKey }))
    signal.addEventListener('abort', stopUpdates)
  }
  cache.getQueryCache().subscribe(({ query, type }) => {
    if (query.queryHash !== me) return
    if (type === 'removed') {
      loadController?.abort()
      loadController = undefined
    } else if (query.state.data !== undefined && !loadController) {
      const { signal } = (loadController = new AbortController())
      // A panel without a socket still works, but learns of changes only by its own requests.
      setTimeout(() => void start(signal).catch(() => {}), liveDelay)
    }
  })
}
