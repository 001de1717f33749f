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
    mutationMeta: { inPlace?: boolean }
  }
}

/** What is known of a call that failed. */
export interface FailedCall {
  /** It was to read, not to change anything. */
  reads: boolean
  /** The screen draws the failure itself. */
  inPlace: boolean
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
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { meta }) => report(error, { reads: true, inPlace: meta?.inPlace === true }),
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, { meta }) =>
        report(error, { reads: false, inPlace: meta?.inPlace === true }),
    }),
    defaultOptions: {
      queries: { retry: shouldRetry, staleTime: 30_000, refetchOnWindowFocus: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
