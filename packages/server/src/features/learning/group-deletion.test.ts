import type { Outline } from '@dala/model/api/learning'
import { beforeEach, describe, expect, it } from 'vitest'
import { buildRecord, publishCourses, buildTranslation } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const resourceApp = startResourceApp()
const buildOf = (name: string, draft: object) => buildRecord(resourceApp.database, name, { ...draft })

let [course, firstGroup, secondGroup] = [0, 0, 0]
let [a, ungroupedLesson] = [0, 0]
beforeEach(async () => {
  course = await buildOf('courses', { title: 'Course', state: 'published' })
  firstGroup = await buildOf('lessongroups', { title: 'First', course, position: 1 })
  secondGroup = await buildOf('lessongroups', { title: 'Second', course, position: 2 })
  a = await buildOf('lessons', { title: 'A', course, lessongroup: firstGroup, position: 1, content: '<p>a</p>' })
  await buildOf('lessons', { title: 'B', course, lessongroup: firstGroup, position: 2, content: '<p>b</p>' })
  await buildOf('lessons', { title: 'C', course, lessongroup: secondGroup, position: 1, content: '<p>c</p>' })
  ungroupedLesson = await buildOf('lessons', { title: 'D', course, position: 1, content: '<p>d</p>' })
  await buildOf('lessons', { title: 'E', course, position: 2, content: '<p>e</p>' })
  await buildTranslation(resourceApp.database, 'lessons', a, 'ru', { title: 'А', content: '<p>а</p>' })
  await buildTranslation(resourceApp.database, 'lessongroups', firstGroup, 'ru', { title: 'Первая' })
  await publishCourses(resourceApp.database)
})

const outline = async () => (await resourceApp.read<{ data: Outline }>(`/courses/${course}/outline`)).data
/** The titles of the tree of the course. */
const titles = async () => {
  const { groups, lessons } = await outline()
  return [
    ...groups.map(({ title, lessons: groupLessons }) => [title, ...groupLessons.map((lesson) => lesson.title)]),
    lessons.map(({ title }) => title),
  ]
}
const wholeOutline = [
  ['First', 'A', 'B'],
  ['Second', 'C'],
  ['D', 'E'],
]
const restoreGroup = () => resourceApp.ask('POST', `/lessongroups/${firstGroup}/restore`)
const withLessons = (group: number, role: 'admin' | 'authenticated' | 'public' = 'admin') =>
  resourceApp.ask('DELETE', `/lessongroups/${group}/with-lessons`, undefined, role)

describe('DELETE /api/lessongroups/:id', () => {
  it('moves the lessons of a deleted group behind those without a group; a restore returns them', async () => {
    const outlineBefore = await outline()
    expect((await resourceApp.ask('DELETE', `/lessongroups/${firstGroup}?locale=all`)).status).toBe(200)
    expect(await titles()).toEqual([
      ['Second', 'C'],
      ['D', 'E', 'A', 'B'],
    ])
    expect((await restoreGroup()).status).toBe(200)
    expect(await titles()).toEqual(wholeOutline)
    expect((await outline()).groups).toEqual(outlineBefore.groups)
  })

  it('leaves lessons that have moved to another group there when their former group is restored', async () => {
    await resourceApp.ask('DELETE', `/lessongroups/${firstGroup}?locale=all`)
    expect((await resourceApp.ask('PUT', `/lessons/${a}`, { data: { lessongroup: secondGroup } })).status).toBe(200)
    await restoreGroup()
    expect((await titles()).map((names) => names.toSorted())).toEqual([
      ['B', 'First'],
      ['A', 'C', 'Second'],
      ['D', 'E'],
    ])
  })
})

describe('DELETE /api/lessongroups/:id/with-lessons', () => {
  it('deletes a group with its lessons in all languages, and a restore of the group returns all of them', async () => {
    const outlineBefore = await outline()
    expect(await withLessons(firstGroup)).toEqual({
      status: 200,
      body: { data: { id: firstGroup, lessons: 2 }, meta: {} },
    })
    expect(await titles()).toEqual([
      ['Second', 'C'],
      ['D', 'E'],
    ])
    expect((await resourceApp.ask('GET', `/lessons/${a}`)).status).toBe(404)
    expect((await restoreGroup()).status).toBe(200)
    expect(await titles()).toEqual(wholeOutline)
    const { version: _before, ...storedOutline } = outlineBefore
    const { version: _after, ...restoredOutline } = await outline()
    expect(restoredOutline).toEqual(storedOutline)
  })

  it('finds the group to delete by the id of any of its languages', async () => {
    const russian = await buildTranslation(resourceApp.database, 'lessongroups', secondGroup, 'ru', { title: 'Вторая' })
    expect((await withLessons(russian)).body).toMatchObject({ data: { lessons: 1 } })
    expect(await titles()).toEqual([
      ['First', 'A', 'B'],
      ['D', 'E'],
    ])
  })

  it('refuses to delete an unknown group, or one for callers below administrators, and changes nothing', async () => {
    expect((await withLessons(firstGroup, 'authenticated')).status).toBe(403)
    expect((await withLessons(firstGroup, 'public')).status).toBe(401)
    expect((await withLessons(2_000_000_000)).status).toBe(404)
    expect((await withLessons(ungroupedLesson)).status).toBe(404)
    expect(await titles()).toEqual(wholeOutline)
  })
})
