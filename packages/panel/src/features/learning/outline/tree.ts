/**
 * The outline of a course as a tree, and moves, each of which returns a new tree with every lesson exactly
 * once.
 */
import type { Outline, OutlineGroup, OutlineLesson } from '@dala/model/api/learning'

export type MoveDirection = 'up' | 'down'

/** Move of a row in an outline; returns the same outline if the move is not possible. */
export type Move = (outline: Outline) => Outline

/** Returns the lists of lessons in display order: those of the groups, then the lessons without a group. */
const listsOf = ({ groups, lessons }: Outline) => [...groups.map((group) => group.lessons), lessons]

/** Returns all lessons of an outline in the order in which a learner sees them. */
export const lessonsOf = (outline: Outline): OutlineLesson[] => listsOf(outline).flat()

/** Returns a copy of an outline with other lists of lessons. */
function replaceLists(outline: Outline, lists: readonly (readonly OutlineLesson[])[]): Outline {
  return {
    ...outline,
    groups: outline.groups.map((group, index) => ({ ...group, lessons: lists[index] ?? [] })),
    lessons: lists[outline.groups.length] ?? [],
  }
}

export interface LessonPlace {
  /** Group of the lesson; null for lessons without a group. */
  group: OutlineGroup | null
  /** Index of the list among the lists of the outline, from 0. */
  list: number
  /** Index of the lesson within its list, from 0. */
  index: number
  size: number
}

/** Position of a lesson in the outline. */
export function placeOf(outline: Outline, id: number): LessonPlace | undefined {
  for (const [list, lessons] of listsOf(outline).entries()) {
    const index = lessons.findIndex((lesson) => lesson.id === id)
    if (index >= 0) return { group: outline.groups[list] ?? null, list, index, size: lessons.length }
  }
  return undefined
}

function swapItems<T>(items: readonly T[], index: number, otherIndex: number): T[] {
  const [firstItem, otherItem] = [items[index], items[otherIndex]]
  if (firstItem === undefined || otherItem === undefined) return [...items]
  return items.with(index, otherItem).with(otherIndex, firstItem)
}

/** Returns the move of a lesson to the start or the end of another list. */
function moveToList(outline: Outline, id: number, list: number, listEnd: 'start' | 'end'): Outline {
  const lesson = lessonsOf(outline).find((listedLesson) => listedLesson.id === id)
  const lists = listsOf(outline).map((lessons) => lessons.filter((listedLesson) => listedLesson.id !== id))
  const target = lists[list]
  if (!lesson || !target) return outline
  return replaceLists(outline, lists.with(list, listEnd === 'start' ? [lesson, ...target] : [...target, lesson]))
}

/** Returns the move of a lesson up or down by one; past the end of its list into the neighbouring list. */
export function moveLesson(id: number, direction: MoveDirection): Move {
  return (outline) => {
    const lessonPosition = placeOf(outline, id)
    if (!lessonPosition) return outline
    const { list, index, size } = lessonPosition
    const step = direction === 'up' ? -1 : 1
    const lists = listsOf(outline)
    if (index + step >= 0 && index + step < size) {
      return replaceLists(outline, lists.with(list, swapItems(lists[list] ?? [], index, index + step)))
    }
    return moveToList(outline, id, list + step, direction === 'up' ? 'end' : 'start')
  }
}

/** Returns the move of a lesson to the end of a group, or of the lessons without a group. */
export function moveLessonTo(id: number, group: number | null): Move {
  return (outline) => {
    const groupIndex = outline.groups.findIndex((listedGroup) => listedGroup.id === group)
    const list = group === null ? outline.groups.length : groupIndex
    return list < 0 || placeOf(outline, id)?.list === list ? outline : moveToList(outline, id, list, 'end')
  }
}

/**
 * Returns the move of a lesson to a position of the outline.
 *
 * @param id - The lesson.
 * @param group - The group; null for lessons without a group.
 * @param index - The position among the other lessons of the list, from 0.
 */
export function placeLesson(id: number, group: number | null, index: number): Move {
  return (outline) => {
    const groupIndex = outline.groups.findIndex((listedGroup) => listedGroup.id === group)
    const list = group === null ? outline.groups.length : groupIndex
    const lessonPosition = placeOf(outline, id)
    const lesson = lessonsOf(outline).find((listedLesson) => listedLesson.id === id)
    if (!lessonPosition || !lesson || list < 0 || (lessonPosition.list === list && lessonPosition.index === index))
      return outline
    const lists = listsOf(outline).map((lessons) => lessons.filter((listedLesson) => listedLesson.id !== id))
    return replaceLists(outline, lists.with(list, (lists[list] ?? []).toSpliced(index, 0, lesson)))
  }
}

/** Returns the move of lessons to the end of a list, in their order; those already in that list stay. */
export function moveLessonsTo(ids: ReadonlySet<number>, group: number | null): Move {
  return (outline) =>
    lessonsOf(outline)
      .filter(({ id }) => ids.has(id))
      .reduce((now, { id }) => moveLessonTo(id, group)(now), outline)
}

/** Returns the move that takes lessons back to their positions in an outline. */
export function returnLessonsTo(outline: Outline, ids: ReadonlySet<number>): Move {
  const lessonPositions = lessonsOf(outline).flatMap(({ id }) => {
    const lessonPosition = ids.has(id) ? placeOf(outline, id) : undefined
    return lessonPosition ? [{ id, group: lessonPosition.group?.id ?? null, index: lessonPosition.index }] : []
  })
  // Lessons are placed from the first position on, so that each index counts only lessons in their place.
  return (now) =>
    lessonPositions.reduce((movedOutline, { id, group, index }) => placeLesson(id, group, index)(movedOutline), now)
}

/** Returns the move of a group with its lessons to a position among the other groups, from 0. */
export function placeGroup(id: number, index: number): Move {
  return (outline) => {
    const formerIndex = outline.groups.findIndex((group) => group.id === id)
    const group = outline.groups[formerIndex]
    if (!group || formerIndex === index) return outline
    return { ...outline, groups: outline.groups.toSpliced(formerIndex, 1).toSpliced(index, 0, group) }
  }
}

/** Returns the move that takes a lesson or a group back to its position in an outline. */
export function moveBackTo(outline: Outline, { lesson, group }: { lesson?: number; group?: number }): Move | undefined {
  const lessonPosition = lesson === undefined ? undefined : placeOf(outline, lesson)
  if (lesson !== undefined && lessonPosition)
    return placeLesson(lesson, lessonPosition.group?.id ?? null, lessonPosition.index)
  const index = outline.groups.findIndex(({ id }) => id === group)
  return group === undefined || index < 0 ? undefined : placeGroup(group, index)
}

/** Returns the move of a group with its lessons up or down by one position. */
export function moveGroup(id: number, direction: MoveDirection): Move {
  return (outline) => {
    const index = outline.groups.findIndex((group) => group.id === id)
    const otherIndex = direction === 'up' ? index - 1 : index + 1
    if (index < 0 || otherIndex < 0 || otherIndex >= outline.groups.length) return outline
    return { ...outline, groups: swapItems(outline.groups, index, otherIndex) }
  }
}

/** Returns whether a move changes the outline. */
export const changesOutline = (outline: Outline, move: Move): boolean => move(outline) !== outline

/** Order of the outline in the format of the server. */
export function orderOf({ version, groups, lessons }: Outline) {
  return {
    version,
    groups: groups.map(({ id, lessons: groupLessons }) => ({ id, lessons: groupLessons.map((lesson) => lesson.id) })),
    lessons: lessons.map(({ id }) => id),
  }
}

/** Returns the lessons before and after a lesson. */
export function neighboursOf(outline: Outline, id: number) {
  const allLessons = lessonsOf(outline)
  const index = allLessons.findIndex((lesson) => lesson.id === id)
  return index < 0 ? {} : { previous: allLessons[index - 1], next: allLessons[index + 1] }
}

/** Returns the total seconds of the lessons that learners see. */
export function secondsOf({ groups, lessons }: Outline): number {
  const visibleLessons = [
    ...groups.filter(({ state }) => state === 'visible').flatMap((group) => group.lessons),
    ...lessons,
  ]
  return visibleLessons.reduce((sum, { state, duration_s }) => sum + (state === 'visible' ? (duration_s ?? 0) : 0), 0)
}
