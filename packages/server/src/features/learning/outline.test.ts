import type { Outline } from '@dala/model/api/learning'
import { sql } from '../../db/sql.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { buildRecord, publishCourses, buildTranslation } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const resourceApp = startResourceApp()
const buildOf = (name: string, draft: object) => buildRecord(resourceApp.database, name, { ...draft })
const readOutline = async (course: number, locale = 'en') =>
  (await resourceApp.read<{ data: Outline }>(`/courses/${course}/outline?locale=${locale}`)).data
const putOutline = (course: number, data: unknown, role: 'admin' | 'authenticated' | 'public' = 'admin') =>
  resourceApp.ask('PUT', `/courses/${course}/outline`, { data }, role)
/** Returns the titles of an outline as a tree. */
const titles = ({ groups, lessons }: Outline) => [
  ...groups.map(({ title, lessons: groupLessons }) => [title, ...groupLessons.map((lesson) => lesson.title)]),
  lessons.map((lesson) => lesson.title),
]
const orderOf = ({ version, groups, lessons }: Outline) => ({
  version,
  groups: groups.map(({ id, lessons: groupLessons }) => ({ id, lessons: groupLessons.map((lesson) => lesson.id) })),
  lessons: lessons.map(({ id }) => id),
})

let course = 0
let [firstGroup, secondGroup] = [0, 0]
let [a, b, thirdLesson, fourthLesson] = [0, 0, 0, 0]
beforeEach(async () => {
  course = await buildOf('courses', { title: 'C', state: 'published' })
  firstGroup = await buildOf('lessongroups', { title: 'G1', course, position: 1 })
  secondGroup = await buildOf('lessongroups', { title: 'G2', course, position: 2 })
  a = await buildOf('lessons', { title: 'A', course, lessongroup: firstGroup, position: 1, content: '<p>a</p>' })
  b = await buildOf('lessons', { title: 'B', course, lessongroup: firstGroup, position: 2, duration_minutes: 3 })
  thirdLesson = await buildOf('lessons', {
    title: 'C',
    course,
    lessongroup: secondGroup,
    position: 1,
    videourl: 'https://x.org/v',
  })
  fourthLesson = await buildOf('lessons', {
    title: 'D',
    course,
    position: 1,
    video: { file: 'v.mp4', duration_s: 61.4 },
    duration_minutes: 9,
  })
})

describe('GET /api/courses/:id/outline', () => {
  it('lists the groups of a course in order with their lessons, then the lessons without a group', async () => {
    const outline = await readOutline(course)
    expect(titles(outline)).toEqual([['G1', 'A', 'B'], ['G2', 'C'], ['D']])
    expect(outline.groups[0]?.lessons[0]).toEqual({
      id: a,
      title: 'A',
      locale: 'en',
      kind: 'single',
      state: 'visible',
      duration_s: null,
      change: null,
      locales: ['en'],
      outdated_locales: [],
      problems: [],
    })
    expect([outline.groups[0]?.lessons[1]?.duration_s, outline.lessons[0]?.duration_s]).toEqual([180, 61])
  })

  it('reads a total duration above the largest integer, as the list of courses does', async () => {
    for (const title of ['Long', 'Longer']) await buildOf('lessons', { title, course, duration_minutes: 2_000_000_000 })
    const { lessons } = await readOutline(course)
    expect(lessons.map(({ duration_s }) => duration_s)).toContain(120_000_000_000)
    const { status, body } = await resourceApp.ask('GET', `/courses/${course}`)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { data: { attributes: { duration_minutes: 2_147_483_647 } } },
    })
  })
  it('names languages of an outline without content and languages that are behind their source', async () => {
    await buildTranslation(resourceApp.database, 'lessons', a, 'ru', { title: 'А' })
    await resourceApp.ask('PUT', `/lessons/${a}`, { data: { content: '<p>more</p>' } })
    await buildTranslation(resourceApp.database, 'lessons', thirdLesson, 'kaa', { title: 'K' })
    const { groups } = await readOutline(course)
    const [lessonA, lessonB] = groups[0]?.lessons ?? []
    expect(lessonA).toMatchObject({
      locales: ['en', 'ru'],
      outdated_locales: ['ru'],
      problems: [{ locale: 'ru', code: 'lesson.empty' }],
    })
    expect(lessonB?.problems).toEqual([{ locale: 'en', code: 'lesson.empty' }])
    expect(groups[1]?.lessons[0]?.problems).toEqual([])
  })
  it('marks lessons of an outline that are new or changed since the publication, for authors only', async () => {
    const changesOf = ({ groups, lessons }: Outline) =>
      [...groups.flatMap((group) => group.lessons), ...lessons].map(({ change }) => change)
    await buildTranslation(resourceApp.database, 'lessons', fourthLesson, 'ru', { title: 'Д' })
    expect(changesOf(await readOutline(course))).toEqual([null, null, null, null])
    await publishCourses(resourceApp.database)
    expect(changesOf(await readOutline(course))).toEqual([null, null, null, null])
    const { version } = await readOutline(course)
    const order = {
      version,
      groups: [
        { id: firstGroup, lessons: [b, a] },
        { id: secondGroup, lessons: [thirdLesson] },
      ],
      lessons: [fourthLesson],
    }
    await putOutline(course, order)
    expect(changesOf(await readOutline(course))).toEqual([null, null, null, null])
    await resourceApp.ask('PUT', `/lessons/${a}`, { data: { content: '<p>more</p>' } })
    await resourceApp.ask('PUT', `/lessons/${b}`, { data: { state: 'hidden' } })
    await resourceApp.ask('DELETE', `/lessons/${fourthLesson}`)
    await buildOf('lessons', { title: 'E', course, position: 2 })
    expect(changesOf(await readOutline(course))).toEqual(['changed', 'changed', null, 'changed', 'new'])
    const { body } = await resourceApp.ask('GET', `/courses/${course}/outline`, undefined, 'authenticated')
    expect(changesOf((body as { data: Outline }).data)).toEqual([null, null, null, null])
  })
  it('shows titles in the requested language, else in another, and finds a course by an id of any language', async () => {
    await buildTranslation(resourceApp.database, 'lessons', a, 'ru', { title: 'А' })
    await buildTranslation(resourceApp.database, 'lessongroups', secondGroup, 'ru', { title: 'Г2' })
    const russian = await buildTranslation(resourceApp.database, 'courses', course, 'ru', { title: 'К' })
    const [english, russianOutline] = [await readOutline(course), await readOutline(russian, 'ru')]
    expect(titles(russianOutline)).toEqual([['G1', 'А', 'B'], ['Г2', 'C'], ['D']])
    expect(russianOutline.groups.map(({ locale }) => locale)).toEqual(['en', 'ru'])
    expect(russianOutline.version).toBe(english.version)
  })
  it('shows learners only the lessons that they may see, and published courses only', async () => {
    await resourceApp.ask('PUT', `/lessons/${b}`, { data: { state: 'hidden' } })
    await resourceApp.ask('PUT', `/lessongroups/${secondGroup}`, { data: { state: 'hidden' } })
    await publishCourses(resourceApp.database)
    const answer = await resourceApp.ask('GET', `/courses/${course}/outline`, undefined, 'authenticated')
    expect(titles((answer.body as { data: Outline }).data)).toEqual([['G1', 'A'], ['D']])
    await resourceApp.ask('PUT', `/courses/${course}`, { data: { state: 'draft' } })
    expect((await resourceApp.ask('GET', `/courses/${course}/outline`, undefined, 'authenticated')).status).toBe(404)
    expect((await resourceApp.ask('GET', `/courses/${course}/outline`, undefined, 'public')).status).toBe(401)
    expect((await resourceApp.ask('GET', '/courses/2000000000/outline')).status).toBe(404)
  })
})

describe('PUT /api/courses/:id/outline', () => {
  it('stores the places of lessons from 1 without a gap, for all languages, and returns the tree', async () => {
    await buildTranslation(resourceApp.database, 'lessons', a, 'ru', { title: 'А' })
    const russianGroup = await buildTranslation(resourceApp.database, 'lessongroups', secondGroup, 'ru', {
      title: 'Г2',
    })
    const { version } = await readOutline(course)
    const order = {
      version,
      groups: [
        { id: russianGroup, lessons: [fourthLesson, a] },
        { id: firstGroup, lessons: [] },
      ],
      lessons: [thirdLesson, b],
    }
    const { status, body } = await putOutline(course, order)
    expect([status, titles((body as { data: Outline }).data)]).toEqual([200, [['G2', 'D', 'A'], ['G1'], ['C', 'B']]])
    expect(titles(await readOutline(course, 'ru'))).toEqual([['Г2', 'D', 'А'], ['G1'], ['C', 'B']])
    const rows = await resourceApp.database.query(sql<{ title: string; position: number }>`
      select t.title, l.position from lessons l join lessons_texts t on t.document_id = l.id and t.locale = 'en'
       where l.course_id = (select document_id from courses_texts where id = ${course}) order by t.title`)
    expect(rows.map(({ position }) => position)).toEqual([2, 2, 1, 1])
  })
  it('raises only the versions of moved records of an outline, and records who moved them', async () => {
    const outline = await readOutline(course)
    const order = orderOf(outline)
    const group = order.groups[0] ?? { lessons: [] }
    group.lessons = [b, a]
    await putOutline(course, order)
    const versionOf = async (id: number) =>
      (await resourceApp.read<{ data: { attributes: { version: number } } }>(`/lessons/${id}`)).data.attributes.version
    expect([await versionOf(a), await versionOf(b), await versionOf(thirdLesson)]).toEqual([2, 2, 1])
    const [revision] = await resourceApp.database.query(sql<{ changes: object; user_id: number }>`
      select r.changes, r.user_id from revisions r join lessons_texts t on t.document_id = r.document_id
       where r.resource = 'lessons' and r.operation = 'update' and t.id = ${a}`)
    expect(revision).toEqual({ changes: { position: { before: 1, after: 2 } }, user_id: resourceApp.people.admin })
    const [line] = await resourceApp.database.query(sql<{ action: string; entry: number; count: number }>`
      select action, entry, cardinality(revision_ids) as count from audit where resource = 'courses' order by id desc limit 1`)
    expect(line).toEqual({ action: 'record.update', entry: course, count: 2 })
  })
  it('changes nothing when the order of an outline is the stored one', async () => {
    const order = orderOf(await readOutline(course))
    await putOutline(course, order)
    const repeatedOrder = orderOf(await readOutline(course))
    const countWrites = () =>
      resourceApp.database.query(sql<{ count: number }>`select count(*)::int as count from revisions`)
    const writesBefore = await countWrites()
    expect((await putOutline(course, repeatedOrder)).status).toBe(200)
    expect(await countWrites()).toEqual(writesBefore)
  })
  it('returns 409 with the stored outline when somebody else was faster', async () => {
    const order = orderOf(await readOutline(course))
    const lateOrder = { ...order, groups: order.groups.toReversed() }
    expect(
      (
        await putOutline(course, {
          ...order,
          lessons: [],
          groups: [
            { id: firstGroup, lessons: [a, b, thirdLesson, fourthLesson] },
            { id: secondGroup, lessons: [] },
          ],
        })
      ).status,
    ).toBe(200)
    const { status, body } = await putOutline(course, lateOrder)
    expect(status).toBe(409)
    expect(body).toMatchObject({ error: { code: 'record.stale', details: { current: await readOutline(course) } } })
  })
  it('returns 409 when a lesson of the outline was deleted meanwhile', async () => {
    const order = orderOf(await readOutline(course))
    await resourceApp.ask('DELETE', `/lessons/${fourthLesson}`)
    expect((await putOutline(course, order)).status).toBe(409)
  })

  const wrongOrders: [string, (order: ReturnType<typeof orderOf>, otherLesson: number) => unknown, string[]][] = [
    [
      'a lesson of another course',
      (order, otherLesson) => ({ ...order, lessons: [...order.lessons, otherLesson] }),
      ['lessons'],
    ],
    ['a missing lesson', (order) => ({ ...order, lessons: [] }), ['lessons']],
    ['a lesson named twice', (order) => ({ ...order, lessons: [...order.lessons, ...order.lessons] }), ['lessons']],
    ['a missing group', (order) => ({ ...order, groups: order.groups.slice(1) }), ['groups']],
    ['no version', ({ groups, lessons }) => ({ groups, lessons }), ['version']],
    ['no lists', ({ version }) => ({ version }), ['groups', 'lessons']],
    ['ids that are none', (order) => ({ ...order, lessons: ['x'] }), ['lessons']],
  ]
  it.each(wrongOrders)('refuses an outline with %s', async (_what, change, paths) => {
    const otherCourse = await buildOf('courses', { title: 'Other' })
    const foreignLesson = await buildOf('lessons', { title: 'F', course: otherCourse })
    const { status, body } = await putOutline(course, change(orderOf(await readOutline(course)), foreignLesson))
    const { errors } = (body as { error: { details: { errors: { path: string[] }[] } } }).error.details
    expect([status, errors.map(({ path }) => path[0])]).toEqual([422, paths])
    expect(titles(await readOutline(course))).toEqual([['G1', 'A', 'B'], ['G2', 'C'], ['D']])
  })
  it('refuses an outline of callers who are not authors', async () => {
    const order = orderOf(await readOutline(course))
    expect((await putOutline(course, order, 'authenticated')).status).toBe(403)
    expect((await putOutline(course, order, 'public')).status).toBe(401)
    expect((await putOutline(2_000_000_000, order)).status).toBe(404)
  })
  it('numbers the lessons of a list without a gap after one is deleted or restored', async () => {
    const readPositions = async () => {
      const rows = await resourceApp.database.query(sql<{ title: string; position: number }>`
        select t.title, l.position from lessons l join lessons_texts t on t.document_id = l.id
          join lessongroups g on g.id = l.lessongroup_id where g.id = (select document_id from lessongroups_texts where id = ${firstGroup})
         order by l.position`)
      return rows.map(({ title, position }) => `${title}${position}`)
    }
    await buildRecord(resourceApp.database, 'lessons', { title: 'E', course, lessongroup: firstGroup, position: 3 })
    await resourceApp.ask('DELETE', `/lessons/${a}`)
    expect(await readPositions()).toEqual(['B1', 'E2'])
    expect((await resourceApp.ask('POST', `/lessons/${a}/restore`)).status).toBe(200)
    expect(await readPositions()).toEqual(['A1', 'B2', 'E3'])
  })
  it('leaves each lesson in one place after concurrent writes', async () => {
    const order = orderOf(await readOutline(course))
    const answers = await Promise.all(
      [order.groups.toReversed(), order.groups].flatMap((groups) =>
        [0, 1, 2].map(() => putOutline(course, { ...order, groups })),
      ),
    )
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    expect(
      titles(await readOutline(course))
        .flat()
        .toSorted(),
    ).toEqual(['A', 'B', 'C', 'D', 'G1', 'G2'])
  })
})
