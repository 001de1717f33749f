/** Shortcuts of the review: letters by physical key, and none while the user types. */
import { useEffect, useRef } from 'react'
import { isPressed, isTyping, shortcuts } from '../../../lib/keys/shortcuts.ts'

export type ReviewKeys = Partial<Record<keyof typeof shortcuts.review, () => void>> & {
  /** Chooses the reason whose digit was pressed, counted from 1. */
  reason?: (index: number) => void
}

const names = Object.keys(shortcuts.review) as (keyof typeof shortcuts.review)[]

/** Whether a dialog or a menu is open over the review: it handles its own keys. */
const isCovered = () => document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]') !== null

/** Listens to the keys of the review while the screen is mounted. */
export function useReviewKeys(keys: ReviewKeys): void {
  const latestKeys = useRef(keys)
  useEffect(() => {
    latestKeys.current = keys
  })
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isCovered()) return
      const isWriting =
        isTyping(event.target) && !(event.target instanceof HTMLElement && event.target.matches('[type=checkbox]'))
      const digit = /^Digit([1-9])$/.exec(event.code)?.[1]
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey
      if (digit && !hasModifier && !isWriting && latestKeys.current.reason) {
        event.preventDefault()
        latestKeys.current.reason(Number(digit) - 1)
        return
      }
      const name = names.find((shortcutName) => isPressed(event, shortcuts.review[shortcutName]))
      const action = name && latestKeys.current[name]
      if (!name || !action || (isWriting && name !== 'send' && name !== 'clear')) return
      event.preventDefault()
      action()
    }
    window.addEventListener('keydown', handleKeyDown)
    return () => window.removeEventListener('keydown', handleKeyDown)
  }, [])
}
