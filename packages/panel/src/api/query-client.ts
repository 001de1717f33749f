/** The cache of server data, and the one place where its failures become toasts. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /**
     * `inPlace`: the screen draws the failure itself, no toast besides. `hearsItself`: events of its own keep it up to
     * date, so that the general news of changes need not ask for it again.
     */
    queryMeta: { inPlace?: boolean; hearsItself?: boolean }
    /** `missed`: what a toast is called by when the screen has gone by the time it fails. `handled`: who sent it sees to its failure then, too. */
    mutationMeta: { inPlace?: boolean; missed?: string; handled?: boolean }
  }
}

/** What is known of a call that failed. */
export interface FailedCall {
  /** It was to read, not to change anything. */
  reads: boolean
  /** The screen draws the failure itself. */
  inPlace: boolean
  /** The screen that would have drawn it has gone: what the toast is called by, in words or empty. */
  missed?: string
}

/** Only a lost connection is tried again, and only when reading: an answer would be the same the next time. */
function shouldRetry(failures: number, error: unknown): boolean {
  return error instanceof ApiError && error.unanswered === 'network' && failures < 2
}

/** In: what to do with a failure (the app shows the toast and ends a dead session). */
export function buildQueryClient(onFailure: (error: ApiError, how: FailedCall) => void): QueryClient {
  const report = (error: unknown, how: FailedCall) => {
    if (error instanceof ApiError) onFailure(error, how)
  }
  // Who looks at a change that is under way: nobody any more when its screen was left or its question closed.
  const lookingOn = new WeakMap<object, number>()
  const mutationCache = new MutationCache({
    onError: (error, _variables, _result, mutation) => {
      const { inPlace = false, missed = '', handled = false } = mutation.meta ?? {}
      const isMissed = inPlace && !handled && !lookingOn.get(mutation)
      const { cause } = error
      report(isMissed && cause instanceof ApiError ? cause : error, {
        reads: false,
        inPlace: inPlace && !isMissed,
        ...(isMissed && { missed }),
      })
    },
  })
  mutationCache.subscribe(({ type, mutation }) => {
    const step = type === 'observerAdded' ? 1 : type === 'observerRemoved' ? -1 : 0
    if (mutation && step !== 0) lookingOn.set(mutation, (lookingOn.get(mutation) ?? 0) + step)
  })
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { meta }) => report(error, { reads: true, inPlace: meta?.inPlace === true }),
    }),
    mutationCache,
    defaultOptions: {
      queries: {
        retry: shouldRetry,
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        networkMode: 'always',
        // What could not be read without a connection is read when there is one again.
        refetchOnReconnect: ({ state: { error } }) => error instanceof ApiError && error.unanswered !== undefined,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
