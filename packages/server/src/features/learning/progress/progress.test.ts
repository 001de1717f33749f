import type { CourseDiff } from '@dala/model/api/learning'
import type { CourseProgress, CourseStatistics, DeletionUsage, LearnerRow } from '@dala/model/api/progress'
import type { Locale, RoleType } from '@dala/model'
import readXlsx from 'read-excel-file/node'
import { beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../db/sql.ts'
import { buildRecord, buildRegion, buildUser, publishCourseOf, buildTranslation } from '../../../testing/factories.ts'
import { tokenOf } from '../../../testing/app.ts'
import { startResourceApp } from '../../../testing/resource-app.ts'

const resourceApp = startResourceApp()

interface Data<T> {
  data: T
}
interface StoredProgress {
  lesson_percent: number
  course_percent: number
  completed: boolean
  ignored: number
}

const sendProgress = (lesson: number, data: object, role: RoleType = 'authenticated') =>
  resourceApp.ask('POST', `/lessons/${lesson}/progress`, { data }, role)
const store = async (lesson: number, data: object) => {
  const { status, body } = await sendProgress(lesson, data)
  expect([status, body]).toMatchObject([200, { data: {} }])
  return (body as Data<StoredProgress>).data
}
const ownProgress = async () => {
  const { body } = await resourceApp.ask('GET', `/courses/${course}/progress`, undefined, 'authenticated')
  return (body as Data<CourseProgress>).data
}
const rows = () => resourceApp.database.query(sql`select * from lesson_progress order by user_id, lesson_id, part`)
/** Moves the time of the last progress of every learner into the past. */
const waitFor = (seconds: number) =>
  resourceApp.database.query(
    sql`update lesson_progress set updated_at = updated_at - make_interval(secs => ${seconds}::int)`,
  )
const publishCourse = async (languages: readonly Locale[] = ['en']) => {
  const { data } = await resourceApp.read<Data<{ attributes: { version: number } }>>(`/courses/${course}`)
  const body = { data: { locales: languages, version: data.attributes.version } }
  expect((await resourceApp.ask('POST', `/courses/${course}/publish`, body)).status).toBe(200)
}
const putData = (url: string, data: object) => resourceApp.ask('PUT', url, { data })
/** Creates a learner, and a function that stores progress in their name. */
const registerLearner = async (draft: object = {}) => {
  const username = `learner-${Math.random().toString(36).slice(2)}`
  const id = await buildUser(resourceApp.database, 'authenticated', {
    username,
    email: `${username}@example.org`,
    ...draft,
  })
  const authorization = `Bearer ${await tokenOf(resourceApp.app, username)}`
  return {
    id,
    store: (lesson: number, data: object) =>
      resourceApp.app.inject({
        method: 'POST',
        url: `/api/lessons/${lesson}/progress`,
        headers: { authorization, 'content-type': 'application/json' },
        payload: JSON.stringify({ data }),
      }),
  }
}

let course = 0
let [film, page, multi] = [0, 0, 0]
const video = { file: 1, duration_s: 100 }
const partsOf = (...ids: string[]) => ids.map((id) => ({ id, title: id, content: `<p>${id}</p>` }))

beforeEach(async () => {
  await resourceApp.database.query(sql`delete from lesson_progress`)
  await resourceApp.database.query(sql`delete from course_completions`)
  course = await buildRecord(resourceApp.database, 'courses', { title: 'Course', state: 'published' })
  const group = await buildRecord(resourceApp.database, 'lessongroups', { title: 'Group', course, position: 1 })
  film = await buildRecord(resourceApp.database, 'lessons', {
    title: 'Film',
    course,
    lessongroup: group,
    position: 1,
    video,
  })
  page = await buildRecord(resourceApp.database, 'lessons', {
    title: 'Page',
    course,
    position: 1,
    content: '<p>text</p>',
  })
  multi = await buildRecord(resourceApp.database, 'lessons', {
    title: 'Parts',
    course,
    position: 2,
    kind: 'multi',
    parts: partsOf('a', 'b'),
    complete_when: 'marked',
  })
  await publishCourseOf(resourceApp.database, course)
})

describe('POST /api/lessons/:id/progress', () => {
  it('completes lessons by their rules and the course with the last one', async () => {
    expect(await store(film, { opened: true, watched: [[0, 45]], position_s: 45 })).toEqual({
      lesson_percent: 50,
      course_percent: 0,
      completed: false,
      ignored: 0,
    })
    expect(await store(film, { watched: [[40, 90]], position_s: 90 })).toMatchObject({
      lesson_percent: 100,
      course_percent: 33,
    })
    expect(await store(page, { opened: true })).toMatchObject({ lesson_percent: 100, course_percent: 66 })
    expect(await store(multi, { part: 'a', marked: true })).toMatchObject({ lesson_percent: 50, completed: false })
    expect(await store(multi, { part: 'b', marked: true })).toMatchObject({
      lesson_percent: 100,
      course_percent: 100,
      completed: true,
    })
    const progress = await ownProgress()
    expect(progress).toMatchObject({
      percent: 100,
      certificate: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{16}$/) as unknown,
      lessons: [
        { id: film, percent: 100, position_s: 90, part: '', completed: true },
        { id: page, completed: true },
        {
          id: multi,
          completed: true,
          parts: [
            { part: 'a', completed: true },
            { part: 'b', completed: true },
          ],
        },
      ],
    })
    expect(Date.parse(progress.completed_at ?? '')).toBeGreaterThan(0)
  })

  it('changes no progress when a call is repeated a hundred times', async () => {
    const call = {
      opened: true,
      marked: true,
      position_s: 31.25,
      watched: [
        [10, 20],
        [0, 5],
        [15, 31.25],
      ],
    }
    const firstAnswer = await store(film, call)
    const storedRows = await rows()
    for (let repeatNumber = 0; repeatNumber < 100; repeatNumber += 1)
      expect(await store(film, call)).toEqual(firstAnswer)
    expect(await rows()).toEqual(storedRows)
  })

  it('ignores and counts impossible values of progress, and stores the others of the call', async () => {
    expect(
      await store(film, {
        opened: true,
        position_s: 30,
        watched: [
          [-5, 10],
          [90, 200],
          [9, 3],
          [0, 10],
        ],
      }),
    ).toMatchObject({ ignored: 3 })
    expect(await store(film, { position_s: -1 })).toMatchObject({ ignored: 1 })
    expect(await store(film, { position_s: 5_000 })).toMatchObject({ ignored: 1 })
    expect(await rows()).toMatchObject([{ watched: [[0, 10]], position_s: 30 }])
    expect(await store(multi, { part: 'unknown', marked: true, watched: [[0, 1]] })).toMatchObject({ ignored: 2 })
    expect(await store(multi, { opened: true })).toMatchObject({ ignored: 1 })
    expect(await rows()).toHaveLength(1)
  })

  it('ignores more watched seconds than the time since the last progress allows', async () => {
    await store(film, { opened: true })
    expect(await store(film, { watched: [[0, 100]] })).toMatchObject({ lesson_percent: 0, ignored: 1 })
    await waitFor(19)
    expect(await store(film, { watched: [[0, 100]] })).toMatchObject({ lesson_percent: 0, ignored: 1 })
    await waitFor(1)
    expect(await store(film, { watched: [[0, 100]] })).toMatchObject({ lesson_percent: 100, ignored: 0 })
  })

  it('stores at most 200 watched intervals of a lesson', async () => {
    const longLesson = await buildRecord(resourceApp.database, 'lessons', {
      title: 'Long',
      course,
      video: { duration_s: 40_000 },
    })
    await publishCourse()
    await store(longLesson, { opened: true })
    await waitFor(10_000)
    const watchedIntervals = Array.from({ length: 500 }, (_, index) => [index * 20, index * 20 + 5])
    expect(await store(longLesson, { watched: watchedIntervals })).toMatchObject({ ignored: 0 })
    expect(JSON.stringify(await rows()).match(/\[\d+,\d+\]/g)).toHaveLength(200)
  })

  it('counts a video of unknown length by the mark of the learner', async () => {
    const linkedLesson = await buildRecord(resourceApp.database, 'lessons', {
      title: 'Link',
      course,
      videourl: 'https://www.youtube.com/watch?v=aaaaaaaaaaa',
    })
    await publishCourse()
    expect(await store(linkedLesson, { opened: true, watched: [[0, 50]] })).toMatchObject({
      lesson_percent: 0,
      ignored: 0,
    })
    expect(await store(linkedLesson, { marked: true })).toMatchObject({ lesson_percent: 100 })
    expect(await store(linkedLesson, { marked: false })).toMatchObject({ lesson_percent: 100 })
  })

  it('keeps progress when the language changes, and completes a lesson in either language', async () => {
    const russian = await buildTranslation(resourceApp.database, 'lessons', multi, 'ru', {
      title: 'Части',
      parts: partsOf('a', 'c'),
    })
    await buildTranslation(resourceApp.database, 'courses', course, 'ru', { title: 'Курс' })
    await publishCourse(['en', 'ru'])
    await store(multi, { part: 'a', marked: true })
    expect(await store(russian, { part: 'b', marked: true })).toMatchObject({ lesson_percent: 50, ignored: 1 })
    expect(await store(russian, { part: 'c', marked: true })).toMatchObject({ lesson_percent: 100 })
  })

  it('refuses lessons after the first incomplete one of a course in order with 409 and its id', async () => {
    await putData(`/courses/${course}`, { in_order: true })
    await publishCourse()
    const { status, body } = await sendProgress(page, { opened: true })
    expect([status, body]).toMatchObject([409, { error: { code: 'lesson.order', details: { lesson: film } } }])
    expect(await rows()).toEqual([])
    await store(film, { watched: [[0, 50]] })
    await store(film, { watched: [[50, 90]] })
    await store(page, { opened: true })
    expect(await sendProgress(multi, { part: 'a', opened: true })).toMatchObject({ status: 200 })
  })

  it('refuses progress of callers without a session, and in lessons that are not published', async () => {
    const draft = await buildRecord(resourceApp.database, 'lessons', { title: 'Draft', course, content: '<p>x</p>' })
    expect((await sendProgress(film, { opened: true }, 'public')).status).toBe(401)
    for (const id of [draft, 999_999]) {
      expect((await sendProgress(id, { opened: true })).status).toBe(404)
      expect((await sendProgress(id, { opened: true }, 'admin')).status).toBe(404)
    }
    expect((await sendProgress(film, { opened: true }, 'admin')).status).toBe(200)
    await resourceApp.ask('PUT', `/courses/${course}`, { data: { state: 'draft' } })
    expect((await sendProgress(film, { opened: true })).status).toBe(404)
  })

  it.each<[string, unknown]>([
    ['no data', {}],
    ['an interval of three numbers', { data: { watched: [[1, 2, 3]] } }],
    ['an interval that is a text', { data: { watched: ['1-2'] } }],
    ['too many intervals', { data: { watched: Array.from({ length: 501 }, () => [0, 1]) } }],
    ['a position that is a text', { data: { position_s: '1' } }],
    ['a long part', { data: { part: 'x'.repeat(65) } }],
    ['a mark that is a number', { data: { marked: 1 } }],
  ])('refuses progress whose body has %s', async (_what, body) => {
    expect((await resourceApp.ask('POST', `/lessons/${film}/progress`, body, 'authenticated')).status).toBe(422)
  })

  it('writes nothing while an administrator views the panel as a learner, nor for a preview', async () => {
    const headers = { authorization: `Bearer ${resourceApp.tokens.admin}`, 'content-type': 'application/json' }
    const [role] = await resourceApp.database.query(
      sql<{ id: number }>`select id from roles where type = 'authenticated'`,
    )
    const answer = await resourceApp.app.inject({
      method: 'POST',
      url: `/api/lessons/${film}/progress`,
      headers: { ...headers, 'x-view-as': String(role?.id) },
      payload: JSON.stringify({ data: { opened: true } }),
    })
    expect([answer.statusCode, answer.json()]).toMatchObject([403, {}])
    expect((await resourceApp.ask('GET', `/lessons/${film}/preview`)).status).toBe(200)
    expect(await rows()).toEqual([])
  })

  it('counts the progress of concurrent calls of one learner', async () => {
    await Promise.all(
      [0, 10, 20, 30, 40].map((startSecond) => store(film, { watched: [[startSecond, startSecond + 10]] })),
    )
    expect(await rows()).toMatchObject([{ watched: [[0, 50]] }])
  })
})

describe('a publication', () => {
  const completeLessons = async () => {
    await store(film, { watched: [[0, 50]] })
    await store(film, { watched: [[50, 90]] })
    await store(page, { opened: true })
    for (const partKey of ['a', 'b']) await store(multi, { part: partKey, marked: true })
  }

  it('lowers a percentage by a new lesson, and never withdraws the completion of a course', async () => {
    await completeLessons()
    const { completed_at, certificate } = await ownProgress()
    await buildRecord(resourceApp.database, 'lessons', { title: 'New', course, content: '<p>x</p>' })
    expect((await ownProgress()).percent).toBe(100)
    await publishCourse()
    expect(await ownProgress()).toMatchObject({ percent: 75, completed_at, certificate })
    expect(await store(film, { opened: true })).toMatchObject({ completed: true, course_percent: 75 })
  })

  it('removes a lesson from the percentage, and completes the course of those who lacked only this lesson', async () => {
    await completeLessons()
    await resourceApp.database.query(sql`delete from course_completions`)
    await resourceApp.database.query(sql`delete from lesson_progress where part = 'b'`)
    expect((await ownProgress()).percent).toBe(66)
    await resourceApp.ask('DELETE', `/lessons/${multi}?locale=all`)
    expect((await ownProgress()).percent).toBe(66)
    await publishCourse()
    expect(await ownProgress()).toMatchObject({ percent: 100, completed_at: expect.any(String) as unknown })
  })

  it('applies a new completion rule to earlier progress, and leaves completed lessons complete', async () => {
    await store(film, { opened: true, watched: [[0, 20]] })
    await store(page, { opened: true })
    await putData(`/lessons/${film}`, { watch_ratio: 0.2 })
    await putData(`/lessons/${page}`, { complete_when: 'marked' })
    await publishCourse()
    expect((await ownProgress()).lessons.map(({ percent }) => percent)).toEqual([100, 100, 0])
  })

  it('counts no lessons of hidden groups in a percentage, and an empty course as 0', async () => {
    await store(film, { opened: true })
    for (const id of [page, multi]) await putData(`/lessons/${id}`, { state: 'hidden' })
    await publishCourse()
    expect(await ownProgress()).toMatchObject({ percent: 0, lessons: [{ id: film }] })
    await resourceApp.database.query(sql`update published_lessons set state = 'hidden'`)
    expect(await ownProgress()).toMatchObject({ percent: 0, completed_at: null, lessons: [] })
  })
})

describe('GET /api/courses/:id/progress', () => {
  it('refuses the progress of a course to guests, and of a course that is not published', async () => {
    expect((await resourceApp.ask('GET', `/courses/${course}/progress`, undefined, 'public')).status).toBe(401)
    const draft = await buildRecord(resourceApp.database, 'courses', { title: 'Draft' })
    for (const role of ['authenticated', 'admin'] as const)
      expect((await resourceApp.ask('GET', `/courses/${draft}/progress`, undefined, role)).status).toBe(404)
  })
})

describe('figures of a course', () => {
  const staffUrls = () => [
    ...['learners', 'learners?format=xlsx', 'statistics', 'usage'].map((name) => `/courses/${course}/${name}`),
    `/lessons/${film}/usage`,
  ]

  it('refuses the figures of a course to callers below administrators, and of an unknown course', async () => {
    for (const url of staffUrls()) {
      expect([url, (await resourceApp.ask('GET', url, undefined, 'authenticated')).status]).toEqual([url, 403])
      expect([url, (await resourceApp.ask('GET', url, undefined, 'public')).status]).toEqual([url, 401])
    }
    for (const url of ['courses/999999/learners', 'courses/999999/statistics', 'lessongroups/999999/usage'])
      expect((await resourceApp.ask('GET', `/${url}`)).status).toBe(404)
  })

  it.each(['sort=phone:asc', 'sort=name', 'format=pdf', 'pagination[page]=x'])(
    'refuses the query %s of learners',
    async (query) => {
      expect((await resourceApp.ask('GET', `/courses/${course}/learners?${query}`)).status).toBe(400)
    },
  )

  it('lists learners with their percentage, by page, order and name, and as a sheet', async () => {
    const region = await buildRegion(resourceApp.database, { name: 'Kegeyli' })
    const otherLearner = await registerLearner({ name: 'Ayjamal', surname: 'Zaripova', region })
    await store(page, { opened: true })
    await otherLearner.store(page, { opened: true })
    for (const partKey of ['a', 'b']) await otherLearner.store(multi, { part: partKey, marked: true })
    type List = { data: LearnerRow[]; meta: { pagination: { total: number } } }
    const list = (query: string) => resourceApp.read<List>(`/courses/${course}/learners?${query}`)
    const { data, meta } = await list('sort=percent:desc')
    expect([meta.pagination.total, data]).toMatchObject([
      2,
      [
        {
          id: otherLearner.id,
          name: 'Ayjamal Zaripova',
          region: 'Kegeyli',
          percent: 66,
          completed_at: null,
          certificate: null,
        },
        { id: resourceApp.people.authenticated, percent: 33 },
      ],
    ])
    expect((await list('_q=zarip')).data.map(({ id }) => id)).toEqual([otherLearner.id])
    expect((await list('sort=name:asc&pagination[page]=2&pagination[pageSize]=1')).data).toHaveLength(1)
    const sheet = await resourceApp.app.inject({
      url: `/api/courses/${course}/learners?format=xlsx&sort=percent:asc&locale=ru`,
      headers: { authorization: `Bearer ${resourceApp.tokens.admin}` },
    })
    expect(sheet.headers['content-disposition']).toMatch(/^attachment; filename="learners-\d{4}-\d\d-\d\d\.xlsx"$/)
    const [{ data: cells } = { data: [] }] = await readXlsx(sheet.rawPayload)
    expect(cells[0]?.slice(0, 3)).toEqual(['Имя', 'Регион', 'Прогресс, %'])
    expect(cells[2]?.slice(0, 3)).toEqual(['Ayjamal Zaripova', 'Kegeyli', 66])
    const cyrillicSheet = await resourceApp.app.inject({
      url: `/api/courses/${course}/learners?format=xlsx&locale=uz-Cyrl`,
      headers: { authorization: `Bearer ${resourceApp.tokens.admin}` },
    })
    expect((await readXlsx(cyrillicSheet.rawPayload))[0]?.data[0]?.slice(0, 2)).toEqual(['Исми', 'Ҳудуд'])
  })

  it('counts starts, activity, completions, the funnel and watched pieces of a course, by language and region', async () => {
    const region = await buildRegion(resourceApp.database)
    const otherLearner = await registerLearner({ region })
    await store(film, { watched: [[0, 12]] })
    await otherLearner.store(film, {
      watched: [
        [0, 4],
        [95, 100],
      ],
    })
    await otherLearner.store(page, { opened: true })
    await resourceApp.database.query(
      sql`update lesson_progress set updated_at = now() - interval '8 days' where user_id = ${resourceApp.people.authenticated}`,
    )
    await resourceApp.database.query(sql`
      insert into course_completions (user_id, course_id, completed_at, certificate)
      select user_id, course_id, created_at + interval '1 hour', 'X' from lesson_progress where user_id = ${otherLearner.id} limit 1`)
    const figures = async (query = '') =>
      (await resourceApp.read<Data<CourseStatistics>>(`/courses/${course}/statistics${query}`)).data
    const { curves, median_s, ...counts } = await figures()
    expect(counts).toEqual({
      started: 2,
      active: 1,
      completed: 1,
      funnel: [
        { id: film, title: 'Film', started: 2, completed: 0 },
        { id: page, title: 'Page', started: 1, completed: 1 },
        { id: multi, title: 'Parts', started: 0, completed: 0 },
      ],
    })
    expect(median_s).toBeCloseTo(3_600, 0)
    expect(curves).toEqual([
      { id: film, part: '', title: null, place: 0, buckets: [2, 1, 1, ...Array.from({ length: 16 }, () => 0), 1] },
    ])
    await resourceApp.database.query(sql`
      update published_lessons_texts set parts = '[{"id":"a"},{"id":"b","title":"Second part","video":{"duration_s":100}}]'
       where id = ${multi}`)
    await store(multi, { part: 'b', watched: [[0, 5]] })
    expect((await figures()).curves[1]).toMatchObject({ id: multi, part: 'b', title: 'Second part', place: 2 })
    expect(await figures(`?region=${region}`)).toMatchObject({
      started: 1,
      funnel: [{ started: 1 }, { started: 1 }, {}],
    })
    await buildTranslation(resourceApp.database, 'courses', course, 'kaa', { title: 'Kurs' })
    await buildTranslation(resourceApp.database, 'lessons', film, 'kaa', { title: 'Kino' })
    await publishCourse(['en', 'kaa'])
    expect((await figures('?titles=kaa')).funnel[0]).toMatchObject({ title: 'Kino', started: 2 })
    expect(await figures('?locale=ru')).toMatchObject({ started: 0, median_s: null, curves: [] })
    expect((await resourceApp.ask('GET', `/courses/${course}/statistics?region=x`)).status).toBe(400)
  })

  it('counts what the deletion of a course concerns, and learners of lessons that a publication would remove', async () => {
    const group = await buildRecord(resourceApp.database, 'lessongroups', { title: 'Second', course })
    const groupedLesson = await buildRecord(resourceApp.database, 'lessons', {
      title: 'Inside',
      course,
      lessongroup: group,
      content: '<p>x</p>',
    })
    await buildTranslation(resourceApp.database, 'lessons', groupedLesson, 'ru', {
      title: 'Внутри',
      content: '<p>x</p>',
    })
    await publishCourse()
    await store(groupedLesson, { opened: true })
    await store(film, { opened: true })
    const usage = async (url: string) => (await resourceApp.read<Data<DeletionUsage>>(`/${url}/usage`)).data
    const emptyUsage = { attachments: 0, files: 0 }
    expect(await usage(`lessons/${groupedLesson}`)).toEqual({
      ...emptyUsage,
      learners: 1,
      completed: 1,
      translations: 2,
      lessons: 0,
    })
    expect(await usage(`lessons/${film}`)).toEqual({
      ...emptyUsage,
      learners: 1,
      completed: 0,
      translations: 1,
      lessons: 0,
    })
    expect(await usage(`lessongroups/${group}`)).toEqual({
      ...emptyUsage,
      learners: 1,
      completed: 1,
      translations: 3,
      lessons: 1,
    })
    expect(await usage(`courses/${course}`)).toEqual({
      ...emptyUsage,
      learners: 1,
      completed: 0,
      translations: 8,
      lessons: 4,
    })
    await resourceApp.ask('DELETE', `/lessons/${groupedLesson}?locale=all`)
    const { data } = await resourceApp.read<Data<CourseDiff>>(`/courses/${course}/diff`)
    expect(data.losses).toEqual([{ id: groupedLesson, title: 'Inside', learners: 1, completed: 1 }])
  })
})

describe('the trash', () => {
  it('restores a deleted course with the progress and the completions of its learners', async () => {
    await store(page, { opened: true })
    await resourceApp.database.query(sql`
      insert into course_completions (user_id, course_id, certificate) select user_id, course_id, 'Y' from lesson_progress`)
    const storedRows = [await rows(), await resourceApp.database.query(sql`select * from course_completions`)]
    expect((await resourceApp.ask('DELETE', `/courses/${course}?locale=all`)).status).toBe(200)
    expect(await rows()).toEqual([])
    expect((await resourceApp.ask('POST', `/courses/${course}/restore`)).status).toBe(200)
    expect([await rows(), await resourceApp.database.query(sql`select * from course_completions`)]).toEqual(storedRows)
  })
})
