/** The edge of a column head, which changes the column's width by dragging or with the arrow keys. */
import { type PointerEvent, useState } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { setLayout } from '../list-session.ts'
import type { ResourceList } from '../use-resource-list.ts'

const minWidth = 64
const maxWidth = 800
const step = 8

const clampWidth = (width: number) => Math.round(Math.min(maxWidth, Math.max(minWidth, width)))
const widthOf = (edge: HTMLElement) => clampWidth(edge.closest('th')?.offsetWidth ?? minWidth)

/** The rendered widths of all columns: once one of them is set, the others must not change. */
function renderedWidths(edge: HTMLElement): Record<string, number> {
  const headCells = edge.closest('tr')?.querySelectorAll<HTMLElement>('th[data-column]') ?? []
  // Columns that a narrow window hides have no width to store.
  const visibleHeads = [...headCells].filter((head) => head.offsetWidth > 0)
  return Object.fromEntries(visibleHeads.map((head) => [head.dataset['column'] ?? '', clampWidth(head.offsetWidth)]))
}

interface ColumnEdgeProps {
  list: ResourceList
  name: string
  label: string
}

export function ColumnEdge({ list, name, label }: ColumnEdgeProps) {
  const t = useT()
  const { widths } = list.columns
  const setWidths = (newWidths: typeof widths) => list.store(setLayout(list, { widths: newWidths }))
  const [renderedWidth, setRenderedWidth] = useState(minWidth)
  const setWidth = (edge: HTMLElement, width: number) => {
    setWidths({ ...widths, ...renderedWidths(edge), [name]: clampWidth(width) })
  }
  const resetWidths = () => setWidths(undefined)

  const startDrag = (event: PointerEvent<HTMLElement>) => {
    const dragEdge = event.currentTarget
    const headCell = dragEdge.closest('th')
    if (!headCell || event.button !== 0) return
    // The edge of a column is dragged from its present place, while a slider would jump to the pressed point.
    event.preventDefault()
    const { offsetWidth: start } = headCell
    const { clientX: startX, pointerId } = event
    const direction = getComputedStyle(dragEdge).direction === 'rtl' ? -1 : 1
    dragEdge.focus()
    dragEdge.setPointerCapture(pointerId)
    let width = start
    const move = ({ clientX }: globalThis.PointerEvent) => {
      if (width === start) setWidths({ ...widths, ...renderedWidths(dragEdge) })
      width = clampWidth(start + (clientX - startX) * direction)
      // The list renders when the edge of the column is released; until then only the head shows the width.
      headCell.style.width = `${width}px`
    }
    const end = () => {
      dragEdge.removeEventListener('pointermove', move)
      if (width !== start) setWidth(dragEdge, width)
    }
    dragEdge.addEventListener('pointermove', move)
    dragEdge.addEventListener('lostpointercapture', end, { once: true })
  }
  return (
    <span className="absolute inset-y-0 -end-3 z-1 grid w-6 place-items-center">
      <input
        type="range"
        aria-label={t('columns.widthOf', { name: label })}
        min={minWidth}
        max={maxWidth}
        step={step}
        value={widths?.[name] ?? renderedWidth}
        onFocus={(event) => setRenderedWidth(widthOf(event.currentTarget))}
        onChange={(event) => setWidth(event.currentTarget, event.currentTarget.valueAsNumber)}
        onPointerDown={startDrag}
        onDoubleClick={resetWidths}
        onKeyDown={(event) => {
          if (event.key === 'Enter') resetWidths()
        }}
        className="peer absolute inset-0 size-full cursor-col-resize touch-none opacity-0"
      />
      <span
        aria-hidden
        className="pointer-events-none h-4 w-px group-hover/head:bg-line-strong peer-hover:w-0.5 peer-hover:bg-brand-ui peer-focus-visible:h-7 peer-focus-visible:w-0.5 peer-focus-visible:bg-focus"
      />
    </span>
  )
}
