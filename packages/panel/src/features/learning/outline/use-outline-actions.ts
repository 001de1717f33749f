/** Moves, state changes and confirmations of an outline, with announcements and the focus after a move. */
import { type Locale, type Resource, resources } from '@dala/model'
import type { Outline, OutlineGroup, OutlineLesson } from '@dala/model/api/learning'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { resourceQueries } from '../../../api/resource-queries.ts'
import { useT } from '../../../lib/i18n.ts'
import { useMay } from '../../../resource/use-may.ts'
import type { Moved, OutlineActions } from './actions.ts'
import { leadsOn, type Move, moveGroup, moveLesson, placeOf } from './tree.ts'
import { useOutlineMoves } from './use-outline-moves.ts'

export interface Leaving {
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
  const [said, say] = useState('')
  const [placing, setPlacing] = useState<OutlineLesson | null>(null)
  const [leaving, setLeaving] = useState<Leaving | null>(null)
  const wanted = useRef<string>(undefined)

  // A row that moved to another position has lost the focus.
  useEffect(() => {
    if (wanted.current === undefined) return
    box.current?.querySelector<HTMLElement>(wanted.current)?.focus()
    wanted.current = undefined
  }, [outline, box])

  const show = useMutation({
    mutationFn: ({ resource, id, state }: { resource: Resource; id: number; state: string }) =>
      resourceQueries(resource).update(id, { state }),
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource'] }),
  })

  const spokenPlace = (tree: Outline, { lesson, group, title }: Moved) => {
    if (group !== undefined) {
      const index = tree.groups.findIndex(({ id }) => id === group)
      return t('learning.movedGroup', { name: title, place: index + 1, total: tree.groups.length })
    }
    const place = lesson === undefined ? undefined : placeOf(tree, lesson)
    if (!place) return ''
    const where = place.group?.title ?? t('learning.noGroup')
    return t('learning.movedLesson', { name: title, place: place.index + 1, total: place.size, group: where })
  }

  const move: OutlineActions['move'] = (change, moved, from) => {
    if (!outline || !leadsOn(outline, change)) return
    const row = moved.lesson === undefined ? `group-${moved.group}` : `lesson-${moved.lesson}`
    wanted.current = `[data-row="${row}"] [${from === 'menu' ? 'data-menu' : 'data-move'}]`
    say(spokenPlace(change(outline), moved))
    save(change)
  }

  const actions: OutlineActions = {
    mayUpdate: may('update'),
    mayRemove: may('remove'),
    move,
    handleKey: (event: KeyboardEvent, moved) => {
      const direction = event.key === 'ArrowUp' ? 'up' : event.key === 'ArrowDown' ? 'down' : undefined
      if (!event.altKey || !direction || !may('update')) return
      event.preventDefault()
      event.stopPropagation()
      const change: Move =
        moved.group === undefined ? moveLesson(moved.lesson ?? 0, direction) : moveGroup(moved.group, direction)
      move(change, moved, 'row')
    },
    askGroup: setPlacing,
    setState: (resource, id, state) => show.mutate({ resource, id, state }),
    askRemove: (resource, item) => setLeaving({ resource, item }),
  }
  return { actions, said, placing, setPlacing, leaving, setLeaving, ...moves, again: save }
}
