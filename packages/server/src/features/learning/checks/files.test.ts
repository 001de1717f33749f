import { renameSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../db/sql.ts'
import { buildCourseWorld, type CourseWorld } from '../../../testing/course-world.ts'
import { build, buildUpload } from '../../../testing/factories.ts'
import { documentFile, videoFile } from '../../../testing/lesson-files.ts'
import { filesOn, places } from '../../../testing/object-store.ts'
import { ResumableClient } from '../../../testing/resumable.ts'
import { openUploadApp, type UploadApp } from '../../../testing/upload-app.ts'

const subtitles = Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\nx\n')

let here: UploadApp
let client: ResumableClient
let world: CourseWorld
const open = () => {
  beforeAll(async () => {
    here = await openUploadApp()
    client = new ResumableClient(here)
  })
  beforeEach(async () => {
    world = await buildCourseWorld(here)
  })
  afterAll(() => here.app.close())
}
const nameIn = (url: string) => url.replace('/uploads/', '')
const fileErrors = async () =>
  (await world.check()).errors.map(({ lesson, locale, code, file }) => [lesson, locale, code, file])

describe.each(places)('files of lessons on %s', (place) => {
  filesOn(place)
  open()

  it('prevents the publication of the languages whose files the storage no longer has', async () => {
    const [film] = (await client.send(await videoFile('webm'), 'Film.webm', 'lesson_video')).records
    const [cues] = (await client.send(subtitles, 'cues.vtt', 'subtitles')).records
    const [plan] = (await client.send(documentFile('pdf'), 'plan.pdf', 'document')).records
    const attachment = await build(here.database, 'attachments', { name: 'Plan', file: plan?.id })
    await world.put(world.first, { video: { file: film?.url }, attachments: [attachment] })
    await world.put(world.russian, { subtitles: cues?.url })
    expect((await world.check()).errors).toEqual([])

    const away = [film, cues, plan].map((record) => here.pathOf(nameIn(record?.url ?? '')))
    for (const path of away) renameSync(path, `${path}.away`)
    expect(await fileErrors()).toEqual([
      [world.first, 'en', 'lesson.file-missing', 'Film.webm'],
      [world.first, 'en', 'lesson.file-missing', 'plan.pdf'],
      [world.russian, 'ru', 'lesson.file-missing', 'Film.webm'],
      [world.russian, 'ru', 'lesson.file-missing', 'cues.vtt'],
      [world.russian, 'ru', 'lesson.file-missing', 'plan.pdf'],
    ])
    const { status, body } = await world.publish(['en'])
    expect([status, body]).toMatchObject([
      422,
      {
        error: {
          code: 'course.not-ready',
          details: {
            problems: [
              { lesson: world.first, code: 'lesson.file-missing', file: 'Film.webm' },
              { lesson: world.first, code: 'lesson.file-missing', file: 'plan.pdf' },
            ],
          },
        },
      },
    ])
    const [filmPath = '', cuesPath = '', planPath = ''] = away
    for (const path of [filmPath, planPath]) renameSync(`${path}.away`, path)
    expect((await world.publish(['ru'])).status).toBe(422)
    expect((await world.publish(['en'])).status).toBe(200)
    renameSync(`${cuesPath}.away`, cuesPath)
    expect((await world.publish(['ru'])).status).toBe(200)
  })

  it('names a deleted file, and an attachment without file and link, but no file of a hidden lesson', async () => {
    const [film] = (await client.send(await videoFile('mp4'), 'Old.mp4', 'lesson_video')).records
    const empty = await build(here.database, 'attachments', { name: 'Empty' })
    const linked = await build(here.database, 'attachments', { name: 'Linked', link: 'https://example.org/a' })
    const inactive = await build(here.database, 'attachments', { name: 'Inactive', active: false })
    await world.put(world.second, { video: { file: film?.url }, attachments: [empty, linked, inactive] })
    expect((await here.ask('DELETE', `/upload/files/${film?.id}`)).status).toBe(200)
    expect(await fileErrors()).toEqual([
      [world.second, 'en', 'lesson.file-missing', 'Old.mp4'],
      [world.second, 'en', 'lesson.file-missing', 'Empty'],
    ])
    await world.put(world.second, { state: 'hidden' })
    expect(await fileErrors()).toEqual([])
  })
})

describe('uploads for lessons', () => {
  open()
  const begin = (name: string, purpose: string, more: Record<string, string>) => client.begin(100, name, purpose, more)

  it('prevents the publication until the upload of a video has ended or was cancelled', async () => {
    const { id } = await begin('Film.mp4', 'lesson_video', { lesson: String(world.first) })
    expect(await fileErrors()).toEqual([
      [world.first, 'en', 'lesson.upload-running', 'Film.mp4'],
      [world.russian, 'ru', 'lesson.upload-running', 'Film.mp4'],
    ])
    const { status, body } = await world.publish(['en'])
    expect([status, body]).toMatchObject([
      422,
      { error: { details: { problems: [{ code: 'lesson.upload-running', file: 'Film.mp4' }] } } },
    ])
    expect((await client.ask('DELETE', id)).status).toBe(204)
    expect((await world.publish(['en', 'ru'])).status).toBe(200)
  })
  it('prevents only the language of subtitles, and only while no later file was uploaded for it', async () => {
    const place = { lesson: String(world.first), locale: 'ru' }
    await begin('cues.vtt', 'subtitles', place)
    expect(await fileErrors()).toEqual([[world.russian, 'ru', 'lesson.upload-running', 'cues.vtt']])
    expect((await world.publish(['en'])).status).toBe(200)
    const later = await client.begin(subtitles.length, 'later.vtt', 'subtitles', place)
    expect(await fileErrors()).toEqual([[world.russian, 'ru', 'lesson.upload-running', 'later.vtt']])
    expect((await client.piece(later.id, 0, subtitles)).status).toBe(200)
    expect(await fileErrors()).toEqual([])
  })
  it('ignores uploads that were abandoned for a day, and those of other lessons and of no lesson', async () => {
    const course = await build(here.database, 'courses', { title: 'Other' })
    const other = await build(here.database, 'lessons', { title: 'Other', course })
    await begin('a.mp4', 'lesson_video', { lesson: String(other) })
    await begin('b.mp4', 'lesson_video', {})
    const { id } = await begin('c.mp4', 'lesson_video', { lesson: String(world.second) })
    expect(await fileErrors()).toEqual([[world.second, 'en', 'lesson.upload-running', 'c.mp4']])
    await here.database.query(
      sql`update resumable_uploads set created_at = now() - interval '25 hours' where id = ${id}`,
    )
    expect(await fileErrors()).toEqual([])
  })
  it.each([
    [404, 'record.not-found', { lesson: '2000000000' }],
    [422, 'upload.metadata', { lesson: '9999999999' }],
    [422, 'upload.metadata', { lesson: 'x' }],
    [422, 'upload.metadata', { lesson: '1', locale: 'de' }],
  ])('refuses with %i %s an upload for %o', async (status, code, more) => {
    expect(await begin('a.mp4', 'lesson_video', more)).toMatchObject({ status, body: { error: { code } } })
  })
})

describe('a storage of files that does not answer', () => {
  it('fails the check of a course with 503 when the storage does not answer, and names no missing files', async () => {
    const app = await openUploadApp({
      S3_ENDPOINT: 'http://127.0.0.1:1',
      S3_BUCKET: 'files',
      S3_REGION: 'none',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
    })
    const { course, first, put, ask } = await buildCourseWorld(app)
    const file = await buildUpload(app.database, { mime: 'image/png' })
    const attachment = await build(app.database, 'attachments', { name: 'Plan', file })
    await put(first, { attachments: [attachment] })
    expect((await ask('GET', `/courses/${course}/check`)).status).toBe(503)
    await app.app.close()
  })
})
