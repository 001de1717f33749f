/** The cache of server data, and the one place where its failures become toasts. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /**
     * `inPlace`: the screen shows the failure itself, without a toast. `hearsItself`: events of its own keep
     * the query up to date, so general updates need not refetch it.
     */
    queryMeta: { inPlace?: boolean; hearsItself?: boolean }
    /**
     * `missed`: the subject of the toast when the screen has been left before the failure. `handled`: the
     * code that sent the change deals with its failure even then.
     */
    mutationMeta: { inPlace?: boolean; missed?: string; handled?: boolean }
  }
}

/** Details of a failed API call. */
export interface FailedCall {
  /** Whether the failed call only read data. */
  isQuery: boolean
  /** Whether the screen that made the call shows the failure itself. */
  isShownInPlace: boolean
  /**
   * Subject of the toast, or an empty text, when the screen that would have shown the failure has been left.
   */
  missed?: string
}

/** Repeats only reads, and only after a lost connection: any answer would be the same the next time. */
function shouldRetry(failures: number, error: unknown): boolean {
  return error instanceof ApiError && error.unansweredReason === 'network' && failures < 2
}

/**
 * Builds the query client, which caches the answers of the API.
 *
 * @param onFailure - Handles a failure (the app shows the toast and ends a dead session).
 */
export function buildQueryClient(onFailure: (error: ApiError, call: FailedCall) => void): QueryClient {
  const report = (error: unknown, call: FailedCall) => {
    if (error instanceof ApiError) onFailure(error, call)
  }
  // Number of components that observe each pending mutation: 0 once the user has left its screen.
  const observerCounts = new WeakMap<object, number>()
  const mutationCache = new MutationCache({
    onError: (error, _variables, _result, mutation) => {
      const { inPlace = false, missed = '', handled = false } = mutation.meta ?? {}
      const isMissed = inPlace && !handled && !observerCounts.get(mutation)
      const { cause } = error
      report(isMissed && cause instanceof ApiError ? cause : error, {
        isQuery: false,
        isShownInPlace: inPlace && !isMissed,
        ...(isMissed && { missed }),
      })
    },
  })
  mutationCache.subscribe(({ type, mutation }) => {
    const step = type === 'observerAdded' ? 1 : type === 'observerRemoved' ? -1 : 0
    if (mutation && step !== 0) observerCounts.set(mutation, (observerCounts.get(mutation) ?? 0) + step)
  })
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { meta }) => report(error, { isQuery: true, isShownInPlace: meta?.inPlace === true }),
    }),
    mutationCache,
    defaultOptions: {
      queries: {
        retry: shouldRetry,
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        networkMode: 'always',
        // Queries that failed without a connection are repeated when it is back.
        refetchOnReconnect: ({ state: { error } }) => error instanceof ApiError && error.unansweredReason !== undefined,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
