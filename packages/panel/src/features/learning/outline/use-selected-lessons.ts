/** The selected lessons of an outline, for actions on all of them. */
import type { Outline, OutlineGroup, OutlineLesson } from '@dala/model/api/learning'
import { useState } from 'react'
import { lessonsOf } from './tree.ts'

interface SelectedLessonState {
  ids: ReadonlySet<number>
  /** Lesson at which the selection of a range starts. */
  anchor: number | undefined
}

export interface SelectedLessons {
  /** Whether the rows of lessons have checkboxes. */
  isSelecting: boolean
  ids: ReadonlySet<number>
  /** The selected lessons that still exist, in the order of the outline. */
  lessons: readonly OutlineLesson[]
  toggleLesson: (lesson: number, isRange: boolean) => void
  toggleGroup: (group: OutlineGroup) => void
  start: () => void
  clear: () => void
}

/**
 * Returns the selection of lessons in an outline.
 *
 * @param outline - The tree that is shown; undefined while it loads.
 */
export function useSelectedLessons(outline: Outline | undefined): SelectedLessons {
  const [selectionState, setSelected] = useState<SelectedLessonState | undefined>(undefined)
  const allLessons = outline ? lessonsOf(outline) : []
  const ids = selectionState?.ids ?? new Set<number>()
  return {
    isSelecting: selectionState !== undefined,
    ids,
    lessons: allLessons.filter(({ id }) => ids.has(id)),
    toggleLesson: (lesson, isRange) => {
      const positions = [selectionState?.anchor ?? lesson, lesson].map((id) =>
        allLessons.findIndex((listedLesson) => listedLesson.id === id),
      )
      const [firstIndex = -1, lastIndex = -1] = positions.toSorted((one, other) => one - other)
      const newIds = new Set(ids)
      if (isRange && firstIndex >= 0) for (const { id } of allLessons.slice(firstIndex, lastIndex + 1)) newIds.add(id)
      else if (!newIds.delete(lesson)) newIds.add(lesson)
      setSelected({ ids: newIds, anchor: lesson })
    },
    toggleGroup: ({ lessons }) => {
      const ownIds = lessons.map(({ id }) => id)
      const isWhole = ownIds.every((id) => ids.has(id))
      const otherIds = [...ids].filter((id) => !ownIds.includes(id))
      setSelected({ ids: new Set(isWhole ? otherIds : [...otherIds, ...ownIds]), anchor: undefined })
    },
    start: () => setSelected({ ids: new Set(), anchor: undefined }),
    clear: () => setSelected(undefined),
  }
}
