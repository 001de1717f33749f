import { describe, expect, it } from 'vitest'
import { buildRecord, buildTranslation } from '../testing/factories.ts'
import { startResourceApp } from '../testing/resource-app.ts'

const resourceApp = startResourceApp()
interface One {
  data: { id: number; attributes: Record<string, unknown> }
}
const attributes = async (path: string) => (await resourceApp.read<One>(path)).data.attributes
const putRecord = (path: string, data: object) => resourceApp.ask('PUT', path, { data })
const errorsOf = (body: unknown) =>
  (body as { error: { details: { errors?: { path: unknown[]; code: string; message: string }[] } } }).error.details
    .errors

describe('publishing a course (content-model §4)', () => {
  const course = () => buildRecord(resourceApp.database, 'courses', { title: 'C' })
  const publishCourse = (id: number) => putRecord(`/courses/${id}`, { state: 'published' })
  const missingPartsOf = (body: unknown) =>
    (body as { error: { details: { missing: object[] } } }).error.details.missing
  const withRussian = async () => {
    const id = await course()
    await buildTranslation(resourceApp.database, 'courses', id, 'ru', { title: 'К' })
    return id
  }

  it('publishes a course only with a lesson in each language, and lists the missing ones', async () => {
    const id = await withRussian()
    const emptyAnswer = await publishCourse(id)
    expect([emptyAnswer.status, missingPartsOf(emptyAnswer.body)]).toEqual([
      422,
      [
        { locale: 'en', what: 'lesson' },
        { locale: 'ru', what: 'lesson' },
      ],
    ])
    expect(emptyAnswer.body).toMatchObject({
      error: { message: 'the course is not ready to be published: 2 things are missing' },
    })
    expect(errorsOf(emptyAnswer.body)).toMatchObject([
      { path: ['lessons'], message: 'a visible lesson with text or video is missing in en' },
      { path: ['lessons'], message: 'a visible lesson with text or video is missing in ru' },
    ])
    const lesson = await buildRecord(resourceApp.database, 'lessons', { title: 'L', course: id, content: '<p>x</p>' })
    expect(missingPartsOf((await publishCourse(id)).body)).toEqual([{ locale: 'ru', what: 'lesson' }])
    await buildTranslation(resourceApp.database, 'lessons', lesson, 'ru', { title: 'У', content: '<p>я</p>' })
    expect((await publishCourse(id)).status).toBe(200)
    const { state, published_at } = await attributes(`/courses/${id}`)
    expect([state, Date.parse(String(published_at)) > Date.now() - 60_000]).toEqual(['published', true])
  })

  it.each([
    ['a text', { content: '<p>x</p>' }, 200],
    ['a video by address', { videourl: 'https://example.org/v' }, 200],
    ['a video file', { video: { file: 'v.mp4' } }, 200],
    ['parts', { kind: 'multi', parts: [{ title: 'P' }] }, 200],
    ['a title alone', {}, 422],
    ['an empty text', { content: '' }, 422],
    ['a text that is hidden', { content: '<p>x</p>', state: 'hidden' }, 422],
  ])('answers the publication of a course whose only lesson has %s with %i', async (_what, draft, expected) => {
    const id = await course()
    await buildRecord(resourceApp.database, 'lessons', { title: 'L', course: id, ...draft })
    expect((await publishCourse(id)).status).toBe(expected)
  })
  it('ignores a lesson of a hidden group when a course is published', async () => {
    const id = await course()
    const lessongroup = await buildRecord(resourceApp.database, 'lessongroups', {
      title: 'G',
      course: id,
      state: 'hidden',
    })
    await buildRecord(resourceApp.database, 'lessons', { title: 'L', course: id, content: '<p>x</p>', lessongroup })
    expect((await publishCourse(id)).status).toBe(422)
    await putRecord(`/lessongroups/${lessongroup}`, { state: 'visible' })
    expect((await publishCourse(id)).status).toBe(200)
  })
  it("accepts the video of the source language for a lesson's translation", async () => {
    const id = await withRussian()
    const lesson = await buildRecord(resourceApp.database, 'lessons', {
      title: 'L',
      course: id,
      videourl: 'https://example.org/v',
    })
    expect(missingPartsOf((await publishCourse(id)).body)).toEqual([{ locale: 'ru', what: 'lesson' }])
    await buildTranslation(resourceApp.database, 'lessons', lesson, 'ru', { title: 'У' })
    expect((await publishCourse(id)).status).toBe(200)
  })
  it('checks a course again only after a withdrawal, and accepts other edits of a published course', async () => {
    const id = await course()
    const lesson = await buildRecord(resourceApp.database, 'lessons', { title: 'L', course: id, content: '<p>x</p>' })
    await publishCourse(id)
    await resourceApp.ask('DELETE', `/lessons/${lesson}`)
    expect((await putRecord(`/courses/${id}`, { title: 'Other', state: 'published' })).status).toBe(200)
    await putRecord(`/courses/${id}`, { state: 'draft' })
    expect((await publishCourse(id)).status).toBe(422)
  })
})

describe('parts of a lesson', () => {
  const lesson = async (draft: object) => {
    const course = await buildRecord(resourceApp.database, 'courses', { title: 'C' })
    return resourceApp.ask('POST', '/lessons', { data: { title: 'L', course, ...draft } })
  }
  const idOf = ({ body }: { body: unknown }) => (body as One).data.id
  const partDrafts = [{ title: 'A' }, { title: 'B' }]

  it('stores each part of a lesson with an id, without scripts and unknown keys', async () => {
    const answer = await lesson({
      kind: 'multi',
      parts: [
        { title: 'A', content: '<p onclick="x()">a</p><script>b</script>', bogus: 1 },
        { id: 'mine', attachments: [1] },
      ],
    })
    const { parts } = (answer.body as One).data.attributes
    const emptyLesson = { title: null, content: null, videourl: null, attachments: [] }
    expect(parts).toEqual([
      { ...emptyLesson, id: expect.any(String) as unknown, title: 'A', content: '<p>a</p>' },
      { ...emptyLesson, id: 'mine', attachments: [1] },
    ])
    const lessonBefore = await attributes(`/lessons/${idOf(answer)}`)
    await putRecord(`/lessons/${idOf(answer)}`, lessonBefore)
    expect(await attributes(`/lessons/${idOf(answer)}`)).toEqual(lessonBefore)
  })
  it.each([
    [{ parts: 'x' }, [['parts']]],
    [{ parts: {} }, [['parts']]],
    [{ parts: [{ title: 5 }] }, [['parts', 0, 'title']]],
    [
      { parts: [{}, { videourl: 'http://x' }, { content: 5, attachments: 'x' }] },
      [
        ['parts', 1, 'videourl'],
        ['parts', 2, 'content'],
        ['parts', 2, 'attachments'],
      ],
    ],
    [{ parts: Array.from({ length: 101 }, () => ({})) }, [['parts']]],
  ])('refuses the parts of a lesson %j', async (draft, paths) => {
    const { status, body } = await lesson({ kind: 'multi', ...draft })
    expect([status, errorsOf(body)?.map(({ path }) => path)]).toEqual([400, paths])
  })
  it('accepts several parts only in a lesson of the kind multi', async () => {
    expect((await lesson({ parts: partDrafts })).status).toBe(422)
    expect((await lesson({ parts: [partDrafts[0]] })).status).toBe(200)
    expect((await lesson({ parts: null })).status).toBe(200)
    const id = idOf(await lesson({ kind: 'multi', parts: partDrafts }))
    const refusedAnswer = await putRecord(`/lessons/${id}`, { kind: 'single' })
    expect([refusedAnswer.status, errorsOf(refusedAnswer.body)]).toMatchObject([
      422,
      [{ path: ['kind'], code: 'lesson.several-parts' }],
    ])
    expect((await putRecord(`/lessons/${id}`, { kind: 'single', parts: [partDrafts[0]] })).status).toBe(200)
    const repeatedAnswer = await putRecord(`/lessons/${id}`, { parts: partDrafts })
    expect([repeatedAnswer.status, errorsOf(repeatedAnswer.body)]).toMatchObject([422, [{ path: ['parts'] }]])
    expect((await putRecord(`/lessons/${id}`, { title: 'Other' })).status).toBe(200)
  })
  it('counts the parts of a lesson in every language', async () => {
    const id = idOf(await lesson({ kind: 'multi', parts: [partDrafts[0]] }))
    await buildTranslation(resourceApp.database, 'lessons', id, 'ru', { title: 'У', parts: partDrafts })
    expect((await putRecord(`/lessons/${id}`, { kind: 'single' })).status).toBe(422)
    const singleLesson = idOf(await lesson({ parts: [partDrafts[0]] }))
    const body = { locale: 'ru', title: 'У', parts: partDrafts }
    expect((await resourceApp.ask('POST', `/lessons/${singleLesson}/localizations`, body)).status).toBe(422)
  })
})

describe('a lesson', () => {
  it('accepts for a lesson only a group of its own course', async () => {
    const [course, otherCourse] = [
      await buildRecord(resourceApp.database, 'courses', { title: 'C' }),
      await buildRecord(resourceApp.database, 'courses', { title: 'D' }),
    ]
    const lessongroup = await buildRecord(resourceApp.database, 'lessongroups', { title: 'G', course: otherCourse })
    expect((await resourceApp.ask('POST', '/lessons', { data: { title: 'L', course, lessongroup } })).status).toBe(422)
    expect(
      (await resourceApp.ask('POST', '/lessons', { data: { title: 'L', course: otherCourse, lessongroup } })).status,
    ).toBe(200)
  })
  it('expires the cached totals of a course when one of its lessons changes', async () => {
    const course = await buildRecord(resourceApp.database, 'courses', { title: 'C' })
    const lesson = await buildRecord(resourceApp.database, 'lessons', { title: 'L', course, duration_minutes: 5 })
    const total = async () =>
      (
        await resourceApp.read<{ meta: { pagination: { total: number } } }>(
          `/courses?filters[id]=${course}&filters[duration_minutes][$gt]=6`,
        )
      ).meta.pagination.total
    expect(await total()).toBe(0)
    await putRecord(`/lessons/${lesson}`, { duration_minutes: 7 })
    expect(await total()).toBe(1)
  })
})
