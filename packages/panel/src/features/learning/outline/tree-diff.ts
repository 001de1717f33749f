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
function unmovedIds(own: readonly number[], other: readonly number[]): number[] {
  const places = new Map(other.map((id, index) => [id, index]))
  const idsInOrder = longestAscending(own.flatMap((id) => places.get(id) ?? []))
  return own.filter((id) => idsInOrder.has(places.get(id) ?? -1))
}

const idsOf = (items: readonly { id: number }[]) => items.map(({ id }) => id)
const listsOf = ({ groups, lessons }: Outline) =>
  new Map<number | null, readonly number[]>([
    ...groups.map(({ id, lessons: own }) => [id, idsOf(own)] as const),
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
 * @param yours - The order of the user.
 * @param theirs - The order of a colleague.
 * @returns The groups of each order, then its lessons without a group.
 */
export function compareOutlines(yours: Outline, theirs: Outline): ComparedOutlines {
  const otherLists = listsOf(theirs)
  const groupsInPlace = new Set(unmovedIds(idsOf(yours.groups), idsOf(theirs.groups)))
  const unmovedRows = new Set([...listsOf(yours)].flatMap(([list, ids]) => unmovedIds(ids, otherLists.get(list) ?? [])))
  const markRows = (own: Outline, other: Outline): MarkedGroup[] => {
    const [groups, lessons] = [new Set(idsOf(other.groups)), new Set(idsOf(lessonsOf(other)))]
    const markOf = (id: number, all: ReadonlySet<number>, remaining: ReadonlySet<number>): RowMark | undefined => {
      if (!all.has(id)) return 'only-here'
      return remaining.has(id) ? undefined : 'moved'
    }
    const rowsOf = (list: readonly OutlineLesson[]) =>
      list.map((lesson) => ({ key: `lesson-${lesson.id}`, lesson, mark: markOf(lesson.id, lessons, unmovedRows) }))
    const ungroupedList = { key: 'no-group', title: null, mark: undefined, rows: rowsOf(own.lessons) }
    return [
      ...own.groups.map(({ id, title, lessons: list }) => {
        return { key: `group-${id}`, title, mark: markOf(id, groups, groupsInPlace), rows: rowsOf(list) }
      }),
      ...(own.lessons.length > 0 ? [ungroupedList] : []),
    ]
  }
  return { yourGroups: markRows(yours, theirs), theirs: markRows(theirs, yours) }
}
