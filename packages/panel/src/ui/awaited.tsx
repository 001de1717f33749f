/** A part that opens as soon as its code has come: at once as a rule, and with the connection where there is none. */
import { type ReactNode, Suspense, useEffect, useEffectEvent } from 'react'

export interface AwaitedProps {
  /** What stands there meanwhile. */
  fallback?: ReactNode
  /** Told when the reader goes on elsewhere: what opens later would take the keys from under his hands. */
  onGiveUp: () => void
  children: ReactNode
}

export function Awaited({ fallback = null, onGiveUp, children }: AwaitedProps) {
  return <Suspense fallback={<Waiting onGiveUp={onGiveUp}>{fallback}</Waiting>}>{children}</Suspense>
}

const leaving = new Set(['Tab', 'Escape'])

function Waiting({ onGiveUp, children }: Omit<AwaitedProps, 'fallback'>) {
  const giveUp = useEffectEvent(onGiveUp)
  useEffect(() => {
    const end = new AbortController()
    const options = { signal: end.signal, capture: true }
    document.addEventListener('pointerdown', () => giveUp(), options)
    document.addEventListener('keydown', ({ key }) => leaving.has(key) && giveUp(), options)
    return () => end.abort()
  }, [])
  return children
}
