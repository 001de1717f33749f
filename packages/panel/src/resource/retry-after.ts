/** Counts down the seconds until the server accepts calls again after a refusal. */
import { useEffect, useState } from 'react'
import { ApiError } from '../api/api-error.ts'

const secondsTo = (endTime: number | undefined) => Math.max(0, Math.ceil(((endTime ?? 0) - Date.now()) / 1000))

/** Seconds until a moment; 0 when the moment is past, or no moment is given. */
export function useSecondsUntil(endTime: number | undefined): number {
  const [, setNow] = useState(0)
  const secondsLeft = secondsTo(endTime)
  const isWaiting = secondsLeft > 0
  useEffect(() => {
    if (!isWaiting) return undefined
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isWaiting, endTime])
  return secondsLeft
}

/** Seconds until a refused call may be repeated; 0 when the call may be repeated now. */
export function useWait(error: unknown): number {
  return useSecondsUntil(error instanceof ApiError ? error.retryTime : undefined)
}
