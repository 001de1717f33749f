/** The present moment, renewed every half minute: for words that tell how long something has been waiting. */
import { useSyncExternalStore } from 'react'

const step = 30_000
let now = new Date()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = new Date()
    for (const each of listeners) each()
  }, step)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

export function useNow(): Date {
  return useSyncExternalStore(subscribe, () => {
    // A clock that nobody watched for a while has stopped.
    if (timer === undefined && Date.now() - now.getTime() > step) now = new Date()
    return now
  })
}
