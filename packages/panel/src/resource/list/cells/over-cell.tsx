/** A box over a cell of the list: it takes the cell's place on the page and scrolls with it. */
import { type CSSProperties, type ReactNode, type RefObject, useEffectEvent, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'

interface OverCellProps {
  cell: HTMLElement
  label: string
  box: RefObject<HTMLDialogElement | null>
  /** A key that nothing inside has taken. */
  onKey: (event: KeyboardEvent) => void
  /** A press or the focus went elsewhere; a list or a calendar that was opened from here is no elsewhere. */
  onLeave: () => void
  children: ReactNode
}

const least = 240
const most = 440
const edge = 8

/** From the start of its cell on, shifted where the window has no room for the least width. */
function placeOver(cell: HTMLElement): CSSProperties {
  const { left, right, top, width } = cell.getBoundingClientRect()
  const { clientWidth: room } = document.documentElement
  const start = getComputedStyle(cell).direction === 'rtl' ? room - right : left
  const minInlineSize = Math.min(Math.max(width, least), room - 2 * edge)
  const insetInlineStart = Math.max(edge, Math.min(start, room - edge - minInlineSize))
  const maxInlineSize = Math.max(minInlineSize, Math.min(most, room - edge - insetInlineStart))
  return { insetBlockStart: top + window.scrollY, insetInlineStart, minInlineSize, maxInlineSize }
}

// A popover of the library measures the page three times and follows it, for which a press of a key paid twice over.
export function OverCell({ cell, label, box, onKey, onLeave, children }: OverCellProps) {
  const [place] = useState(() => placeOver(cell))
  const handle = useEffectEvent((event: Event) => {
    const { target } = event
    if (!(target instanceof Element) || target.closest('[data-base-ui-portal]')) return
    const isHere = box.current?.contains(target)
    // The key that opened the box is still on its way up when it stands.
    if (event instanceof KeyboardEvent) {
      if (isHere && !event.defaultPrevented && !event.isComposing) onKey(event)
    } else if (!isHere) onLeave()
  })
  // Not a moment longer than the box stands: the focus that goes on to the next cell would count as leaving it.
  useLayoutEffect(() => {
    const end = new AbortController()
    for (const event of ['pointerdown', 'focusin', 'keydown'])
      document.addEventListener(event, (happened) => handle(happened), { signal: end.signal })
    return () => end.abort()
  }, [])
  return createPortal(
    <dialog
      open
      ref={box}
      aria-label={label}
      style={place}
      className="absolute inset-e-auto m-0 w-max rounded-2 border-0 bg-surface p-1 text-inherit shadow-2 z-(--z-dialog)"
    >
      {children}
    </dialog>,
    document.body,
  )
}
