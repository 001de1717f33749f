/** The present moment, updated every half minute: for texts that show how long something has waited. */
import { useSyncExternalStore } from 'react'

const step = 30_000
let now = new Date()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = new Date()
    for (const notifyListener of listeners) notifyListener()
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
    // The clock of the present moment stops while no component uses it.
    if (timer === undefined && Date.now() - now.getTime() > step) now = new Date()
    return now
  })
}
