/** The place of toasts; the list that draws them comes soon after the page, so that it can also say that there is no connection. */
import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import { hasWaiting, subscribeToasts } from './toast.ts'

/** The page itself comes first. */
const ahead = 3_000
/** Without a connection it is asked for again. */
const again = 5_000

export function Toasts() {
  const isWanted = useSyncExternalStore(subscribeToasts, hasWaiting)
  const [List, setList] = useState<ComponentType>()
  useEffect(() => {
    if (List) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let hasEnded = false
    const load = async () => {
      try {
        const { ToastList } = await import('./toast-list.tsx')
        setList(() => ToastList)
      } catch {
        // What waits is shown when it has come; the page stands without it.
        if (!hasEnded) timer = setTimeout(() => void load(), again)
      }
    }
    if (isWanted) void load()
    else timer = setTimeout(() => void load(), ahead)
    return () => {
      hasEnded = true
      clearTimeout(timer)
    }
  }, [isWanted, List])
  return List ? <List /> : null
}
