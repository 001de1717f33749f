/** The place of toasts; the list that draws them comes soon after the page, so that it can also say that there is no connection. */
import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import { patiently } from './lazy-part.ts'
import { hasWaiting, subscribeToasts } from './toast.ts'

/** The page itself comes first. */
const ahead = 3_000

export function Toasts() {
  const isWanted = useSyncExternalStore(subscribeToasts, hasWaiting)
  const [List, setList] = useState<ComponentType>()
  useEffect(() => {
    if (List) return
    let hasEnded = false
    // What waits is shown when it has come; the page stands without it.
    const load = () =>
      patiently(() => import('./toast-list.tsx')).then(
        ({ ToastList }) => hasEnded || setList(() => ToastList),
        () => undefined,
      )
    const timer = setTimeout(() => void load(), isWanted ? 0 : ahead)
    return () => {
      hasEnded = true
      clearTimeout(timer)
    }
  }, [isWanted, List])
  return List ? <List /> : null
}
