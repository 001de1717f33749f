/** A box over a cell of the list: it has the cell's position on the page and scrolls with it. */
import { type CSSProperties, type ReactNode, type RefObject, useEffectEvent, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'

interface CellOverlayProps {
  cell: HTMLElement
  label: string
  box: RefObject<HTMLDialogElement | null>
  /** Called with a key that no child of the box has handled. */
  onKey: (event: KeyboardEvent) => void
  /** Called when a press or the focus leaves the box; a list or calendar opened from it does not count. */
  onLeave: () => void
  children: ReactNode
}

const minWidth = 240
const maxWidth = 440
const margin = 8

/** Places the box at the cell's edge, shifted where the window has no space for the minimum width. */
function placeOverCell(cell: HTMLElement): CSSProperties {
  const { left, right, top, width } = cell.getBoundingClientRect()
  const { clientWidth: room } = document.documentElement
  const start = getComputedStyle(cell).direction === 'rtl' ? room - right : left
  const minInlineSize = Math.min(Math.max(width, minWidth), room - 2 * margin)
  const insetInlineStart = Math.max(margin, Math.min(start, room - margin - minInlineSize))
  const maxInlineSize = Math.max(minInlineSize, Math.min(maxWidth, room - margin - insetInlineStart))
  return { insetBlockStart: top + window.scrollY, insetInlineStart, minInlineSize, maxInlineSize }
}

// The box over a cell is no popover of the library, which would measure the page three times for each key
// press.
export function CellOverlay({ cell, label, box, onKey, onLeave, children }: CellOverlayProps) {
  const [style] = useState(() => placeOverCell(cell))
  const handleOutside = useEffectEvent((event: Event) => {
    const { target } = event
    if (!(target instanceof Element) || target.closest('[data-base-ui-portal]')) return
    const isInBox = box.current?.contains(target)
    // The key press that opened the box still bubbles when the box mounts, so keys from outside it are
    // ignored.
    if (event instanceof KeyboardEvent) {
      if (isInBox && !event.defaultPrevented && !event.isComposing) onKey(event)
    } else if (!isInBox) onLeave()
  })
  // A layout effect removes these listeners together with the box: focus on the next cell would otherwise
  // count as leaving it.
  useLayoutEffect(() => {
    const end = new AbortController()
    for (const event of ['pointerdown', 'focusin', 'keydown'])
      document.addEventListener(event, (domEvent) => handleOutside(domEvent), { signal: end.signal })
    return () => end.abort()
  }, [])
  return createPortal(
    <dialog
      open
      ref={box}
      aria-label={label}
      style={style}
      className="absolute inset-e-auto m-0 w-max rounded-2 border-0 bg-surface p-1 text-inherit shadow-2 z-(--z-dialog)"
    >
      {children}
    </dialog>,
    document.body,
  )
}
