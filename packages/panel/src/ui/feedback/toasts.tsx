/**
 * The container of toasts. Its list is loaded soon after the page, so that it can also report a lost
 * connection.
 */
import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import { retryUntilOnline } from '../lazy-part.ts'
import { hasWaiting, subscribeToasts } from './toast.ts'

/** Milliseconds before the toast list loads, after the page itself. */
const preloadDelay = 3_000

export interface ToastsProps {
  /** Returns whether to load the toast list before it is needed; called repeatedly. */
  isWorthwhile?: () => boolean
}

const returnTrue = () => true

export function Toasts({ isWorthwhile = returnTrue }: ToastsProps) {
  const isWanted = useSyncExternalStore(subscribeToasts, hasWaiting)
  const [List, setList] = useState<ComponentType>()
  useEffect(() => {
    if (List) return
    let hasEnded = false
    // Pending toasts are shown once the code of the list is loaded; the page works without it.
    const load = () =>
      retryUntilOnline(() => import('./toast-list.tsx')).then(
        ({ ToastList }) => hasEnded || setList(() => ToastList),
        () => undefined,
      )
    // The code of the toast list loads at a fixed time, because a later load would disturb an open menu or
    // dialog.
    const preloadList = () => {
      if (!isWorthwhile()) return
      clearInterval(timer)
      void load()
    }
    const timer = setInterval(preloadList, preloadDelay)
    if (isWanted) void load()
    return () => {
      hasEnded = true
      clearInterval(timer)
    }
  }, [isWanted, List, isWorthwhile])
  return List ? <List /> : null
}
