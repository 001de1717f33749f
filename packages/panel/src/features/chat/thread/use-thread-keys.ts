/**
 * Keyboard and touch in the thread: arrow keys move between messages, Enter or a long press opens the menu of
 * one.
 */
import { type RefObject, useEffect, useState } from 'react'

/** Milliseconds of a press that opens the menu of a message. */
const longPressTime = 500

const messageOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-message]') : null

const openMenu = (message: HTMLElement) => message.querySelector<HTMLElement>('[aria-haspopup=menu]')?.click()

/** Key of the message in the thread that had the focus last. */
export function useThreadKeys(box: RefObject<HTMLElement | null>): string | undefined {
  const [activeKey, setActive] = useState<string>()
  useEffect(() => {
    const element = box.current
    if (!element) return
    const end = new AbortController()
    const { signal } = end
    let pressTimer: ReturnType<typeof setTimeout> | undefined
    let isLong = false
    const cancelPress = () => clearTimeout(pressTimer)

    const step = (startElement: HTMLElement | null, offset: number) => {
      const messageElements = [...element.querySelectorAll<HTMLElement>('[data-message]')]
      const bottom = element.getBoundingClientRect().bottom
      const lowestVisible =
        messageElements.findLast((messageElement) => messageElement.getBoundingClientRect().top < bottom) ??
        messageElements.at(-1)
      const nextMessage = startElement ? messageElements[messageElements.indexOf(startElement) + offset] : lowestVisible
      nextMessage?.focus()
    }
    const handleKey = (event: KeyboardEvent) => {
      const { key, shiftKey, target } = event
      const message = messageOf(target)
      // Elements inside a message, such as links, have keys of their own.
      if (target !== element && target !== message) return
      if (key === 'ArrowUp' || key === 'ArrowDown') step(message, key === 'ArrowUp' ? -1 : 1)
      else if (key === 'Home' || key === 'End') {
        // The browser's own Home and End scroll smoothly and stop where an estimated row height was wrong.
        element.focus({ preventScroll: true })
        element.scrollTo({ top: key === 'Home' ? 0 : element.scrollHeight, behavior: 'instant' })
      } else if (message && (key === 'Enter' || key === 'ContextMenu' || (key === 'F10' && shiftKey))) openMenu(message)
      else return
      event.preventDefault()
    }
    const startPress = ({ pointerType, target }: PointerEvent) => {
      const message = messageOf(target)
      cancelPress()
      isLong = false
      if (pointerType !== 'touch' || !message) return
      pressTimer = setTimeout(() => {
        isLong = true
        openMenu(message)
      }, longPressTime)
    }
    // The browser's click after a long press would land beside the opened menu and close it.
    const endTouchPress = (event: TouchEvent) => {
      if (isLong && event.cancelable) event.preventDefault()
    }
    element.addEventListener('keydown', handleKey, { signal })
    element.addEventListener('focusin', ({ target }) => setActive(messageOf(target)?.dataset['message']), { signal })
    element.addEventListener('pointerdown', startPress, { signal })
    element.addEventListener('touchend', endTouchPress, { signal, passive: false })
    for (const name of ['pointerup', 'pointermove', 'pointercancel'] as const)
      element.addEventListener(name, cancelPress, { signal })
    return () => {
      cancelPress()
      end.abort()
    }
  }, [box])
  return activeKey
}
