/** Counts the seconds down to a moment. */
import { useEffect, useState } from 'react'

const secondsTo = (until: number | undefined) => Math.max(0, Math.ceil(((until ?? 0) - Date.now()) / 1000))

/** Seconds that are left; 0 when the moment is past, or none is given. */
export function useSecondsUntil(until: number | undefined): number {
  const [, setNow] = useState(0)
  const left = secondsTo(until)
  const isWaiting = left > 0
  useEffect(() => {
    if (!isWaiting) return undefined
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isWaiting, until])
  return left
}
