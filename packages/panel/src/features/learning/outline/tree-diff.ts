/** Differences between two orders of an outline: rows that moved, and rows that one order lacks. */
import { longestAscending } from '@dala/model'
import type { Outline, OutlineLesson } from '@dala/model/api/learning'
import { lessonsOf } from './tree.ts'

export type RowMark = 'moved' | 'only-here'

export interface MarkedRow {
  key: string
  lesson: OutlineLesson
  mark: RowMark | undefined
}

/** A group in one of two compared outlines; `title` is null for the lessons without a group. */
export interface MarkedGroup {
  key: string
  title: string | null
  mark: RowMark | undefined
  rows: readonly MarkedRow[]
}

/** Returns the ids that keep their order between two lists of the outline. */
function unmovedIds(ownIds: readonly number[], otherIds: readonly number[]): number[] {
  const positions = new Map(otherIds.map((id, index) => [id, index]))
  const idsInOrder = longestAscending(ownIds.flatMap((id) => positions.get(id) ?? []))
  return ownIds.filter((id) => idsInOrder.has(positions.get(id) ?? -1))
}

const idsOf = (items: readonly { id: number }[]) => items.map(({ id }) => id)
const listsOf = ({ groups, lessons }: Outline) =>
  new Map<number | null, readonly number[]>([
    ...groups.map(({ id, lessons: groupLessons }) => [id, idsOf(groupLessons)] as const),
    [null, idsOf(lessons)],
  ])

/** The rows of both orders of an outline, each marked where it differs from the other order. */
export interface ComparedOutlines {
  yourGroups: readonly MarkedGroup[]
  theirs: readonly MarkedGroup[]
}

/**
 * Compares two orders of an outline. As few rows as possible count as moved, and the same ones in both
 * orders.
 *
 * @param userOutline - The order of the user.
 * @param otherOutline - The order of a colleague.
 * @returns The groups of each order, then its lessons without a group.
 */
export function compareOutlines(userOutline: Outline, otherOutline: Outline): ComparedOutlines {
  const otherLists = listsOf(otherOutline)
  const groupsInPlace = new Set(unmovedIds(idsOf(userOutline.groups), idsOf(otherOutline.groups)))
  const unmovedRows = new Set(
    [...listsOf(userOutline)].flatMap(([list, ids]) => unmovedIds(ids, otherLists.get(list) ?? [])),
  )
  const markRows = (markedOutline: Outline, comparedOutline: Outline): MarkedGroup[] => {
    const [groups, lessons] = [new Set(idsOf(comparedOutline.groups)), new Set(idsOf(lessonsOf(comparedOutline)))]
    const markOf = (
      id: number,
      allIds: ReadonlySet<number>,
      remainingIds: ReadonlySet<number>,
    ): RowMark | undefined => {
      if (!allIds.has(id)) return 'only-here'
      return remainingIds.has(id) ? undefined : 'moved'
    }
    const rowsOf = (list: readonly OutlineLesson[]) =>
      list.map((lesson) => ({ key: `lesson-${lesson.id}`, lesson, mark: markOf(lesson.id, lessons, unmovedRows) }))
    const ungroupedList = { key: 'no-group', title: null, mark: undefined, rows: rowsOf(markedOutline.lessons) }
    return [
      ...markedOutline.groups.map(({ id, title, lessons: list }) => {
        return { key: `group-${id}`, title, mark: markOf(id, groups, groupsInPlace), rows: rowsOf(list) }
      }),
      ...(markedOutline.lessons.length > 0 ? [ungroupedList] : []),
    ]
  }
  return { yourGroups: markRows(userOutline, otherOutline), theirs: markRows(otherOutline, userOutline) }
}
