import type { Outline, VideoLink } from '@dala/model/api/learning'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../db/sql.ts'
import { buildCourseWorld, type CourseWorld } from '../../../testing/course-world.ts'
import { waitUntil } from '../../../testing/eventually.ts'
import { openUploadApp, type UploadApp } from '../../../testing/upload-app.ts'
import { VideoChecks } from './video-checks.ts'
import type { FetchFunction } from './video-sites.ts'

const reachableBody = { type: 'video', html: '<iframe></iframe>' }
const youTube = (id: string) => `https://youtu.be/${id.padEnd(11, '0')}`
const vimeo = 'https://vimeo.com/76979871/8272103f6e'

/** HTTP statuses with which the simulated video sites answer, by the id of a video; 200 by default. */
let statuses: Record<string, number> = {}
let askedUrls: string[] = []
const site: FetchFunction = (address) => {
  const page = address.searchParams.get('url') ?? ''
  askedUrls.push(`${address.origin}${address.pathname} ${page}`)
  const status = Object.entries(statuses).find(([id]) => page.includes(id))?.[1] ?? 200
  if (status === 0) return Promise.reject(new TypeError('fetch failed'))
  return Promise.resolve(Response.json(reachableBody, { status }))
}

let uploadApp: UploadApp
let world: CourseWorld
let checks: VideoChecks
beforeAll(async () => {
  uploadApp = await openUploadApp()
})
beforeEach(async () => {
  await uploadApp.database.query(sql`delete from video_links`)
  await uploadApp.database.query(sql`update lessons_texts set videourl = null, parts = null`)
  ;[statuses, askedUrls] = [{}, []]
  world = await buildCourseWorld(uploadApp)
  checks = new VideoChecks(uploadApp.database, site)
})
afterAll(() => uploadApp.app.close())

const linksOf = async (lesson: number) =>
  ((await world.ask('GET', `/lessons/${lesson}/video-links`)).body as { data: VideoLink[] }).data
const statesOf = async (lesson: number) => (await linksOf(lesson)).map(({ state }) => state)
const warnings = async () =>
  (await world.checkCourse()).warnings.filter(({ code }) => code === 'lesson.video-unreachable')
const age = (interval: string) =>
  uploadApp.database.query(
    sql`update video_links set asked_at = asked_at - ${interval}::interval, checked_at = checked_at - ${interval}::interval`,
  )

describe('checks of linked videos', () => {
  it('asks only the fixed addresses of two video sites, once for each link', async () => {
    await world.put(world.firstLesson, { videourl: youTube('abc') })
    await world.put(world.secondLesson, {
      kind: 'multi',
      parts: [
        { title: 'A', videourl: vimeo },
        { title: 'B', videourl: 'https://media.example.org/film.mp4' },
        { title: 'C', videourl: 'https://youtube.com.evil.example/watch?v=abc00000000' },
        { title: 'D', videourl: 'https://www.youtube.com/feed' },
      ],
    })
    expect(await statesOf(world.firstLesson)).toEqual(['pending'])
    await checks.run()
    expect(askedUrls.toSorted()).toEqual([
      `https://vimeo.com/api/oembed.json ${vimeo}`,
      'https://www.youtube.com/oembed https://www.youtube.com/watch?v=abc00000000',
    ])
    await checks.run()
    expect(askedUrls).toHaveLength(2)
    expect(await statesOf(world.firstLesson)).toEqual(['reachable'])
    expect(await linksOf(world.secondLesson)).toMatchObject([{ address: vimeo, state: 'reachable' }])
  })

  it('warns of a private or removed video in each language that shows it, without preventing a publication', async () => {
    statuses = { abc: 403, '76979871': 404 }
    await world.put(world.firstLesson, { videourl: youTube('abc') })
    await world.put(world.secondLesson, { videourl: vimeo })
    await checks.run()
    expect(await warnings()).toEqual([
      { lesson: world.firstLesson, title: 'First', locale: 'en', code: 'lesson.video-unreachable' },
      { lesson: world.secondLesson, title: 'Second', locale: 'en', code: 'lesson.video-unreachable' },
      { lesson: world.russian, title: 'Первый', locale: 'ru', code: 'lesson.video-unreachable' },
    ])
    expect((await world.publishCourse(['en', 'ru'])).status).toBe(200)
    const outlineOf = async (role: 'admin' | 'authenticated') =>
      ((await world.ask('GET', `/courses/${world.course}/outline`, undefined, role)).body as { data: Outline }).data
    expect((await outlineOf('admin')).lessons.map(({ problems }) => problems)).toEqual([
      [
        { locale: 'en', code: 'lesson.video-unreachable' },
        { locale: 'ru', code: 'lesson.video-unreachable' },
      ],
      [{ locale: 'en', code: 'lesson.video-unreachable' }],
    ])
    expect((await outlineOf('authenticated')).lessons.flatMap(({ problems }) => problems)).toEqual([])

    await world.put(world.russian, { videourl: youTube('other') })
    await checks.run()
    expect((await warnings()).map(({ locale }) => locale)).toEqual(['en', 'en'])
  })

  it.each([
    ['no connection', 0],
    ['too many requests', 429],
    ['a failure of the site', 500],
  ])('knows nothing of a linked video after %s, and asks its site again after a day', async (_what, status) => {
    statuses = { abc: status }
    await world.put(world.firstLesson, { videourl: youTube('abc') })
    await checks.run()
    expect([await statesOf(world.firstLesson), await warnings()]).toEqual([['unknown'], []])
    await age('23 hours')
    expect(await checks.run()).toBe(0)
    await age('1 hour')
    expect(await checks.run()).toBe(1)
  })

  it('asks the site of a linked video weekly, and keeps the last answer while the site gives none', async () => {
    await world.put(world.firstLesson, { videourl: youTube('abc') })
    await checks.run()
    await age('6 days')
    expect(await checks.run()).toBe(0)
    await age('1 day')
    statuses = { abc: 404 }
    expect(await checks.run()).toBe(1)
    expect(await statesOf(world.firstLesson)).toEqual(['unreachable'])
    await age('7 days')
    statuses = { abc: 0 }
    expect(await checks.run()).toBe(1)
    expect(await statesOf(world.firstLesson)).toEqual(['unreachable'])
  })

  it('forgets the video addresses that no lesson shows', async () => {
    await world.put(world.firstLesson, { videourl: youTube('abc') })
    await checks.run()
    await world.put(world.firstLesson, { videourl: null })
    await age('31 days')
    await checks.run()
    expect(await uploadApp.database.query(sql`select 1 from video_links`)).toEqual([])
  })

  it('checks a link in the background after its lesson is saved', async () => {
    const errors: unknown[] = []
    checks.start((error) => errors.push(error))
    await world.put(world.firstLesson, { videourl: youTube('abc') })
    await waitUntil(async () => expect(await statesOf(world.firstLesson)).toEqual(['reachable']))
    await checks.stop()
    expect(errors).toEqual([])
  })
})

describe('GET /api/lessons/:id/video-links', () => {
  it('refuses the states of video links to learners and guests, and of unknown lessons', async () => {
    const statusOf = async (lesson: number, role: 'admin' | 'authenticated' | 'public') =>
      (await world.ask('GET', `/lessons/${lesson}/video-links`, undefined, role)).status
    expect([
      await statusOf(world.firstLesson, 'authenticated'),
      await statusOf(world.firstLesson, 'public'),
      await statusOf(2_000_000_000, 'admin'),
    ]).toEqual([403, 401, 404])
  })
})

describe('a server whose setting turns the checks off', () => {
  it('warns of no video, and marks video links as unknown, when the setting turns the checks off', async () => {
    statuses = { abc: 404 }
    await world.put(world.firstLesson, { videourl: youTube('abc') })
    await checks.run()
    await uploadApp.app.close()
    uploadApp = await openUploadApp({ VIDEO_CHECKS: 'off' })
    world = await buildCourseWorld(uploadApp)
    await world.put(world.firstLesson, { videourl: youTube('abc') })
    await new VideoChecks(uploadApp.database, site).run()
    expect([await statesOf(world.firstLesson), await warnings()]).toEqual([['unknown'], []])
  })
})
