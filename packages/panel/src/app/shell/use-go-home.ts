/** The two-key shortcut that leads to the home page. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { isPressed, isSecondKey, isTyping, shortcuts } from '../../lib/keys/shortcuts.ts'
import { homePath } from '../pages.ts'

/** The longest time between the two keys that lead to the home page, in milliseconds of the events. */
const maxInterval = 1_000

/**
 * Listens for the two-key shortcut to the home page while the component is shown; keys handled by the page
 * are ignored.
 */
export function useGoHome(): void {
  const navigate = useNavigate()
  const firstPressTime = useRef<number | undefined>(undefined)
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const pressedAt = firstPressTime.current
    firstPressTime.current = undefined
    if (event.defaultPrevented || isTyping(event.target)) return
    if (
      pressedAt !== undefined &&
      event.timeStamp - pressedAt <= maxInterval &&
      isSecondKey(event, shortcuts.everywhere.home)
    ) {
      event.preventDefault()
      void navigate({ to: `/app/${homePath}` })
    } else if (isPressed(event, shortcuts.everywhere.home)) firstPressTime.current = event.timeStamp
  })
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => handleKey(event)
    window.addEventListener('keydown', handleKeyDown)
    return () => window.removeEventListener('keydown', handleKeyDown)
  }, [])
}
