import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { filesOn, places } from '../../testing/object-store.ts'
import { drawImage, type FileRecord, openUploadApp, type UploadApp } from '../../testing/upload-app.ts'

describe.each(places)('files on %s:', (storageName) => {
  filesOn(storageName)

  let uploadApp: UploadApp
  let record: FileRecord
  const unknownHash = 'f'.repeat(32)
  const shortUrl = (url: string) => `/${url.split('/')[2]}`
  beforeAll(async () => {
    uploadApp = await openUploadApp()
    const [sentRecord] = (
      await uploadApp.sendParts([{ bytes: await drawImage(300, 200).jpeg().toBuffer(), name: 'Ер (2) ў.png' }])
    ).records
    if (!sentRecord) throw new Error('No record')
    record = sentRecord
    writeFileSync(join(uploadApp.dataDir, 'secret.png'), 'secret')
    writeFileSync(uploadApp.pathOf('notes.txt'), 'secret')
    mkdirSync(join(dirname(uploadApp.pathOf('notes.txt')), 'inner'))
  })
  afterAll(() => uploadApp.app.close())

  test.each(['/uploads', ''])(
    'serves a file at %s/<name> to everybody, as a picture and nothing else',
    async (prefix) => {
      for (const url of [record.url, record.formats?.thumbnail?.url ?? '']) {
        const answer = await uploadApp.app.inject({ url: `${prefix}${shortUrl(url)}` })
        expect(answer.statusCode).toBe(200)
        expect(answer.headers).toMatchObject({
          'content-type': 'image/jpeg',
          'content-length': String(answer.rawPayload.length),
          'x-content-type-options': 'nosniff',
          'content-security-policy': `default-src 'none'; sandbox`,
          'cross-origin-resource-policy': 'cross-origin',
          'cache-control': 'public, max-age=31536000, immutable',
          'content-disposition': `inline; filename="__ (2) _.png.jpg"; filename*=UTF-8''%D0%95%D1%80%20%282%29%20%D1%9E.png.jpg`,
        })
        expect(answer.headers).not.toHaveProperty('set-cookie')
        const head = await uploadApp.app.inject({ method: 'HEAD', url: `${prefix}${shortUrl(url)}` })
        expect([head.statusCode, head.rawPayload.length, head.headers['content-length']]).toEqual([
          200,
          0,
          answer.headers['content-length'],
        ])
      }
    },
  )

  test('returns 304 for a copy of a file that a browser has', async () => {
    const { headers } = await uploadApp.app.inject({ url: record.url })
    const tag = String(headers.etag)
    for (const knownTag of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const answer = await uploadApp.app.inject({ url: record.url, headers: { 'if-none-match': knownTag } })
      expect([answer.statusCode, answer.rawPayload.length, answer.headers.etag]).toEqual([304, 0, tag])
    }
    expect((await uploadApp.app.inject({ url: record.url, headers: { 'if-none-match': '"other"' } })).statusCode).toBe(
      200,
    )
  })

  describe('a range of a file', () => {
    const ask = (range: string, headers: Record<string, string> = {}) =>
      uploadApp.app.inject({ url: record.url, headers: { range, ...headers } })

    test.each(['', '/uploads'])('serves only the requested range of a file at %s/<name>', async (prefix) => {
      const wholeFile = (await uploadApp.app.inject({ url: record.url })).rawPayload
      const lastByte = wholeFile.length - 1
      for (const [range, start, end] of [
        ['bytes=10-19', 10, 19],
        ['bytes=100-', 100, lastByte],
        ['bytes=-20', wholeFile.length - 20, lastByte],
        [`bytes=5-${wholeFile.length * 2}`, 5, lastByte],
      ] as const) {
        const answer = await uploadApp.app.inject({ url: `${prefix}${shortUrl(record.url)}`, headers: { range } })
        expect([answer.statusCode, answer.rawPayload.equals(wholeFile.subarray(start, end + 1))]).toEqual([206, true])
        expect(answer.headers).toMatchObject({
          'content-range': `bytes ${start}-${end}/${wholeFile.length}`,
          'content-length': String(end - start + 1),
          'content-type': 'image/jpeg',
          'accept-ranges': 'bytes',
          'cache-control': 'public, max-age=31536000, immutable',
        })
      }
    })

    test('returns 416 with the length for a range outside the file', async () => {
      const { length } = (await uploadApp.app.inject({ url: record.url })).rawPayload
      const answer = await ask(`bytes=${length}-`)
      expect([answer.statusCode, answer.json()]).toMatchObject([
        416,
        { data: null, error: { name: 'RangeNotSatisfiableError', code: 'file.range' } },
      ])
      expect(answer.headers).toMatchObject({ 'content-range': `bytes */${length}`, 'cache-control': 'no-store' })
    })

    test('serves a range only of the same version of a file, and nothing when the browser has the file', async () => {
      const tag = String((await uploadApp.app.inject({ url: record.url })).headers.etag)
      const statusOf = async (headers: Record<string, string>) => (await ask('bytes=0-9', headers)).statusCode
      expect(await statusOf({ 'if-range': tag })).toBe(206)
      expect(await statusOf({ 'if-range': '"other"' })).toBe(200)
      expect(await statusOf({ 'if-range': `W/${tag}` })).toBe(200)
      expect(await statusOf({ 'if-range': 'Wed, 21 Oct 2026 07:28:00 GMT' })).toBe(200)
      expect(await statusOf({ 'if-none-match': tag })).toBe(304)
    })

    test('ignores several ranges and a range in HEAD', async () => {
      const { length } = (await uploadApp.app.inject({ url: record.url })).rawPayload
      expect((await ask('bytes=0-1,4-5')).statusCode).toBe(200)
      const head = await uploadApp.app.inject({ method: 'HEAD', url: record.url, headers: { range: 'bytes=0-9' } })
      expect([head.statusCode, head.headers['content-length']]).toEqual([200, String(length)])
      expect((await uploadApp.app.inject({ method: 'HEAD', url: `/uploads/${unknownHash}.jpg` })).statusCode).toBe(404)
    })
  })

  test('serves a file with a new label in the next response', async () => {
    const answerBefore = await uploadApp.app.inject({ url: record.url })
    await uploadApp.sendParts([], {
      query: `?id=${record.id}`,
      texts: { fileInfo: JSON.stringify({ name: 'the "new" one.jpeg' }) },
    })
    const answerAfter = await uploadApp.app.inject({ url: record.url })
    expect(answerAfter.headers['content-disposition']).toBe(
      `inline; filename="the _new_ one.jpeg"; filename*=UTF-8''the%20%22new%22%20one.jpeg`,
    )
    expect(answerAfter.rawPayload.equals(answerBefore.rawPayload)).toBe(true)
  })

  describe('refuses to serve', () => {
    test.each([
      '/uploads',
      '/uploads/',
      '/uploads/inner',
      '/uploads/notes.txt',
      '/uploads/../secret.png',
      '/uploads/..%2fsecret.png',
      '/uploads/..%5csecret.png',
      '/uploads/%2e%2e/secret.png',
      '/uploads/....//secret.png',
      '/uploads/%252e%252e%252fsecret.png',
      '/uploads//etc/passwd',
      '/..%2fsecret.png',
      `/uploads/${unknownHash}.png`,
      `/${unknownHash}.png`,
      `/uploads/${unknownHash}.svg`,
      `/uploads/${unknownHash}.png%00.jpg`,
      `/uploads/huge_${unknownHash}.png`,
      `/uploads/${'F'.repeat(32)}.png`,
    ])('refuses to serve %s', async (url) => {
      const answer = await uploadApp.app.inject({ url, headers: { accept: 'application/json' } })
      expect([answer.statusCode, answer.json()]).toMatchObject([
        404,
        { data: null, error: { status: 404, name: 'NotFoundError' } },
      ])
      expect(answer.body).not.toContain('secret.')
    })

    test('refuses to serve a file whose name has another extension, or that has no record', async () => {
      const hash = shortUrl(record.url).slice(1, 33)
      expect((await uploadApp.app.inject({ url: `/uploads/${hash}.png` })).statusCode).toBe(404)
      writeFileSync(uploadApp.pathOf(`${unknownHash}.jpg`), 'no record')
      expect((await uploadApp.app.inject({ url: `/${unknownHash}.jpg` })).statusCode).toBe(404)
    })

    test('refuses to serve a file by other methods', async () => {
      for (const method of ['POST', 'PUT', 'DELETE'] as const)
        expect((await uploadApp.app.inject({ method, url: record.url })).statusCode).toBe(404)
    })
  })

  test('leaves the addresses of the panel to the panel', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dala-panel-'))
    writeFileSync(join(folder, 'index.html'), '<title>Dala</title>')
    writeFileSync(join(folder, 'favicon.png'), 'an icon')
    const { app } = await openUploadApp({}, folder)
    const { statusCode, body } = await app.inject({ url: '/favicon.png' })
    expect([statusCode, body]).toEqual([200, 'an icon'])
    for (const url of ['/', '/news', '/abc.png']) {
      expect((await app.inject({ url, headers: { accept: 'text/html' } })).body).toContain('Dala')
    }
    await app.close()
  })
})
