import { renameSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../db/sql.ts'
import { buildCourseWorld, type CourseWorld } from '../../../testing/course-world.ts'
import { buildRecord, buildUpload } from '../../../testing/factories.ts'
import { documentFile, videoFile } from '../../../testing/lesson-files.ts'
import { filesOn, places } from '../../../testing/object-store.ts'
import { ResumableClient } from '../../../testing/resumable.ts'
import { openUploadApp, type UploadApp } from '../../../testing/upload-app.ts'

const subtitles = Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\nx\n')

let uploadApp: UploadApp
let client: ResumableClient
let world: CourseWorld
const openStore = () => {
  beforeAll(async () => {
    uploadApp = await openUploadApp()
    client = new ResumableClient(uploadApp)
  })
  beforeEach(async () => {
    world = await buildCourseWorld(uploadApp)
  })
  afterAll(() => uploadApp.app.close())
}
const nameInUrl = (url: string) => url.replace('/uploads/', '')
const fileErrors = async () =>
  (await world.checkCourse()).errors.map(({ lesson, locale, code, file }) => [lesson, locale, code, file])

describe.each(places)('files of lessons on %s', (storeKind) => {
  filesOn(storeKind)
  openStore()

  it('prevents the publication of the languages whose files the storage no longer has', async () => {
    const [film] = (await client.send(await videoFile('webm'), 'Film.webm', 'lesson_video')).records
    const [cues] = (await client.send(subtitles, 'cues.vtt', 'subtitles')).records
    const [plan] = (await client.send(documentFile('pdf'), 'plan.pdf', 'document')).records
    const attachment = await buildRecord(uploadApp.database, 'attachments', { name: 'Plan', file: plan?.id })
    await world.put(world.firstLesson, { video: { file: film?.url }, attachments: [attachment] })
    await world.put(world.russian, { subtitles: cues?.url })
    expect((await world.checkCourse()).errors).toEqual([])

    const removedPaths = [film, cues, plan].map((record) => uploadApp.pathOf(nameInUrl(record?.url ?? '')))
    for (const path of removedPaths) renameSync(path, `${path}.away`)
    expect(await fileErrors()).toEqual([
      [world.firstLesson, 'en', 'lesson.file-missing', 'Film.webm'],
      [world.firstLesson, 'en', 'lesson.file-missing', 'plan.pdf'],
      [world.russian, 'ru', 'lesson.file-missing', 'Film.webm'],
      [world.russian, 'ru', 'lesson.file-missing', 'cues.vtt'],
      [world.russian, 'ru', 'lesson.file-missing', 'plan.pdf'],
    ])
    const { status, body } = await world.publishCourse(['en'])
    expect([status, body]).toMatchObject([
      422,
      {
        error: {
          code: 'course.not-ready',
          details: {
            problems: [
              { lesson: world.firstLesson, code: 'lesson.file-missing', file: 'Film.webm' },
              { lesson: world.firstLesson, code: 'lesson.file-missing', file: 'plan.pdf' },
            ],
          },
        },
      },
    ])
    const [filmPath = '', cuesPath = '', planPath = ''] = removedPaths
    for (const path of [filmPath, planPath]) renameSync(`${path}.away`, path)
    expect((await world.publishCourse(['ru'])).status).toBe(422)
    expect((await world.publishCourse(['en'])).status).toBe(200)
    renameSync(`${cuesPath}.away`, cuesPath)
    expect((await world.publishCourse(['ru'])).status).toBe(200)
  })

  it('names a deleted file, and an attachment without file and link, but no file of a hidden lesson', async () => {
    const [film] = (await client.send(await videoFile('mp4'), 'Old.mp4', 'lesson_video')).records
    const emptyAttachment = await buildRecord(uploadApp.database, 'attachments', { name: 'Empty' })
    const linkedAttachment = await buildRecord(uploadApp.database, 'attachments', {
      name: 'Linked',
      link: 'https://example.org/a',
    })
    const inactiveAttachment = await buildRecord(uploadApp.database, 'attachments', { name: 'Inactive', active: false })
    await world.put(world.secondLesson, {
      video: { file: film?.url },
      attachments: [emptyAttachment, linkedAttachment, inactiveAttachment],
    })
    expect((await uploadApp.ask('DELETE', `/upload/files/${film?.id}`)).status).toBe(200)
    expect(await fileErrors()).toEqual([
      [world.secondLesson, 'en', 'lesson.file-missing', 'Old.mp4'],
      [world.secondLesson, 'en', 'lesson.file-missing', 'Empty'],
    ])
    await world.put(world.secondLesson, { state: 'hidden' })
    expect(await fileErrors()).toEqual([])
  })
})

describe('uploads for lessons', () => {
  openStore()
  const beginUpload = (name: string, purpose: string, extraMetadata: Record<string, string>) =>
    client.begin(100, name, purpose, extraMetadata)

  it('prevents the publication until the upload of a video has ended or was cancelled', async () => {
    const { id } = await beginUpload('Film.mp4', 'lesson_video', { lesson: String(world.firstLesson) })
    expect(await fileErrors()).toEqual([
      [world.firstLesson, 'en', 'lesson.upload-running', 'Film.mp4'],
      [world.russian, 'ru', 'lesson.upload-running', 'Film.mp4'],
    ])
    const { status, body } = await world.publishCourse(['en'])
    expect([status, body]).toMatchObject([
      422,
      { error: { details: { problems: [{ code: 'lesson.upload-running', file: 'Film.mp4' }] } } },
    ])
    expect((await client.ask('DELETE', id)).status).toBe(204)
    expect((await world.publishCourse(['en', 'ru'])).status).toBe(200)
  })
  it('prevents only the language of subtitles, and only while no later file was uploaded for it', async () => {
    const subtitleTarget = { lesson: String(world.firstLesson), locale: 'ru' }
    await beginUpload('cues.vtt', 'subtitles', subtitleTarget)
    expect(await fileErrors()).toEqual([[world.russian, 'ru', 'lesson.upload-running', 'cues.vtt']])
    expect((await world.publishCourse(['en'])).status).toBe(200)
    const laterUpload = await client.begin(subtitles.length, 'later.vtt', 'subtitles', subtitleTarget)
    expect(await fileErrors()).toEqual([[world.russian, 'ru', 'lesson.upload-running', 'later.vtt']])
    expect((await client.piece(laterUpload.id, 0, subtitles)).status).toBe(200)
    expect(await fileErrors()).toEqual([])
  })
  it('ignores uploads that were abandoned for a day, and those of other lessons and of no lesson', async () => {
    const course = await buildRecord(uploadApp.database, 'courses', { title: 'Other' })
    const otherLesson = await buildRecord(uploadApp.database, 'lessons', { title: 'Other', course })
    await beginUpload('a.mp4', 'lesson_video', { lesson: String(otherLesson) })
    await beginUpload('b.mp4', 'lesson_video', {})
    const { id } = await beginUpload('c.mp4', 'lesson_video', { lesson: String(world.secondLesson) })
    expect(await fileErrors()).toEqual([[world.secondLesson, 'en', 'lesson.upload-running', 'c.mp4']])
    await uploadApp.database.query(
      sql`update resumable_uploads set created_at = now() - interval '25 hours' where id = ${id}`,
    )
    expect(await fileErrors()).toEqual([])
  })
  it.each([
    [404, 'record.not-found', { lesson: '2000000000' }],
    [422, 'upload.metadata', { lesson: '9999999999' }],
    [422, 'upload.metadata', { lesson: 'x' }],
    [422, 'upload.metadata', { lesson: '1', locale: 'de' }],
  ])('refuses with %i %s an upload for %o', async (status, code, extraMetadata) => {
    expect(await beginUpload('a.mp4', 'lesson_video', extraMetadata)).toMatchObject({
      status,
      body: { error: { code } },
    })
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
    const { course, firstLesson, put, ask } = await buildCourseWorld(app)
    const file = await buildUpload(app.database, { mime: 'image/png' })
    const attachment = await buildRecord(app.database, 'attachments', { name: 'Plan', file })
    await put(firstLesson, { attachments: [attachment] })
    expect((await ask('GET', `/courses/${course}/check`)).status).toBe(503)
    await app.app.close()
  })
})
