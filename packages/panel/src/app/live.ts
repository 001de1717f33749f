/** Keeps the panel's socket open while somebody is signed in; its program comes after the first page. */
import { hashKey, type QueryClient } from '@tanstack/react-query'
import { meQuery } from '../api/session.ts'

/** The first page has the link to itself. */
const afterFirstPage = 1_500

/** Watches who is signed in, for as long as the page lives. */
export function keepLive(cache: QueryClient): void {
  const me = hashKey(meQuery.queryKey)
  let running: AbortController | undefined

  const start = async (signal: AbortSignal) => {
    const [{ startLiveUpdates }, { startSender }] = await Promise.all([
      import('../resource/live/updates.ts'),
      import('../features/chat/outbox/sender.ts'),
    ])
    const user = cache.getQueryData(meQuery.queryKey)?.id
    if (signal.aborted || user === undefined) return
    // What was written before the page was left goes on its way, whatever is on screen now.
    void startSender(cache, user)
    const stop = startLiveUpdates(cache, () => void cache.invalidateQueries({ queryKey: meQuery.queryKey }))
    signal.addEventListener('abort', stop)
  }
  cache.getQueryCache().subscribe(({ query, type }) => {
    if (query.queryHash !== me) return
    if (type === 'removed') {
      running?.abort()
      running = undefined
    } else if (query.state.data !== undefined && !running) {
      const { signal } = (running = new AbortController())
      // Without it the panel works as ever: it only learns of changes when it asks.
      setTimeout(() => void start(signal).catch(() => {}), afterFirstPage)
    }
  })
}
