/**
 * The actions on rows of an outline with their state: moves, names, selection, and the dialogs that ask
 * first.
 */
import { type Locale, type Resource, resources } from '@dala/model'
import type { Outline, OutlineGroup, OutlineLesson } from '@dala/model/api/learning'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { resourceQueries } from '../../../api/resource-queries.ts'
import { useT } from '../../../lib/i18n.ts'
import { offerUndo } from '../../../ui/feedback/undo.ts'
import { showToast } from '../../../ui/feedback/toast.ts'
import { useMay } from '../../../resource/use-may.ts'
import { duplicateLesson } from '../publishing/api.ts'
import type { MovedItem, OutlineActions, RowAddress } from './actions.ts'
import { rowKeyOf, moveBetweenRows } from './row-keys.ts'
import {
  changesOutline,
  type Move,
  moveGroup,
  moveLesson,
  moveLessonsTo,
  placeOf,
  returnLessonsTo,
  moveBackTo,
} from './tree.ts'
import { useOutlineMoves } from './use-outline-moves.ts'
import { useSelectedLessons } from './use-selected-lessons.ts'

export interface RemovedItem {
  resource: Resource
  item: OutlineLesson | OutlineGroup
}

export interface OutlinePlace {
  course: number
  locale: Locale
  outline: Outline | undefined
  /** Reference to the element with the rows of the outline. */
  box: RefObject<HTMLElement | null>
  addressOf: (item: MovedItem) => RowAddress
  /** Called when the user has opened a row of the outline with the keyboard. */
  onEnter?: (() => void) | undefined
}

const noOutline: Outline = { version: 0, groups: [], lessons: [] }

export function useOutlineActions({ course, locale, outline, box, addressOf, onEnter }: OutlinePlace) {
  const t = useT()
  const cache = useQueryClient()
  const may = useMay(resources.lessons)
  const [mayUpdate, mayRemove] = [may('update'), may('remove')]
  const { move: save, ...moves } = useOutlineMoves(course, locale)
  const selection = useSelectedLessons(outline)
  const [placing, setPlacing] = useState<readonly OutlineLesson[]>([])
  const [itemToRemove, setLeaving] = useState<RemovedItem | null>(null)
  const [itemToRename, setRenamed] = useState<MovedItem | null>(null)
  const pendingSelector = useRef<string>(undefined)

  // A row that moved to another list, or whose input was removed, has lost the focus. The row is focused again
  // at once, before a screen reader reads another row.
  useLayoutEffect(() => {
    if (pendingSelector.current === undefined) return
    box.current?.querySelector<HTMLElement>(pendingSelector.current)?.focus()
    pendingSelector.current = undefined
  }, [outline, itemToRename, box])

  /** The row that has the focus after a row is deleted: the next one outside of it, or the one before. */
  const rowBeside = (item: MovedItem) => {
    const deletedRow = box.current?.querySelector(`[data-row="${rowKeyOf(item)}"]`)
    const rows = [...(box.current?.querySelectorAll<HTMLElement>('[data-move]') ?? [])]
    const index = rows.findIndex((row) => deletedRow?.contains(row))
    return rows.slice(index).find((row) => !deletedRow?.contains(row)) ?? rows[index - 1]
  }

  const refreshOutline = () => cache.invalidateQueries({ queryKey: ['resource'] })
  const show = useMutation({
    mutationFn: ({ resource, id, state }: { resource: Resource; id: number; state: string }) =>
      resourceQueries(resource).update(id, { state }),
    onSettled: refreshOutline,
  })
  const duplicate = useMutation({
    mutationFn: duplicateLesson,
    onSuccess: ({ data }) =>
      showToast({
        kind: 'success',
        title: t('message.created', { resource: t('lessons.one') }),
        text: String(data.attributes.title),
      }),
    onSettled: refreshOutline,
  })
  const renameMutation = useMutation({
    mutationFn: ({ lesson, group, title }: MovedItem) =>
      lesson === undefined
        ? resourceQueries(resources.lessongroups).update(group ?? 0, { title })
        : resourceQueries(resources.lessons).update(lesson, { title }),
    onSuccess: (_, { lesson }) => {
      const resource = t(lesson === undefined ? 'lessongroups.one' : 'lessons.one')
      showToast({ kind: 'success', title: t('message.updated', { resource }) })
    },
    onSettled: refreshOutline,
  })

  const positionText = (tree: Outline, { lesson, group, title }: MovedItem) => {
    if (group !== undefined) {
      const index = tree.groups.findIndex(({ id }) => id === group)
      return t('learning.movedGroup', { name: title, place: index + 1, total: tree.groups.length })
    }
    const lessonPosition = lesson === undefined ? undefined : placeOf(tree, lesson)
    if (!lessonPosition) return ''
    const groupTitle = lessonPosition.group?.title ?? t('learning.noGroup')
    return t('learning.movedLesson', {
      name: title,
      place: lessonPosition.index + 1,
      total: lessonPosition.size,
      group: groupTitle,
    })
  }
  /** Moves rows of the outline; the message with the undo button announces the new position. */
  const moveRows = (change: Move, returnMove: Move | undefined, title: string) => {
    const undo = returnMove && (() => Promise.resolve(save(returnMove)))
    save(change, () => undo && offerUndo({ title, undo, undoneTitle: t('learning.movedBack') }))
  }
  const liveActions: Omit<OutlineActions, 'mayUpdate' | 'mayRemove'> = {
    outline: () => outline ?? noOutline,
    addressOf,
    move: (change, item, control) => {
      if (!outline || !changesOutline(outline, change)) return
      pendingSelector.current = `[data-row="${rowKeyOf(item)}"] [${control === 'menu' ? 'data-menu' : 'data-move'}]`
      moveRows(change, moveBackTo(outline, item), positionText(change(outline), item))
    },
    describe: (change, item) => (outline ? positionText(change(outline), item) : ''),
    startRename: setRenamed,
    endRename: (title) => {
      if (!itemToRename) return
      pendingSelector.current = `[data-row="${rowKeyOf(itemToRename)}"] [data-move]`
      setRenamed(null)
      const text = title?.trim() ?? ''
      if (text !== '' && text !== itemToRename.title) renameMutation.mutate({ ...itemToRename, title: text })
    },
    handlePress: (event, { lesson }) => {
      if (mayUpdate && lesson !== undefined && (event.ctrlKey || event.metaKey || event.shiftKey)) {
        event.preventDefault()
        selection.toggleLesson(lesson, event.shiftKey)
      } else if (event.detail === 0) onEnter?.()
    },
    handleKey: (event, item) => {
      if (moveBetweenRows(event, box.current)) return
      if (event.key === 'Escape' && selection.isSelecting) selection.clear()
      else if (!mayUpdate) return
      else if (event.key === 'F2') setRenamed(item)
      else if (event.code === 'Space' && (event.shiftKey || event.ctrlKey) && item.lesson !== undefined)
        selection.toggleLesson(item.lesson, event.shiftKey && selection.ids.size > 0)
      else if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
        const direction = event.key === 'ArrowUp' ? 'up' : 'down'
        liveActions.move(
          item.group === undefined ? moveLesson(item.lesson ?? 0, direction) : moveGroup(item.group, direction),
          item,
          'row',
        )
      } else return
      event.preventDefault()
      event.stopPropagation()
    },
    toggleLesson: selection.toggleLesson,
    toggleGroup: selection.toggleGroup,
    openGroupDialog: setPlacing,
    setState: (resource, id, state) => show.mutate({ resource, id, state }),
    duplicate: (lesson) => duplicate.mutate(lesson),
    openRemoveDialog: (resource, item) => setLeaving({ resource, item }),
  }
  const latestActions = useRef(liveActions)
  useEffect(() => {
    latestActions.current = liveActions
  })
  const actions = useMemo(
    (): OutlineActions => ({
      mayUpdate,
      mayRemove,
      outline: () => latestActions.current.outline(),
      addressOf,
      move: (...args) => latestActions.current.move(...args),
      describe: (...args) => latestActions.current.describe(...args),
      handleKey: (...args) => latestActions.current.handleKey(...args),
      handlePress: (...args) => latestActions.current.handlePress(...args),
      toggleLesson: (...args) => latestActions.current.toggleLesson(...args),
      toggleGroup: (group) => latestActions.current.toggleGroup(group),
      startRename: setRenamed,
      endRename: (title) => latestActions.current.endRename(title),
      openGroupDialog: setPlacing,
      setState: (...args) => latestActions.current.setState(...args),
      duplicate: (lesson) => latestActions.current.duplicate(lesson),
      openRemoveDialog: (resource, item) => setLeaving({ resource, item }),
    }),
    [mayUpdate, mayRemove, addressOf],
  )

  /** Moves lessons to a group with one request; null moves them out of their groups. */
  const moveToGroup = (lessons: readonly OutlineLesson[], group: number | null) => {
    if (!outline) return
    const ids = new Set(lessons.map(({ id }) => id))
    const [singleLesson] = lessons
    const change = moveLessonsTo(ids, group)
    if (!changesOutline(outline, change)) return
    if (lessons.length === 1 && singleLesson) {
      liveActions.move(
        change,
        { lesson: singleLesson.id, title: singleLesson.title },
        selection.isSelecting ? 'row' : 'menu',
      )
      return
    }
    const name = outline.groups.find(({ id }) => id === group)?.title ?? t('learning.noGroup')
    moveRows(change, returnLessonsTo(outline, ids), t('learning.movedLessons', { count: ids.size, group: name }))
  }
  return {
    actions,
    renamed: itemToRename,
    selection,
    moveToGroup,
    placing,
    setPlacing,
    leaving: itemToRemove,
    setLeaving,
    rowBeside,
    ...moves,
  }
}
