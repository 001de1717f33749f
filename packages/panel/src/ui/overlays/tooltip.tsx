/**
 * One tooltip for all controls with `data-tip`, or with `data-why` for why they are disabled: after a moment
 * of hovering, at once on keyboard focus, and a reason also when the control is pressed.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'

interface TooltipContent {
  text: string | undefined
  reason: string | undefined
  anchor: DOMRect
}

const hoverDelay = 500
const margin = 8

const anchorOf = (event: Event) =>
  event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tip], [data-why]') : null

// One layer serves all buttons; a tooltip repeats a label, so assistive technology needs no link to it.
export function TooltipLayer() {
  const tip = useTip()
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = box.current
    if (!tip || !element) return
    const { width, height } = element.getBoundingClientRect()
    const centredLeft = tip.anchor.left + tip.anchor.width / 2 - width / 2
    const leftOffset = Math.max(margin, Math.min(centredLeft, window.innerWidth - width - margin))
    const tooltipTop = tip.anchor.bottom + 6
    const top = tooltipTop + height + margin > window.innerHeight ? tip.anchor.top - height - 6 : tooltipTop
    element.style.left = `${leftOffset}px`
    element.style.top = `${top}px`
  }, [tip])
  if (!tip) return null
  return (
    <div
      ref={box}
      aria-hidden
      className="pointer-events-none fixed z-[calc(var(--z-toast)+1)] max-w-64 rounded-1 bg-ink px-2 py-1 text-sm text-canvas"
    >
      {tip.text ? <span className="block">{tip.text}</span> : null}
      {tip.reason ? <span className="block">{tip.reason}</span> : null}
    </div>
  )
}

function useTip(): TooltipContent | null {
  const [tip, setTip] = useState<TooltipContent | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let hoveredElement: HTMLElement | null = null
    let changes = new MutationObserver(() => undefined)
    const show = (element: HTMLElement) => {
      // A button whose menu is open shows no tooltip, which would cover the first line of the menu.
      if (element.hasAttribute('data-popup-open')) return
      const showTooltip = () => {
        const { tip: text, why: reason } = element.dataset
        setTip(
          text === undefined && reason === undefined ? null : { text, reason, anchor: element.getBoundingClientRect() },
        )
      }
      changes.disconnect()
      // The reason of a disabled control may end while the tooltip shows it, when the connection is back.
      changes = new MutationObserver(showTooltip)
      changes.observe(element, { attributeFilter: ['data-tip', 'data-why'] })
      showTooltip()
    }
    const hideTooltip = () => {
      clearTimeout(timer)
      changes.disconnect()
      hoveredElement = null
      setTip(null)
    }
    const handleOver = (event: PointerEvent) => {
      const element = anchorOf(event)
      if (event.pointerType === 'touch' || element === hoveredElement) return
      hideTooltip()
      hoveredElement = element
      if (element) timer = setTimeout(() => show(element), hoverDelay)
    }
    const handleFocus = (event: FocusEvent) => {
      const element = anchorOf(event)
      if (element?.matches(':focus-visible')) show(element)
    }
    // A press shows the reason of a disabled control, because touch has no hover.
    const handleClick = (event: MouseEvent) => {
      const element = anchorOf(event)
      if (element?.dataset['why'] !== undefined) show(element)
    }
    const handleKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') hideTooltip()
    }
    const controller = new AbortController()
    const options = { capture: true, passive: true, signal: controller.signal }
    document.addEventListener('pointerover', handleOver, options)
    document.addEventListener('focusin', handleFocus, options)
    document.addEventListener('focusout', hideTooltip, options)
    document.addEventListener('pointerdown', hideTooltip, options)
    document.addEventListener('click', handleClick, options)
    document.addEventListener('scroll', hideTooltip, options)
    document.addEventListener('keydown', handleKey, options)
    return () => {
      controller.abort()
      changes.disconnect()
      clearTimeout(timer)
    }
  }, [])
  return tip
}
