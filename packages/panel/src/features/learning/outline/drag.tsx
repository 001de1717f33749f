/**
 * Handles that drag lessons and groups of an outline, also with the keyboard. A line shows where the row will
 * be dropped; nothing moves before.
 */
import {
  type Announcements,
  closestCenter,
  type CollisionDetection,
  DndContext,
  type DragMoveEvent,
  type KeyboardCoordinateGetter,
  KeyboardSensor,
  PointerSensor,
  useDraggable,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import type { Outline } from '@dala/model/api/learning'
import { memo, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useT } from '../../../lib/i18n.ts'
import { Grip } from '../../../resource/list/row-actions/grip.tsx'
import { useRowElements } from '../../../resource/list/row-actions/use-row-elements.ts'
import type { MovedItem, OutlineActions } from './actions.ts'
import { rowKeyOf as keyOf } from './row-keys.ts'
import { type Move, placeGroup, placeLesson, placeOf } from './tree.ts'

interface OutlineDragProps {
  outline: Outline
  actions: OutlineActions
  /** Element with the rows of the outline. */
  root: HTMLElement
}

/** Side of a row on which the dragged row is dropped. */
type DropSide = 'before' | 'after'

const lessonOf = (key: unknown) => Number(/^lesson-(\d+)$/.exec(String(key))?.[1] ?? 0)
const groupOf = (key: unknown) => Number(/^group-(\d+)$/.exec(String(key))?.[1] ?? 0)

/** Returns the move of a dragged row to a side of another row; undefined where it cannot be dropped. */
function moveToSide(outline: Outline, draggedId: unknown, targetId: unknown, targetSide: DropSide): Move | undefined {
  const [lesson, group] = [lessonOf(draggedId), groupOf(draggedId)]
  const otherGroups = outline.groups.filter(({ id }) => id !== group)
  if (group > 0) {
    const index = otherGroups.findIndex(({ id }) => id === groupOf(targetId))
    return index < 0 ? undefined : placeGroup(group, targetSide === 'before' ? index : index + 1)
  }
  if (lesson === 0 || targetId === draggedId) return undefined
  if (groupOf(targetId) > 0) return placeLesson(lesson, groupOf(targetId), 0)
  const targetPosition = placeOf(outline, lessonOf(targetId))
  if (!targetPosition) return undefined
  const ownPlace = placeOf(outline, lesson)
  // The position counts the other lessons only, because the dragged lesson leaves a gap before it.
  const gap = ownPlace?.list === targetPosition.list && ownPlace.index < targetPosition.index ? 1 : 0
  return placeLesson(
    lesson,
    targetPosition.group?.id ?? null,
    targetPosition.index - gap + (targetSide === 'after' ? 1 : 0),
  )
}

const middleOfRow = ({ top, height }: { top: number; height: number }) => top + height / 2

const dropSideOf = ({ active, over }: Pick<DragMoveEvent, 'active' | 'over'>): DropSide => {
  const draggedRect = active.rect.current.translated
  return draggedRect && over && middleOfRow(draggedRect) > middleOfRow(over.rect) ? 'after' : 'before'
}

/** Returns whether a dragged row can be dropped on another: a lesson on any row, a group on groups only. */
const findTarget: CollisionDetection = (args) => {
  const isGroup = groupOf(args.active.id) > 0
  const droppableContainers = args.droppableContainers.filter(({ id }) => !isGroup || groupOf(id) > 0)
  return closestCenter({ ...args, droppableContainers })
}

/** Moves a dragged row with an arrow key to the next row, just past its middle. */
const nextRow: KeyboardCoordinateGetter = (event, { currentCoordinates, context }) => {
  const isDownKey = event.code === 'ArrowDown'
  if (!isDownKey && event.code !== 'ArrowUp') return undefined
  event.preventDefault()
  const isGroup = groupOf(context.active?.id) > 0
  const tops = context.droppableContainers
    .getEnabled()
    .filter(({ id }) => id !== context.active?.id && (!isGroup || groupOf(id) > 0))
    .flatMap(({ id }) => context.droppableRects.get(id)?.top ?? [])
    .toSorted((one, other) => one - other)
  const top = isDownKey
    ? tops.find((rowTop) => rowTop > currentCoordinates.y + 1)
    : tops.findLast((rowTop) => rowTop < currentCoordinates.y - 1)
  return top === undefined ? undefined : { x: currentCoordinates.x, y: top + (isDownKey ? 1 : -1) }
}

export function OutlineDrag({ outline, actions, root }: OutlineDragProps) {
  const t = useT()
  useRowElements(root)
  // Searching the document for each row would cost more than drawing the drag.
  const rows = new Map(
    [...root.querySelectorAll<HTMLElement>('[data-row]')].map((row) => [row.dataset['row'], placedElement(row)]),
  )
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    // Scrolls with a dragged row without animation: the library's smooth scrolling ignores reduced motion.
    useSensor(KeyboardSensor, { coordinateGetter: nextRow, scrollBehavior: 'auto' }),
  )
  const markedRow = useRef<{ element: HTMLElement; move: Move }>(null)
  const mark = (element: HTMLElement | null, targetSide: DropSide, move?: Move) => {
    markedRow.current?.element.removeAttribute('data-drop')
    markedRow.current = element && move ? { element, move } : null
    markedRow.current?.element.setAttribute('data-drop', targetSide)
  }
  const markTarget = (event: Pick<DragMoveEvent, 'active' | 'over'>) => {
    const { active, over } = event
    const move = over && moveToSide(outline, active.id, over.id, dropSideOf(event))
    const dropSide = over && groupOf(over.id) > 0 && lessonOf(active.id) > 0 ? 'after' : dropSideOf(event)
    if (move) mark(rows.get(String(over.id)) ?? null, dropSide, move)
    else mark(null, dropSide)
  }
  const items: MovedItem[] = [
    ...outline.groups.flatMap(({ id, title, lessons }): MovedItem[] => [
      { group: id, title },
      ...lessons.map((lesson) => ({ lesson: lesson.id, title: lesson.title })),
    ]),
    ...outline.lessons.map((lesson) => ({ lesson: lesson.id, title: lesson.title })),
  ]
  const findItem = (key: unknown) => items.find((item) => keyOf(item) === key)
  const textOf = ({ active, over }: Pick<DragMoveEvent, 'active' | 'over'>) => {
    const [item, move] = [
      findItem(active.id),
      over && moveToSide(outline, active.id, over.id, dropSideOf({ active, over })),
    ]
    return item && move ? actions.describe(move, item) : undefined
  }
  const announcements: Announcements = {
    onDragStart: ({ active }) => findItem(active.id)?.title,
    onDragOver: textOf,
    // The toast with the undo button announces the result of the drag.
    onDragEnd: ({ active, over }) => (textOf({ active, over }) ? undefined : t('bulk.dragBack')),
    onDragCancel: () => t('bulk.dragBack'),
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={findTarget}
      accessibility={{ announcements, screenReaderInstructions: { draggable: t('learning.moveHelp') } }}
      onDragMove={markTarget}
      // The row below the dragged one is known only after the rows are measured, maybe after the last move.
      onDragOver={markTarget}
      // The dragged row is dropped at the line: rows that have moved since then do not change that position.
      onDragEnd={({ active }) => {
        const [item, move] = [findItem(active.id), markedRow.current?.move]
        mark(null, 'before')
        if (item && move) actions.move(move, item, 'row')
      }}
      onDragCancel={() => mark(null, 'before')}
    >
      {items.map((item) => (
        <Handle
          key={keyOf(item)}
          id={keyOf(item)}
          title={item.title}
          actions={actions}
          row={rows.get(keyOf(item)) ?? null}
        />
      ))}
    </DndContext>
  )
}

/** Moves the dragged row with the pointer by a CSS transform, without rendering the row. */
function applyDrag(row: HTMLElement, translate: string): void {
  row.style.translate = translate
  row.toggleAttribute('data-dragged', translate !== '')
}

/** Returns the element of a row that is dragged and dropped on: the head of a group, or a lesson. */
const placedElement = (row: HTMLElement) => row.querySelector<HTMLElement>('[data-head]') ?? row

interface HandleProps {
  id: string
  title: string
  actions: OutlineActions
  /** Element of the row that the handle drags. */
  row: HTMLElement | null
}

const Handle = memo(function Handle({ id, title, actions, row }: HandleProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform } = useDraggable({ id })
  const { setNodeRef: setDroppable } = useDroppable({ id })
  useLayoutEffect(() => {
    setNodeRef(row)
    setDroppable(row)
  }, [row, setNodeRef, setDroppable])
  const translate = transform ? `0 ${Math.round(transform.y)}px` : ''
  useLayoutEffect(() => {
    if (row) applyDrag(row, translate)
  }, [row, translate])
  const gripElement = row?.querySelector('[data-grip]')
  if (!gripElement) return null
  return createPortal(
    <Grip
      name={title}
      activateGrip={setActivatorNodeRef}
      attributes={attributes}
      listeners={listeners}
      onAltKey={(event) =>
        actions.handleKey(event, groupOf(id) > 0 ? { group: groupOf(id), title } : { lesson: lessonOf(id), title })
      }
    />,
    gripElement,
  )
})
