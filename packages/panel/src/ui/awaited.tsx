/**
 * A part of the page that opens as soon as its code is loaded: usually immediately, without a connection when
 * it is back.
 */
import { type ReactNode, Suspense, useEffect, useEffectEvent } from 'react'

export interface AwaitedProps {
  /** Placeholder that is shown until the component is loaded. */
  fallback?: ReactNode
  /** Called when the user no longer waits for the component: opening it later would take the focus away. */
  onGiveUp: () => void
  children: ReactNode
}

export function AwaitedPart({ fallback = null, onGiveUp, children }: AwaitedProps) {
  return <Suspense fallback={<WaitingNotice onGiveUp={onGiveUp}>{fallback}</WaitingNotice>}>{children}</Suspense>
}

const leavingKeys = new Set(['Tab', 'Escape'])

function WaitingNotice({ onGiveUp, children }: Omit<AwaitedProps, 'fallback'>) {
  const giveUpWaiting = useEffectEvent(onGiveUp)
  useEffect(() => {
    const end = new AbortController()
    const options = { signal: end.signal, capture: true }
    document.addEventListener('pointerdown', () => giveUpWaiting(), options)
    document.addEventListener('keydown', ({ key }) => leavingKeys.has(key) && giveUpWaiting(), options)
    return () => end.abort()
  }, [])
  return children
}
