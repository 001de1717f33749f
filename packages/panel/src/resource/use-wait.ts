/** How long the server wants to be left alone after a refusal. */
import { ApiError } from '../api/api-error.ts'
import { useSecondsUntil } from './use-seconds-until.ts'

/** Seconds until a refused call may be tried again; 0 when it may be now. */
export function useWait(error: unknown): number {
  return useSecondsUntil(error instanceof ApiError ? error.retryAt : undefined)
}
