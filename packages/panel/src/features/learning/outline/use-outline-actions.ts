/** Moves, state changes and confirmations of an outline, with announcements and the focus after a move. */
import { type Locale, type Resource, resources } from '@dala/model'
import type { Outline, OutlineGroup, OutlineLesson } from '@dala/model/api/learning'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { resourceQueries } from '../../../api/resource-queries.ts'
import { useT } from '../../../lib/i18n.ts'
import { offerUndo } from '../../../ui/feedback/undo.ts'
import { showToast } from '../../../ui/feedback/toast.ts'
import { useMay } from '../../../resource/use-may.ts'
import { duplicateLesson } from '../publishing/api.ts'
import type { MovedItem, OutlineActions } from './actions.ts'
import { changesOutline, type Move, moveGroup, moveLesson, placeOf, returnTo } from './tree.ts'
import { useOutlineMoves } from './use-outline-moves.ts'

export interface RemovedItem {
  resource: Resource
  item: OutlineLesson | OutlineGroup
}

export function useOutlineActions(
  course: number,
  locale: Locale,
  outline: Outline | undefined,
  box: RefObject<HTMLElement | null>,
) {
  const t = useT()
  const cache = useQueryClient()
  const may = useMay(resources.lessons)
  const { move: save, ...moves } = useOutlineMoves(course, locale)
  const [movedLesson, setMovedLesson] = useState<OutlineLesson | null>(null)
  const [removedItem, setRemovedItem] = useState<RemovedItem | null>(null)
  const pendingSelector = useRef<string>(undefined)

  // A row that moved to another position has lost the focus.
  useEffect(() => {
    if (pendingSelector.current === undefined) return
    box.current?.querySelector<HTMLElement>(pendingSelector.current)?.focus()
    pendingSelector.current = undefined
  }, [outline, box])

  const show = useMutation({
    mutationFn: ({ resource, id, state }: { resource: Resource; id: number; state: string }) =>
      resourceQueries(resource).update(id, { state }),
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource'] }),
  })

  const duplicate = useMutation({
    mutationFn: duplicateLesson,
    onSuccess: ({ data }) =>
      showToast({
        kind: 'success',
        title: t('message.created', { resource: t('lessons.one') }),
        text: String(data.attributes.title),
      }),
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource'] }),
  })

  const positionText = (tree: Outline, { lesson, group, title }: MovedItem) => {
    if (group !== undefined) {
      const index = tree.groups.findIndex(({ id }) => id === group)
      return t('learning.movedGroup', { name: title, place: index + 1, total: tree.groups.length })
    }
    const place = lesson === undefined ? undefined : placeOf(tree, lesson)
    if (!place) return ''
    const groupTitle = place.group?.title ?? t('learning.noGroup')
    return t('learning.movedLesson', { name: title, place: place.index + 1, total: place.size, group: groupTitle })
  }

  const move: OutlineActions['move'] = (change, item, from) => {
    if (!outline || !changesOutline(outline, change)) return
    const row = item.lesson === undefined ? `group-${item.group}` : `lesson-${item.lesson}`
    pendingSelector.current = `[data-row="${row}"] [${from === 'menu' ? 'data-menu' : 'data-move'}]`
    const title = positionText(change(outline), item)
    const back = returnTo(outline, item)
    save(change)
    // The message with the undo announces the new position.
    if (back) offerUndo({ title, undo: () => Promise.resolve(save(back)), undoneTitle: t('learning.movedBack') })
  }

  const [renamed, setRenamed] = useState<MovedItem | null>(null)
  const rename = useMutation({
    mutationFn: ({ lesson, group, title }: MovedItem) =>
      lesson === undefined
        ? resourceQueries(resources.lessongroups).update(group ?? 0, { title })
        : resourceQueries(resources.lessons).update(lesson, { title }),
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource'] }),
  })
  const endRename: OutlineActions['endRename'] = (title) => {
    if (!renamed) return
    const row = renamed.lesson === undefined ? `group-${renamed.group}` : `lesson-${renamed.lesson}`
    setRenamed(null)
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-row="${row}"] [data-move]`)?.focus())
    const text = title?.trim() ?? ''
    if (text !== '' && text !== renamed.title) rename.mutate({ ...renamed, title: text })
  }

  const actions: OutlineActions = {
    mayUpdate: may('update'),
    mayRemove: may('remove'),
    move,
    describe: (change, item) => (outline ? positionText(change(outline), item) : ''),
    renamed,
    startRename: setRenamed,
    endRename,
    handleKey: (event: KeyboardEvent, item) => {
      if (event.key === 'F2' && may('update')) {
        event.preventDefault()
        setRenamed(item)
        return
      }
      const direction = event.key === 'ArrowUp' ? 'up' : event.key === 'ArrowDown' ? 'down' : undefined
      if (!event.altKey || !direction || !may('update')) return
      event.preventDefault()
      event.stopPropagation()
      const change: Move =
        item.group === undefined ? moveLesson(item.lesson ?? 0, direction) : moveGroup(item.group, direction)
      move(change, item, 'row')
    },
    openGroupDialog: setMovedLesson,
    setState: (resource, id, state) => show.mutate({ resource, id, state }),
    duplicate: (lesson) => duplicate.mutate(lesson),
    openRemoveDialog: (resource, item) => setRemovedItem({ resource, item }),
  }
  return {
    actions,
    placing: movedLesson,
    setPlacing: setMovedLesson,
    leaving: removedItem,
    setLeaving: setRemovedItem,
    ...moves,
    again: save,
  }
}
