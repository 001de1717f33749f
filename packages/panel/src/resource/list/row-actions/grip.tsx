/** The button in a row by which the row is dragged, with the pointer or the keyboard. */
import type { DraggableAttributes, DraggableSyntheticListeners } from '@dnd-kit/core'
import GripVertical from 'lucide-react/icons/grip-vertical'
import type { KeyboardEvent } from 'react'
import { useT } from '../../../lib/i18n.ts'

interface GripProps {
  /** Name of the row that the button drags. */
  name: string
  activateGrip: (element: HTMLElement | null) => void
  attributes: DraggableAttributes
  listeners: DraggableSyntheticListeners
  /**
   * Called for keys with Alt. A screen reader uses the plain arrow keys for reading, so that they reach no
   * dragged row.
   */
  onAltKey?: (event: KeyboardEvent) => void
}

export function Grip({ name, activateGrip: activate, attributes, listeners, onAltKey }: GripProps) {
  const t = useT()
  return (
    <button
      type="button"
      ref={activate}
      {...attributes}
      {...listeners}
      onKeyDownCapture={(event) => event.altKey && onAltKey?.(event)}
      // The drag library describes the button in English, so its description is left out.
      aria-roledescription={undefined}
      aria-label={t('bulk.drag', { name })}
      className="grid size-6 cursor-grab touch-none place-items-center rounded-1 text-muted hover:bg-hover hover:text-ink"
    >
      <GripVertical size={16} aria-hidden />
    </button>
  )
}
