import { describe, expect, it } from 'vitest'
import { lesson } from '../../../testing/course.ts'
import type { Outline, OutlineLesson } from '@dala/model/api/learning'
import { compareOutlines, type MarkedGroup } from './tree-diff.ts'

const tree = (groups: Record<string, number[]>, ungroupedIds: number[] = []): Outline => {
  const lessonsOf = (ids: number[]) => ids.map((id) => lesson(id, `L${id}`) as OutlineLesson)
  return {
    version: 1,
    groups: Object.entries(groups).map(([id, ids]) => {
      return { id: Number(id.slice(1)), title: id, locale: 'en', state: 'visible', lessons: lessonsOf(ids) }
    }),
    lessons: lessonsOf(ungroupedIds),
  }
}
const marksOf = (groups: readonly MarkedGroup[]) =>
  groups.flatMap(({ key, mark, rows }) =>
    [{ key, mark }, ...rows].flatMap((row) => (row.mark ? [`${row.key} ${row.mark}`] : [])),
  )

describe('compareOutlines', () => {
  it('marks in two outlines only the row that was moved', () => {
    const comparedOutlines = compareOutlines(tree({ g1: [4, 1, 2, 3] }), tree({ g1: [1, 2, 3, 4] }))
    expect([marksOf(comparedOutlines.yourGroups), marksOf(comparedOutlines.theirs)]).toEqual([
      ['lesson-4 moved'],
      ['lesson-4 moved'],
    ])
  })

  it('marks rows of an outline that changed their group, and groups that changed their place', () => {
    const comparedOutlines = compareOutlines(tree({ g1: [1, 2], g2: [] }, [3]), tree({ g2: [2], g1: [1] }, [3]))
    expect(marksOf(comparedOutlines.yourGroups)).toEqual(['group-1 moved', 'lesson-2 moved'])
    expect(marksOf(comparedOutlines.theirs)).toEqual(['lesson-2 moved', 'group-1 moved'])
  })

  it('marks rows that only one of two outlines has', () => {
    const comparedOutlines = compareOutlines(tree({ g1: [1, 2] }), tree({ g1: [2], g3: [5] }))
    expect(marksOf(comparedOutlines.yourGroups)).toEqual(['lesson-1 only-here'])
    expect(marksOf(comparedOutlines.theirs)).toEqual(['group-3 only-here', 'lesson-5 only-here'])
  })
})
