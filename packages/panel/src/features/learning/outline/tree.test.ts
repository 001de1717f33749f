import type { Outline, OutlineLesson } from '@dala/model/api/learning'
import { describe, expect, it } from 'vitest'
import {
  changesOutline,
  lessonsOf,
  type Move,
  moveGroup,
  moveLesson,
  moveLessonTo,
  neighboursOf,
  orderOf,
  placeGroup,
  placeLesson,
  placeOf,
  moveBackTo,
  secondsOf,
} from './tree.ts'

const lesson = (id: number): OutlineLesson => ({
  id,
  title: `L${id}`,
  locale: 'en',
  kind: 'single',
  state: 'visible',
  duration_s: 60,
  locales: ['en'],
  change: null,
  outdated_locales: [],
  problems: [],
})
const treeOf = (groups: number[][], looseIds: number[]): Outline => ({
  version: 7,
  groups: groups.map((ids, index) => ({
    id: 100 + index,
    title: `G${index}`,
    locale: 'en',
    state: 'visible',
    lessons: ids.map(lesson),
  })),
  lessons: looseIds.map(lesson),
})
const ids = (outline: Outline) => {
  const { groups, lessons } = orderOf(outline)
  return [...groups.map((group) => group.lessons), lessons]
}

/** Returns a deterministic source of random numbers. */
function numbers(seed: number) {
  let state = seed
  return (limit: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
}

describe('a lesson', () => {
  const tree = treeOf([[1, 2], [], [3]], [4])
  it.each<[string, Move, number[][]]>([
    ['down in its group', moveLesson(1, 'down'), [[2, 1], [], [3], [4]]],
    ['up in its group', moveLesson(2, 'up'), [[2, 1], [], [3], [4]]],
    ['down into the next group', moveLesson(2, 'down'), [[1], [2], [3], [4]]],
    ['up to the end of the group before', moveLesson(3, 'up'), [[1, 2], [3], [], [4]]],
    ['down out of the last group', moveLesson(3, 'down'), [[1, 2], [], [], [3, 4]]],
    ['up into the last group', moveLesson(4, 'up'), [[1, 2], [], [3, 4], []]],
    ['to the end of a group', moveLessonTo(1, 102), [[2], [], [3, 1], [4]]],
    ['out of its group', moveLessonTo(1, null), [[2], [], [3], [4, 1]]],
  ])('moves a lesson %s', (_what, move, expected) => {
    expect(ids(move(tree))).toEqual(expected)
    expect(changesOutline(tree, move)).toBe(true)
  })
  it.each<[string, Move]>([
    ['up from the very first place', moveLesson(1, 'up')],
    ['down from the very last place', moveLesson(4, 'down')],
    ['to the group it is in', moveLessonTo(3, 102)],
    ['to a deleted group', moveLessonTo(3, 999)],
    ['after it was deleted', moveLesson(999, 'up')],
    ['to a group after it was deleted', moveLessonTo(999, 100)],
  ])('does not move a lesson %s', (_what, move) => {
    expect(move(tree)).toBe(tree)
    expect(changesOutline(tree, move)).toBe(false)
  })
  it('finds the position and the neighbours of a lesson across groups', () => {
    expect(placeOf(tree, 2)).toMatchObject({ group: { id: 100 }, index: 1, size: 2 })
    expect(placeOf(tree, 4)).toMatchObject({ group: null, index: 0, size: 1 })
    expect(neighboursOf(tree, 3)).toMatchObject({ previous: { id: 2 }, next: { id: 4 } })
    expect(neighboursOf(tree, 1).previous).toBeUndefined()
    expect(neighboursOf(tree, 999)).toEqual({})
  })
})

describe('a group', () => {
  const tree = treeOf([[1], [2], []], [3])
  it('moves a group with its lessons', () => {
    expect(ids(moveGroup(101, 'up')(tree))).toEqual([[2], [1], [], [3]])
    expect(ids(moveGroup(101, 'down')(tree))).toEqual([[1], [], [2], [3]])
  })
  it('does not move a group past the ends of the outline', () => {
    expect(moveGroup(100, 'up')(tree)).toBe(tree)
    expect(moveGroup(102, 'down')(tree)).toBe(tree)
    expect(moveGroup(999, 'down')(tree)).toBe(tree)
  })
})

describe('any sequence of moves', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'keeps each lesson and each group exactly once during random moves (seed %i)',
    (seed) => {
      const nextNumber = numbers(seed)
      const count = 1 + nextNumber(12)
      const groups = Array.from({ length: nextNumber(5) }, () => [] as number[])
      const ungroupedLessons: number[] = []
      for (let id = 1; id <= count; id += 1) (groups[nextNumber(groups.length + 1)] ?? ungroupedLessons).push(id)
      const start = treeOf(groups, ungroupedLessons)
      let tree = start
      for (let step = 0; step < 200; step += 1) {
        const direction = nextNumber(2) === 0 ? 'up' : 'down'
        const id = 1 + nextNumber(count + 1)
        const group = nextNumber(4) === 0 ? null : 100 + nextNumber(groups.length + 1)
        const outlineMoves = [
          moveLesson(id, direction),
          moveLessonTo(id, group),
          moveGroup(100 + nextNumber(6), direction),
        ]
        tree = (outlineMoves[nextNumber(outlineMoves.length)] ?? ((unchangedOutline: Outline) => unchangedOutline))(
          tree,
        )
        expect(
          lessonsOf(tree)
            .map((listedLesson) => listedLesson.id)
            .toSorted((a, b) => a - b),
        ).toEqual(Array.from({ length: count }, (_, index) => index + 1))
      }
      expect(new Set(tree.groups.map(({ id }) => id))).toEqual(new Set(start.groups.map(({ id }) => id)))
      expect(tree.groups).toHaveLength(start.groups.length)
      expect([tree.version, secondsOf(tree)]).toEqual([7, count * 60])
    },
  )
  it.each([1, 2, 3])('undoes a move of lesson %i by the opposite move within a list', (id) => {
    const tree = treeOf([[1, 2, 3, 4]], [])
    expect(ids(moveLesson(id, 'up')(moveLesson(id, 'down')(tree)))).toEqual(ids(tree))
  })
})

it('counts the seconds of the lessons that learners see', () => {
  const tree = treeOf([[1], [2]], [3, 4])
  const hiddenLesson = {
    ...tree,
    groups: tree.groups.map((group, index) => (index === 1 ? { ...group, state: 'hidden' as const } : group)),
    lessons: tree.lessons.map((listedLesson) =>
      listedLesson.id === 3 ? { ...listedLesson, state: 'hidden' as const } : listedLesson,
    ),
  }
  expect(secondsOf(hiddenLesson)).toBe(120)
})

describe('a move to a position', () => {
  it.each<[string, Move, number[][]]>([
    ['a lesson within its list', placeLesson(1, 100, 2), [[2, 3, 1], [], [4]]],
    ['a lesson into an empty group', placeLesson(2, 101, 0), [[1, 3], [2], [4]]],
    ['a lesson out of all groups', placeLesson(3, null, 0), [[1, 2], [], [3, 4]]],
    ['a group behind another', placeGroup(100, 1), [[], [1, 2, 3], [4]]],
  ])('moves a row of an outline: %s', (_what, move, expected) => {
    expect(ids(move(treeOf([[1, 2, 3], []], [4])))).toEqual(expected)
  })
  it('leaves an outline as it is for a position that a row has already, and for an unknown row', () => {
    const tree = treeOf([[1, 2], []], [])
    for (const move of [placeLesson(1, 100, 0), placeLesson(9, 100, 0), placeLesson(1, 999, 0), placeGroup(100, 0)])
      expect(move(tree)).toBe(tree)
  })
  it('returns a row to its former position after any move', () => {
    const drawNumber = numbers(11)
    for (let round = 0; round < 300; round += 1) {
      const tree = treeOf([[1, 2, 3], [4], []], [5, 6])
      const lesson = 1 + drawNumber(6)
      const group = [100, 101, 102, null][drawNumber(4)] ?? null
      const returnMoves = moveBackTo(tree, { lesson })
      expect(ids(returnMoves?.(placeLesson(lesson, group, drawNumber(3))(tree)) ?? tree)).toEqual(ids(tree))
      const movedGroup = 100 + drawNumber(3)
      expect(
        moveBackTo(tree, { group: movedGroup })?.(placeGroup(movedGroup, drawNumber(3))(tree)).groups.map(
          ({ id }) => id,
        ),
      ).toEqual([100, 101, 102])
    }
  })
})
