/** The thread by keyboard and by touch: arrows go from message to message, Enter or a resting finger opens what can be done with one. */
import { type RefObject, useEffect, useState } from 'react'

/** A finger that rests so long asks for the menu. */
const longPress = 500

const messageOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-message]') : null

const openMenu = (message: HTMLElement) => message.querySelector<HTMLElement>('[aria-haspopup=menu]')?.click()

/** Out: the message that the keyboard was at last, as the rows name it. */
export function useThreadKeys(box: RefObject<HTMLElement | null>): string | undefined {
  const [active, setActive] = useState<string>()
  useEffect(() => {
    const element = box.current
    if (!element) return
    const end = new AbortController()
    const { signal } = end
    let press: ReturnType<typeof setTimeout> | undefined
    let isLong = false
    const release = () => clearTimeout(press)

    const step = (from: HTMLElement | null, by: number) => {
      const all = [...element.querySelectorAll<HTMLElement>('[data-message]')]
      const bottom = element.getBoundingClientRect().bottom
      const lowest = all.findLast((each) => each.getBoundingClientRect().top < bottom) ?? all.at(-1)
      const next = from ? all[all.indexOf(from) + by] : lowest
      next?.focus()
    }
    const handleKey = (event: KeyboardEvent) => {
      const { key, shiftKey, target } = event
      const message = messageOf(target)
      // What stands in a message has keys of its own.
      if (target !== element && target !== message) return
      if (key === 'ArrowUp' || key === 'ArrowDown') step(message, key === 'ArrowUp' ? -1 : 1)
      else if (key === 'Home' || key === 'End') {
        // The browser would glide there, and stop where a row on the way turns out higher than was thought.
        element.focus({ preventScroll: true })
        element.scrollTo({ top: key === 'Home' ? 0 : element.scrollHeight, behavior: 'instant' })
      } else if (message && (key === 'Enter' || key === 'ContextMenu' || (key === 'F10' && shiftKey))) openMenu(message)
      else return
      event.preventDefault()
    }
    const startPress = ({ pointerType, target }: PointerEvent) => {
      const message = messageOf(target)
      release()
      isLong = false
      if (pointerType !== 'touch' || !message) return
      press = setTimeout(() => {
        isLong = true
        openMenu(message)
      }, longPress)
    }
    // The click of a finger that is lifted would be beside the menu, and close it.
    const endTouch = (event: TouchEvent) => {
      if (isLong && event.cancelable) event.preventDefault()
    }
    element.addEventListener('keydown', handleKey, { signal })
    element.addEventListener('focusin', ({ target }) => setActive(messageOf(target)?.dataset['message']), { signal })
    element.addEventListener('pointerdown', startPress, { signal })
    element.addEventListener('touchend', endTouch, { signal, passive: false })
    for (const name of ['pointerup', 'pointermove', 'pointercancel'] as const)
      element.addEventListener(name, release, { signal })
    return () => {
      release()
      end.abort()
    }
  }, [box])
  return active
}
