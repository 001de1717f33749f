import type { CourseCheck, CourseDiff, Outline } from '@dala/model/api/learning'
import { type Locale, locales } from '@dala/model'
import { beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { readContent } from '../../domain/learning/course-content.ts'
import { skipTriggers } from '../../testing/databases.ts'
import { buildRecord, buildUpload, buildTranslation } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const resourceApp = startResourceApp()

interface One {
  data: { id: number; attributes: Record<string, unknown> }
}
const askAsLearner = (url: string) => resourceApp.ask('GET', url, undefined, 'authenticated')
const attributesOf = async (url: string) => (await resourceApp.read<One>(url)).data.attributes
const putData = (url: string, data: object) => resourceApp.ask('PUT', url, { data })
const versionOf = async (id: number) => Number((await attributesOf(`/courses/${id}`)).version)
const step = async (name: string, id: number, values: object = {}) =>
  resourceApp.ask('POST', `/courses/${id}/${name}`, { data: { version: await versionOf(id), ...values } })
const publishCourse = (id: number, languages: readonly Locale[] = ['en']) => step('publish', id, { locales: languages })
const diffOf = async (id: number) => (await resourceApp.read<{ data: CourseDiff }>(`/courses/${id}/diff`)).data
const documentOf = async (id: number) => {
  const [row] = await resourceApp.database.query(
    sql<{ document: number }>`select document_id as document from courses_texts where id = ${id}`,
  )
  return row?.document ?? 0
}

let course = 0
let group = 0
let [firstLesson, secondLesson] = [0, 0]
beforeEach(async () => {
  course = await buildRecord(resourceApp.database, 'courses', { title: 'Course', description: '<p>About</p>' })
  group = await buildRecord(resourceApp.database, 'lessongroups', { title: 'Group', course, position: 1 })
  firstLesson = await buildRecord(resourceApp.database, 'lessons', {
    title: 'First',
    course,
    lessongroup: group,
    position: 1,
    content: '<p>one</p>',
  })
  secondLesson = await buildRecord(resourceApp.database, 'lessons', {
    title: 'Second',
    course,
    position: 1,
    content: '<p>two</p>',
  })
})

/** Reads everything that a learner can read of the course and its lessons, through each kind of route. */
const learnerView = async () => {
  const urls = [
    `/courses/${course}?populate=*`,
    `/courses?filters[id][$eq]=${course}&populate[lessons][populate]=*`,
    `/courses/${course}/outline`,
    '/lessons?locale=all&populate=*&sort=id&pagination[pageSize]=100',
    '/lessons?locale=all&_q=edited&sort=id',
    '/lessongroups?locale=all&populate=*&sort=id&pagination[pageSize]=100',
    `/lessons/${firstLesson}?populate=*`,
    `/lessons/${secondLesson}`,
    `/lessons/groups?by=state&locale=all`,
    '/search?q=edited',
  ]
  return Promise.all(urls.map(async (url) => [url, await askAsLearner(url)]))
}

describe('a published course (e-learning §9)', () => {
  it('shows learners nothing that was edited after the publication until the next one, by any route', async () => {
    expect((await publishCourse(course)).status).toBe(200)
    const viewBefore = await learnerView()
    await putData(`/courses/${course}`, { title: 'Course edited', description: '<p>edited</p>' })
    await putData(`/lessons/${firstLesson}`, {
      title: 'First edited',
      content: '<p>edited</p>',
      lessongroup: null,
      position: 9,
    })
    await resourceApp.ask('DELETE', `/lessons/${secondLesson}?locale=all`)
    await putData(`/lessongroups/${group}`, { title: 'Group edited', state: 'hidden' })
    await buildRecord(resourceApp.database, 'lessons', { title: 'Third edited', course, content: '<p>edited</p>' })
    await buildTranslation(resourceApp.database, 'lessons', firstLesson, 'ru', { title: 'edited' })
    expect(await learnerView()).toEqual(viewBefore)
    expect(JSON.stringify(viewBefore.map(([, answer]) => answer))).not.toContain('edited')
    expect((await attributesOf(`/courses/${course}`)).changed_since_publish).toBe(true)

    expect((await publishCourse(course)).status).toBe(200)
    const { data } = (await askAsLearner(`/courses/${course}/outline`)).body as { data: Outline }
    expect([data.groups, data.lessons.map(({ title }) => title)]).toEqual([[], ['Third edited', 'First edited']])
    expect((await askAsLearner(`/lessons/${secondLesson}`)).status).toBe(404)
    // The course still has unpublished changes, because its Russian text was not published.
    expect((await attributesOf(`/courses/${course}`)).changed_since_publish).toBe(true)
  })

  it('publishes the chosen languages of a course, and leaves the others as they were', async () => {
    await buildTranslation(resourceApp.database, 'courses', course, 'ru', { title: 'Курс' })
    const russian = await buildTranslation(resourceApp.database, 'lessons', firstLesson, 'ru', {
      title: 'Первый',
      content: '<p>один</p>',
    })
    expect((await publishCourse(course, ['ru'])).status).toBe(200)
    expect((await askAsLearner(`/lessons/${firstLesson}`)).status).toBe(404)
    expect(await askAsLearner(`/lessons/${russian}`)).toMatchObject({
      body: { data: { attributes: { title: 'Первый' } } },
    })
    await putData(`/lessons/${russian}`, { title: 'Другой' })
    expect((await publishCourse(course, ['en'])).status).toBe(200)
    expect(await askAsLearner(`/lessons/${russian}`)).toMatchObject({
      body: { data: { attributes: { title: 'Первый' } } },
    })
    expect(await askAsLearner(`/lessons/${firstLesson}`)).toMatchObject({
      body: { data: { attributes: { title: 'First' } } },
    })
    expect((await publishCourse(course, ['en', 'ru'])).status).toBe(200)
    expect(await askAsLearner(`/lessons/${russian}`)).toMatchObject({
      body: { data: { attributes: { title: 'Другой' } } },
    })
  })

  it('hides a course from learners when it is withdrawn or archived, and keeps its publication for a comparison', async () => {
    await publishCourse(course)
    await putData(`/lessons/${firstLesson}`, { title: 'Later' })
    expect((await step('unpublish', course)).status).toBe(200)
    expect((await askAsLearner(`/courses/${course}`)).status).toBe(404)
    expect((await askAsLearner(`/lessons/${secondLesson}`)).status).toBe(404)
    expect((await diffOf(course)).changes.map(({ title }) => title)).toEqual(['Later'])
    expect((await step('archive', course)).status).toBe(200)
    expect((await askAsLearner(`/courses/${course}`)).status).toBe(404)
  })

  it('keeps a file of a published text readable and used after the draft names another', async () => {
    const file = await buildUpload(resourceApp.database)
    const { url } = await resourceApp.read<{ url: string }>(`/upload/files/${file}`)
    await putData(`/lessons/${firstLesson}`, { content: `<p><img src="${url}"></p>` })
    await publishCourse(course)
    await putData(`/lessons/${firstLesson}`, { content: '<p>none</p>' })
    expect((await askAsLearner(`/upload/files/${file}`)).status).toBe(200)
    expect((await resourceApp.ask('DELETE', `/upload/files/${file}?if_unused=true`)).status).toBe(409)
    await publishCourse(course)
    expect((await askAsLearner(`/upload/files/${file}`)).status).toBe(404)
    expect((await resourceApp.ask('DELETE', `/upload/files/${file}?if_unused=true`)).status).toBe(200)
  })
})

describe('POST /api/courses/:id/publish', () => {
  it('refuses to publish languages with errors, names each error, and publishes no other language', async () => {
    await buildTranslation(resourceApp.database, 'courses', course, 'ru', { title: 'Курс' })
    const emptyText = await buildTranslation(resourceApp.database, 'lessons', firstLesson, 'ru', { title: 'Пусто' })
    const { status, body } = await publishCourse(course, ['en', 'ru'])
    expect([status, body]).toMatchObject([
      422,
      {
        error: {
          code: 'course.not-ready',
          details: {
            problems: [
              { lesson: null, title: 'Курс', locale: 'ru', code: 'course.no-lesson' },
              { lesson: emptyText, title: 'Пусто', locale: 'ru', code: 'lesson.empty' },
            ],
          },
        },
      },
    ])
    expect((await askAsLearner(`/courses/${course}`)).status).toBe(404)
  })
  it('notifies staff, apart from the author, of the languages that a published course lacks, once a day', async () => {
    await resourceApp.database.query(sql`delete from notices`)
    for (const name of ['courses', 'lessongroups'] as const)
      await buildTranslation(resourceApp.database, name, name === 'courses' ? course : group, 'ru', { title: 'Курс' })
    for (const lesson of [firstLesson, secondLesson])
      await buildTranslation(resourceApp.database, 'lessons', lesson, 'ru', { title: 'Урок', content: '<p>один</p>' })
    await publishCourse(course)
    await publishCourse(course)
    const noticesOf = async (role: 'owner' | 'admin') =>
      ((await resourceApp.ask('GET', '/notices', undefined, role)).body as { data: object[] }).data
    expect(await noticesOf('owner')).toMatchObject([
      {
        kind: 'course.translate',
        params: { title: 'Course', locales: ['kaa', 'uz'] },
        address: `/e-learning/${course}`,
      },
    ])
    expect(await noticesOf('admin')).toEqual([])
  })

  it('refuses to publish a language that the course does not have, no language, and a stale version', async () => {
    expect(await publishCourse(course, ['kaa'])).toMatchObject({
      status: 422,
      body: { error: { code: 'course.no-language' } },
    })
    expect((await publishCourse(course, [])).status).toBe(422)
    const version = await versionOf(course)
    await putData(`/courses/${course}`, { title: 'Faster' })
    for (const name of ['publish', 'unpublish', 'archive', 'discard'])
      expect(
        await resourceApp.ask('POST', `/courses/${course}/${name}`, { data: { version, locales: ['en'] } }),
      ).toMatchObject({
        status: 409,
        body: { error: { code: 'record.stale' } },
      })
  })
  it.each([
    ['GET', 'check'],
    ['GET', 'diff'],
    ['GET', 'preview'],
    ['POST', 'publish'],
    ['POST', 'unpublish'],
    ['POST', 'archive'],
    ['POST', 'discard'],
    ['POST', 'duplicate'],
  ] as const)('refuses learners and guests the call %s /courses/:id/%s', async (method, name) => {
    const body = method === 'POST' ? { data: { version: 1, locales: ['en'] } } : undefined
    expect((await resourceApp.ask(method, `/courses/${course}/${name}`, body, 'authenticated')).status).toBe(403)
    expect((await resourceApp.ask(method, `/courses/${course}/${name}`, body, 'public')).status).toBe(401)
    expect((await resourceApp.ask(method, `/courses/2000000000/${name}`, body)).status).toBe(404)
  })
})

describe('GET /api/courses/:id/check', () => {
  it('lists what prevents the publication of a course in each language, and warnings', async () => {
    await buildTranslation(resourceApp.database, 'courses', course, 'ru', { title: 'Курс' })
    const russian = await buildTranslation(resourceApp.database, 'lessons', firstLesson, 'ru', {
      title: 'Первый',
      content: '<p>один</p>',
    })
    await putData(`/lessons/${firstLesson}`, { content: '<p>newer</p>' })
    await publishCourse(course, ['en'])
    const { data } = await resourceApp.read<{ data: CourseCheck }>(`/courses/${course}/check`)
    expect(data).toEqual({
      languages: [
        { locale: 'en', lessons: 2, visible: 2, published: true },
        { locale: 'ru', lessons: 1, visible: 2, published: false },
      ],
      errors: [],
      warnings: [
        { lesson: russian, title: 'Первый', locale: 'ru', code: 'lesson.outdated' },
        { lesson: secondLesson, title: 'Second', locale: 'ru', code: 'lesson.untranslated' },
      ],
    })
  })
})

describe('GET /api/courses/:id/diff', () => {
  it('names each change since the publication with its values, and the lessons that learners lose', async () => {
    await publishCourse(course)
    const unchangedDiff = await diffOf(course)
    expect([typeof unchangedDiff.published_at, unchangedDiff.changes, unchangedDiff.losses]).toEqual(['string', [], []])
    await putData(`/courses/${course}`, { title: 'Course 2', in_order: true })
    await putData(`/lessons/${firstLesson}`, { content: '<p>one <b>more</b></p>', position: 4 })
    await putData(`/lessons/${secondLesson}`, { state: 'hidden' })
    const thirdLesson = await buildRecord(resourceApp.database, 'lessons', { title: 'Third', course })
    const { changes, losses } = await diffOf(course)
    expect(changes.map(({ kind, title, locale, fields }) => [kind, title, locale, fields])).toEqual([
      ['changed', 'Course 2', null, [{ name: 'in_order', before: false, after: true }]],
      ['changed', 'Course 2', 'en', [{ name: 'title', before: 'Course', after: 'Course 2' }]],
      ['added', 'Third', null, []],
      ['changed', 'Second', null, [{ name: 'state', before: 'visible', after: 'hidden' }]],
      ['changed', 'First', 'en', [{ name: 'content', before: 'one', after: 'one more' }]],
    ])
    expect(changes.find(({ kind }) => kind === 'added')?.id).toBe(thirdLesson)
    expect(losses).toEqual([{ id: secondLesson, title: 'Second', learners: 0, completed: 0 }])
  })
})

describe('moves in the diff of a course', () => {
  it('names only the lessons that moved, not those that made room, with their places', async () => {
    const ids = []
    for (const title of ['A', 'B', 'C', 'D'])
      ids.push(
        await buildRecord(resourceApp.database, 'lessons', {
          title,
          course,
          lessongroup: group,
          position: ids.length + 2,
          content: '<p>x</p>',
        }),
      )
    await publishCourse(course)
    const outline = (await resourceApp.read<{ data: Outline }>(`/courses/${course}/outline`)).data
    const [a, b, lessonC, lessonD] = ids
    const order = {
      version: outline.version,
      groups: [{ id: group, lessons: [lessonD, firstLesson, a, b] }],
      lessons: [lessonC, secondLesson],
    }
    expect((await resourceApp.ask('PUT', `/courses/${course}/outline`, { data: order })).status).toBe(200)
    const { changes } = await diffOf(course)
    expect(changes.map(({ title, fields }) => [title, fields])).toEqual([
      [
        'C',
        [
          { name: 'lessongroup', before: null, after: null },
          { name: 'position', before: 4, after: 1 },
        ],
      ],
      ['D', [{ name: 'position', before: 5, after: 1 }]],
    ])
  })
})

describe('POST /api/courses/:id/discard', () => {
  it('resets a discarded draft to its publication: every record, text, place, link and outdated mark', async () => {
    const tag = await buildRecord(resourceApp.database, 'tags', { name: 'Water' })
    const image = await buildUpload(resourceApp.database)
    await putData(`/courses/${course}`, { tags: [tag], image })
    await buildTranslation(resourceApp.database, 'courses', course, 'ru', { title: 'Курс' })
    const russian = await buildTranslation(resourceApp.database, 'lessons', firstLesson, 'ru', {
      title: 'Первый',
      content: '<p>один</p>',
    })
    await publishCourse(course, ['en', 'ru'])
    const document = await documentOf(course)
    const contentOf = async (version: 'draft' | 'published') =>
      (await readContent(resourceApp.database, document, version)).map(({ shared: sharedValues, texts, ...record }) => {
        const { published_at: _time, ...values } = sharedValues
        return { ...record, shared: values, texts: texts.map(({ version: _version, ...text }) => text) }
      })
    const publishedContent = await contentOf('published')

    await putData(`/courses/${course}`, { title: 'Other', tags: [], image: null, in_order: true })
    await putData(`/lessons/${firstLesson}`, {
      title: 'Other',
      content: '<p>other</p>',
      position: 7,
      lessongroup: null,
      kind: 'multi',
    })
    await resourceApp.ask('DELETE', `/lessons/${russian}`)
    await resourceApp.ask('DELETE', `/lessons/${secondLesson}?locale=all`)
    await resourceApp.ask('DELETE', `/lessongroups/${group}?locale=all`)
    await buildRecord(resourceApp.database, 'lessons', { title: 'New', course })
    expect(await contentOf('draft')).not.toEqual(publishedContent)

    expect((await step('discard', course)).status).toBe(200)
    expect(await contentOf('draft')).toEqual(publishedContent)
    expect(await contentOf('published')).toEqual(publishedContent)
    expect((await attributesOf(`/courses/${course}`)).changed_since_publish).toBe(false)
    expect((await diffOf(course)).changes).toEqual([])
    expect(await attributesOf(`/lessons/${russian}`)).toMatchObject({ title: 'Первый', outdated: false })
  })
  it('leaves texts of a discarded draft in languages that were never published', async () => {
    await publishCourse(course)
    const russian = await buildTranslation(resourceApp.database, 'lessons', firstLesson, 'ru', { title: 'Первый' })
    await putData(`/lessons/${firstLesson}`, { title: 'Other' })
    expect((await step('discard', course)).status).toBe(200)
    expect(await attributesOf(`/lessons/${firstLesson}`)).toMatchObject({ title: 'First' })
    expect(await attributesOf(`/lessons/${russian}`)).toMatchObject({ title: 'Первый' })
  })
  it('refuses to discard a course that was never published, and one whose deleted lesson left the trash', async () => {
    expect(await step('discard', course)).toMatchObject({
      status: 422,
      body: { error: { code: 'course.unpublished' } },
    })
    await publishCourse(course)
    await putData(`/lessons/${firstLesson}`, { title: 'Other' })
    await resourceApp.ask('DELETE', `/lessons/${secondLesson}?locale=all`)
    await skipTriggers(
      resourceApp.database,
      sql`update revisions set created_at = created_at - interval '31 days' where resource = 'lessons'`,
    )
    expect(await step('discard', course)).toMatchObject({
      status: 409,
      body: { error: { code: 'course.discard', details: {} } },
    })
    expect(await attributesOf(`/lessons/${firstLesson}`)).toMatchObject({ title: 'Other' })
  })
})

describe('a preview', () => {
  it('shows in the preview of a course, in all languages, what learners read after its publication', async () => {
    const texts: Partial<Record<Locale, string>> = { ru: 'Русский', uz: 'Oʻzbekcha', kaa: 'Qaraqalpaqsha' }
    const ids: Partial<Record<Locale, [number, number]>> = { en: [course, firstLesson] }
    for (const [locale, title] of Object.entries(texts) as [Locale, string][])
      ids[locale] = [
        await buildTranslation(resourceApp.database, 'courses', course, locale, { title }),
        await buildTranslation(resourceApp.database, 'lessons', firstLesson, locale, {
          title,
          content: `<p>${title}</p>`,
        }),
      ]
    await putData(`/lessons/${secondLesson}`, { state: 'hidden' })
    const readLessons = async (door: 'preview' | 'published') => {
      const seenLessons = []
      for (const locale of locales) {
        const [courseId, lesson] = ids[locale] ?? [0, 0]
        const query = `locale=${locale}&populate=*`
        if (door === 'preview') {
          const { course: record, outline } = (
            await resourceApp.read<{ data: { course: object; outline: object } }>(
              `/courses/${courseId}/preview?${query}`,
            )
          ).data
          const { data } = await resourceApp.read<{ data: object }>(`/lessons/${lesson}/preview?${query}`)
          seenLessons.push(record, outline, data)
        } else {
          for (const url of [
            `/courses/${courseId}?${query}`,
            `/courses/${courseId}/outline?${query}`,
            `/lessons/${lesson}?${query}`,
          ])
            seenLessons.push(((await askAsLearner(url)).body as { data: object }).data)
        }
      }
      // Versions and times are removed, because the publication itself is a new version of the course.
      return JSON.stringify(seenLessons).replaceAll(/"(?:version|updatedAt|published_at)":(?:null|\d+|"[^"]*")/g, '')
    }
    const previewedLessons = await readLessons('preview')
    expect((await publishCourse(course, locales)).status).toBe(200)
    expect(await readLessons('published')).toBe(previewedLessons)
  })
  it('shows a preview of no lesson that learners would not see', async () => {
    await putData(`/lessons/${firstLesson}`, { state: 'hidden' })
    expect((await resourceApp.ask('GET', `/lessons/${firstLesson}/preview`)).status).toBe(404)
    expect((await resourceApp.ask('GET', `/lessons/${secondLesson}/preview`)).status).toBe(200)
  })
})

describe('POST /api/lessons/:id/duplicate and /api/courses/:id/duplicate', () => {
  it('duplicates a lesson with its languages after the last lesson of its group', async () => {
    await buildTranslation(resourceApp.database, 'lessons', firstLesson, 'ru', {
      title: 'Первый',
      content: '<p>один</p>',
    })
    const { status, body } = await resourceApp.ask('POST', `/lessons/${firstLesson}/duplicate`)
    const { id } = (body as One).data
    expect(status).toBe(200)
    const { groups } = (await resourceApp.read<{ data: Outline }>(`/courses/${course}/outline`)).data
    expect(groups[0]?.lessons.map((lesson) => [lesson.id, lesson.title, lesson.locales])).toEqual([
      [firstLesson, 'First', ['en', 'ru']],
      [id, 'First', ['en', 'ru']],
    ])
  })
  it('duplicates a lesson into another course in the chosen languages', async () => {
    await buildTranslation(resourceApp.database, 'lessons', firstLesson, 'ru', { title: 'Первый' })
    const otherCourse = await buildRecord(resourceApp.database, 'courses', { title: 'Other' })
    const data = { target_course: otherCourse, locales: ['ru'] }
    expect((await resourceApp.ask('POST', `/lessons/${firstLesson}/duplicate`, { data })).status).toBe(200)
    const outline = (await resourceApp.read<{ data: Outline }>(`/courses/${otherCourse}/outline`)).data
    expect(outline.lessons.map(({ title, locales: lessonLocales }) => [title, lessonLocales])).toEqual([
      ['Первый', ['ru']],
    ])
  })
  it('refuses for a duplicate languages that a lesson does not have, and a group of another course', async () => {
    const ask = (data: object) => resourceApp.ask('POST', `/lessons/${firstLesson}/duplicate`, { data })
    expect(await ask({ locales: ['kaa'] })).toMatchObject({
      status: 422,
      body: { error: { code: 'course.no-language' } },
    })
    const otherCourse = await buildRecord(resourceApp.database, 'courses', { title: 'Other' })
    const foreignGroup = await buildRecord(resourceApp.database, 'lessongroups', { title: 'G', course: otherCourse })
    expect((await ask({ target_group: foreignGroup })).status).toBe(422)
    expect((await ask({ target_group: 2_000_000_000 })).status).toBe(404)
  })
  it('duplicates a course with groups, lessons and languages as a draft', async () => {
    await buildTranslation(resourceApp.database, 'courses', course, 'ru', { title: 'Курс' })
    await publishCourse(course)
    const { status, body } = await resourceApp.ask('POST', `/courses/${course}/duplicate`)
    const { id, attributes } = (body as One).data
    expect([status, attributes.state, attributes.published_at]).toEqual([200, 'draft', null])
    const outline = (await resourceApp.read<{ data: Outline }>(`/courses/${id}/outline`)).data
    expect([
      outline.groups.map(({ title, lessons }) => [title, lessons.map((lesson) => lesson.title)]),
      outline.lessons.map(({ title }) => title),
    ]).toEqual([[['Group', ['First']]], ['Second']])
    expect((await askAsLearner(`/courses/${id}`)).status).toBe(404)
  })
})
