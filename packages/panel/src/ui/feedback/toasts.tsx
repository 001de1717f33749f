/** The place of toasts; the list that draws them comes soon after the page, so that it can also say that there is no connection. */
import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import { patiently } from '../lazy-part.ts'
import { hasWaiting, subscribeToasts } from './toast.ts'

/** The page itself comes first. */
const ahead = 3_000

export interface ToastsProps {
  /** Whether the list is worth having before it is needed; asked again until it is. */
  isWorthwhile?: () => boolean
}

const always = () => true

export function Toasts({ isWorthwhile = always }: ToastsProps) {
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
    // At a fixed time: a list that came while a menu or a dialog is open would disturb it.
    const loadAhead = () => {
      if (!isWorthwhile()) return
      clearInterval(timer)
      void load()
    }
    const timer = setInterval(loadAhead, ahead)
    if (isWanted) void load()
    return () => {
      hasEnded = true
      clearInterval(timer)
    }
  }, [isWanted, List, isWorthwhile])
  return List ? <List /> : null
}
