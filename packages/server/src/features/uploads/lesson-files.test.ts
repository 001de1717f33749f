import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentFile, videoFile } from '../../testing/lesson-files.ts'
import { filesOn, places } from '../../testing/object-store.ts'
import { ResumableClient } from '../../testing/resumable.ts'
import { drawImage, openUploadApp, type UploadApp } from '../../testing/upload-app.ts'
import { buildRecord, buildTranslation, publishCourses } from '../../testing/factories.ts'

describe.each(places)('a stored file of a lesson on %s:', (storageKind) => {
  filesOn(storageKind)

  let uploadApp: UploadApp
  let client: ResumableClient
  const bytes: Record<string, Buffer> = {}
  const urls: Record<string, string> = {}
  const ids: Record<string, number> = {}
  beforeAll(async () => {
    uploadApp = await openUploadApp()
    client = new ResumableClient(uploadApp)
    bytes.video = await videoFile('mp4', { seconds: 90, picture: 3_000 })
    bytes.small = await videoFile('webm', { seconds: 90, picture: 300 })
    bytes.vtt = Buffer.from('WEBVTT\n\nNOTE x\n\n00:01.000 --> 00:02.000\n<b>Салом</b><script>x</script>')
    bytes.pdf = documentFile('pdf')
    bytes.csv = documentFile('csv')
    const sentFiles = {
      video: await client.send(bytes.video, 'a.mp4', 'lesson_video'),
      small: await client.send(bytes.small, 'a.webm', 'lesson_video_small'),
      vtt: await client.send(bytes.vtt, 'a.vtt', 'subtitles'),
      pdf: await client.send(bytes.pdf, 'Экин режаси (2026).pdf', 'document'),
      csv: await client.send(bytes.csv, 'prices.csv', 'document'),
      poster: await uploadApp.sendParts([{ bytes: await drawImage(320, 180).png().toBuffer() }]),
    }
    for (const [name, { records }] of Object.entries(sentFiles)) {
      urls[name] = records[0]?.url ?? ''
      ids[name] = records[0]?.id ?? 0
    }
  })
  afterAll(() => uploadApp.app.close())

  const ask = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    uploadApp.app.inject({ method, url, headers })

  test.each([
    ['video', 'video/mp4', /^inline; filename="a.mp4"/],
    ['small', 'video/webm', /^inline;/],
    ['vtt', 'text/vtt; charset=utf-8', /^inline;/],
    ['pdf', 'application/pdf', /^attachment; filename=".*"; filename\*=UTF-8''%D0%AD.*%282026%29\.pdf$/],
    ['csv', 'text/csv; charset=utf-8', /^attachment;/],
  ])('serves the kind %s as %s at both addresses', async (name, type, disposition) => {
    for (const url of [urls[name] ?? '', `/${(urls[name] ?? '').split('/')[2]}`]) {
      const { statusCode, headers, rawPayload } = await ask(url, { 'accept-encoding': 'gzip, br' })
      expect([statusCode, headers['content-type'], rawPayload.length]).toEqual([
        200,
        type,
        Number(headers['content-length']),
      ])
      expect(headers['content-disposition']).toMatch(disposition)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'accept-ranges': 'bytes',
      })
      expect(headers['content-encoding']).toBeUndefined()
    }
  })

  test('serves only the cleaned subtitles of a lesson', async () => {
    expect((await ask(urls.vtt ?? '')).payload).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<b>Салом</b>x\n')
  })

  test('serves the ranges of a lesson’s video', async () => {
    const { video = Buffer.alloc(0) } = bytes
    const [url, size] = [urls.video ?? '', video.length]
    const tag = String((await ask(url)).headers.etag)
    for (const [range, start, end] of [
      ['bytes=0-1', 0, 1],
      ['bytes=1000-1999', 1_000, 1_999],
      ['bytes=-500', size - 500, size - 1],
      [`bytes=${size - 10}-`, size - 10, size - 1],
    ] as const) {
      const partAnswer = await ask(url, { range, 'if-range': tag })
      expect([partAnswer.statusCode, partAnswer.headers['content-range']]).toEqual([
        206,
        `bytes ${start}-${end}/${size}`,
      ])
      expect(partAnswer.rawPayload.equals(video.subarray(start, end + 1))).toBe(true)
    }
    const outOfRangeAnswer = await ask(url, { range: `bytes=${size}-` })
    expect([outOfRangeAnswer.statusCode, outOfRangeAnswer.headers['content-range']]).toEqual([416, `bytes */${size}`])
    const otherAnswer = await ask(url, { range: 'bytes=0-1', 'if-range': '"another"' })
    expect([otherAnswer.statusCode, otherAnswer.rawPayload.length]).toEqual([200, size])
    const head = await ask(url, {}, 'HEAD')
    expect([head.statusCode, head.headers['content-length'], head.rawPayload.length]).toEqual([200, String(size), 0])
    expect((await ask(url, { 'if-none-match': tag })).statusCode).toBe(304)
  })

  const lesson = async () => {
    const course = await buildRecord(uploadApp.database, 'courses', { title: 'C' })
    return buildRecord(uploadApp.database, 'lessons', { title: 'L', course })
  }
  const putLesson = async (id: number, data: object) => {
    const url = `/api/lessons/${id}`
    const answer = await uploadApp.app.inject({
      method: 'PUT',
      url,
      headers: uploadApp.headersOf('admin'),
      payload: { data },
    })
    return { status: answer.statusCode, body: answer.json<Record<string, { attributes?: Record<string, unknown> }>>() }
  }

  test('fills in what is known of the video of a lesson, and counts its files as used', async () => {
    const id = await lesson()
    const video = { file: urls.video, small: urls.small, poster: urls.poster, duration_s: 7 }
    const { status, body } = await putLesson(id, { video, subtitles: urls.vtt })
    expect([status, body.data?.attributes]).toMatchObject([
      200,
      {
        subtitles: urls.vtt,
        duration_minutes: 2,
        video: { ...video, duration_s: 90, width: 320, height: 180, size: bytes.video?.length },
      },
    ])
    for (const name of ['video', 'small', 'poster', 'vtt']) {
      const refusedAnswer = await uploadApp.ask('DELETE', `/upload/files/${ids[name]}?if_unused=true`)
      const field = name === 'vtt' ? 'subtitles' : 'video'
      expect([refusedAnswer.status, refusedAnswer.body]).toMatchObject([
        409,
        { error: { code: 'file.in-use', details: { uses: [{ resource: 'lessons', id, field }] } } },
      ])
    }
    // Clients send whole lessons back; the details of an unchanged video stay.
    const repeatedAnswer = await putLesson(id, {
      title: 'L2',
      video: body.data?.attributes?.video,
      subtitles: urls.vtt,
    })
    expect(repeatedAnswer.body.data?.attributes?.video).toEqual(body.data?.attributes?.video)
    expect((await putLesson(id, { video: { file: null } })).body.data?.attributes?.video).toBeNull()
  })

  test.each([
    ['video.file', () => ({ video: { file: urls.pdf } })],
    ['video.file', () => ({ video: { file: `/uploads/${'0'.repeat(32)}.mp4` } })],
    ['video.file', () => ({ video: { file: 'https://example.org/a.mp4' } })],
    ['video.file', () => ({ video: { poster: urls.poster } })],
    ['video.poster', () => ({ video: { file: urls.video, poster: urls.video } })],
    ['video.small', () => ({ video: { file: urls.video, small: 7 } })],
    ['subtitles', () => ({ subtitles: urls.video })],
  ])('refuses %s of a lesson that is no uploaded file of its kind', async (field, draft) => {
    const { status, body } = await putLesson(await lesson(), draft())
    expect([status, body.error]).toMatchObject([
      422,
      { code: 'lesson.file', details: { errors: [{ path: field.split('.'), code: 'lesson.file' }] } },
    ])
  })

  test('shows the video of a lesson in two languages to users who may read the lesson', async () => {
    const { database } = uploadApp
    const course = await buildRecord(database, 'courses', { title: 'C', state: 'published' })
    const id = await buildRecord(database, 'lessons', { title: 'Sowing', course })
    await buildTranslation(database, 'lessons', id, 'ru', { title: 'Посев' })
    expect((await putLesson(id, { video: { file: urls.video, poster: urls.poster } })).status).toBe(200)
    const statuses = async () => {
      const found: number[] = []
      for (const name of ['video', 'poster'])
        found.push((await uploadApp.ask('GET', `/upload/files/${ids[name]}`, 'authenticated')).status)
      return found
    }
    expect(await statuses()).toEqual([404, 404])
    await publishCourses(database)
    expect(await statuses()).toEqual([200, 200])
  })

  test('lets attachments link to documents', async () => {
    const payload = { data: { name: 'A', kind: 'document', file: ids.pdf } }
    const headers = uploadApp.headersOf('admin')
    const answer = await uploadApp.app.inject({
      method: 'POST',
      url: '/api/attachments?populate=file',
      headers,
      payload,
    })
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      { data: { attributes: { file: { data: { id: ids.pdf, attributes: { mime: 'application/pdf' } } } } } },
    ])
  })
})
