/** The place of toasts; the list that draws them is loaded with the first one. */
import { lazy, Suspense, useSyncExternalStore } from 'react'
import { hasWaiting, subscribeToasts } from './toast.ts'

const ToastList = lazy(async () => ({ default: (await import('./toast-list.tsx')).ToastList }))

let started = false

export function Toasts() {
  const wanted = useSyncExternalStore(subscribeToasts, () => (started ||= hasWaiting()))
  if (!wanted) return null
  return (
    <Suspense fallback={null}>
      <ToastList />
    </Suspense>
  )
}
