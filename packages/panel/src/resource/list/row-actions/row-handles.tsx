/** Handles that move rows of a list: by dragging, or with the keyboard. Each handle is inside its row. */
import {
  type Announcements,
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import type { Entry } from '@dala/model'
import { useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect } from 'react'
import { createPortal } from 'react-dom'
import { useTitleOf } from '../../../fields/field-display.tsx'
import { useT } from '../../../lib/i18n.ts'
import { Grip } from './grip.tsx'
import type { RowToolsProps } from './row-tools-props.ts'
import { moveRow } from './reorder.ts'
import { useRowElements } from './use-row-elements.ts'

export function RowHandles({ list, entries, root }: RowToolsProps) {
  const t = useT()
  const cache = useQueryClient()
  const { resource } = list.screen
  const titleOf = useTitleOf(resource)
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    // Scrolls with a dragged row without animation: the smooth scrolling of the drag library ignores reduced
    // motion.
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates, scrollBehavior: 'auto' }),
  )
  const indexOf = (id: UniqueIdentifier | undefined) => entries.findIndex((entry) => entry.id === id)
  const positionText = (id: UniqueIdentifier | undefined) =>
    t('bulk.dragAt', { place: indexOf(id) + 1, count: entries.length })
  const announcements: Announcements = {
    onDragStart: ({ active }) => positionText(active.id),
    onDragOver: ({ over }) => (over ? positionText(over.id) : undefined),
    // The toast with the undo announces the result of a move.
    onDragEnd: ({ active, over }) => (over && over.id !== active.id ? undefined : t('bulk.dragBack')),
    onDragCancel: () => t('bulk.dragBack'),
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{ announcements, screenReaderInstructions: { draggable: t('bulk.dragHelp') } }}
      onDragEnd={({ active, over }) => {
        const [fromIndex, toIndex] = [indexOf(active.id), indexOf(over?.id)]
        if (fromIndex >= 0 && toIndex >= 0 && fromIndex !== toIndex)
          void moveRow(cache, resource, entries, fromIndex, toIndex)
      }}
    >
      <SortableContext items={entries.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
        {entries.map((entry) => (
          <Handle key={entry.id} entry={entry} name={titleOf(entry)} root={root} />
        ))}
      </SortableContext>
    </DndContext>
  )
}

interface HandleProps {
  entry: Entry
  name: string
  root: HTMLElement
}

function Handle({ entry: { id }, name, root }: HandleProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
  })
  useRowElements(root)
  const row = root.querySelector<HTMLElement>(`tr[data-row="${id}"]`)
  useLayoutEffect(() => setNodeRef(row), [row, setNodeRef])
  const translate = transform ? `0 ${Math.round(transform.y)}px` : ''
  useLayoutEffect(() => {
    if (!row) return
    applyDrag(row, translate, transition ?? '', isDragging)
  }, [row, translate, transition, isDragging])
  const gripElement = row?.querySelector('[data-grip]')
  if (!gripElement) return null
  return createPortal(
    <Grip name={name} activateGrip={setActivatorNodeRef} attributes={attributes} listeners={listeners} />,
    gripElement,
  )
}

/** Translates a table row along with the pointer, without rendering it. */
function applyDrag(row: HTMLElement, translate: string, transition: string, isDragging: boolean): void {
  row.style.translate = translate
  row.style.transition = transitionOf(transition)
  row.toggleAttribute('data-dragged', isDragging)
}

/**
 * The drag library's transition with the duration of the theme, which respects reduced motion.
 *
 * @param transition - `transform 200ms ease`, or one with no duration.
 */
export function transitionOf(transition: string): string {
  return transition.replace('transform', 'translate').replace(/\b[1-9]\d*ms \w+/, 'var(--dur-2) var(--ease)')
}
