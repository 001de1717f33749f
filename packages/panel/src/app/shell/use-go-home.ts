/** The two keys that lead to the first page from anywhere, one after the other. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { isPressed, isSecond, isTyping, shortcuts } from '../../lib/keys/shortcuts.ts'
import { homePath } from '../pages.ts'

/** The second key counts within this time after the first, in milliseconds of the events. */
const longestPause = 1_000

/** Listens as long as the component is shown; a key that the page has used is none of these. */
export function useGoHome(): void {
  const navigate = useNavigate()
  const first = useRef<number | undefined>(undefined)
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const since = first.current
    first.current = undefined
    if (event.defaultPrevented || isTyping(event.target)) return
    if (since !== undefined && event.timeStamp - since <= longestPause && isSecond(event, shortcuts.everywhere.home)) {
      event.preventDefault()
      void navigate({ to: `/app/${homePath}` })
    } else if (isPressed(event, shortcuts.everywhere.home)) first.current = event.timeStamp
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handleKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
