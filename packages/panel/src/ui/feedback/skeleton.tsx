/** A placeholder with the size of the loading content; it appears only after 150 ms and does not shimmer. */
import { type ReactNode, useEffect, useState } from 'react'
import { cx } from '../../lib/class-names.ts'

const skeletonDelay = 150

export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden data-skeleton className={cx('block rounded-1 bg-line', className)} />
}

/** Shows the skeleton after 150 ms: a fast answer never flashes one. */
export function DelayedContent({ children }: { children: ReactNode }) {
  const [isShown, setIsShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), skeletonDelay)
    return () => clearTimeout(timer)
  }, [])
  return isShown ? children : null
}
