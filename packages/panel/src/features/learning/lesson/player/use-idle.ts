/**
 * Decides whether the controls of a playing video may hide: only while the mouse rests, and never with the
 * focus.
 */
import { type RefObject, useEffect, useState } from 'react'

/** Milliseconds without a movement of the mouse before the player's controls hide. */
const idleDelay = 3_000

export function useIdle(box: RefObject<HTMLElement | null>, isPlaying: boolean): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    const element = box.current
    if (!element || !isPlaying) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const hideControls = () => setIdle(!element.querySelector(':focus-visible, [aria-expanded="true"]'))
    const restartTimer = ({ pointerType }: { pointerType?: string }) => {
      clearTimeout(timer)
      setIdle(false)
      timer = pointerType === 'mouse' ? setTimeout(hideControls, idleDelay) : undefined
    }
    const handlePointer = (event: PointerEvent) => restartTimer(event)
    const handleFocus = () => restartTimer({})
    element.addEventListener('pointermove', handlePointer)
    element.addEventListener('pointerdown', handlePointer)
    element.addEventListener('focusin', handleFocus)
    return () => {
      clearTimeout(timer)
      setIdle(false)
      element.removeEventListener('pointermove', handlePointer)
      element.removeEventListener('pointerdown', handlePointer)
      element.removeEventListener('focusin', handleFocus)
    }
  }, [box, isPlaying])
  return isIdle
}
