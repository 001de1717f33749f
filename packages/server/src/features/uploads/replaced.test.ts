import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { build, buildNews } from '../../testing/factories.ts'
import { filesOn, places } from '../../testing/object-store.ts'
import { drawn, type FileRecord, openUploadApp, type UploadApp } from '../../testing/upload-app.ts'

describe.each(places)('a replaced picture on %s:', (place) => {
  filesOn(place)

  let here: UploadApp
  let [wide, tall]: Buffer[] = []
  beforeAll(async () => {
    here = await openUploadApp()
    wide = await drawn(1_200, 300).png().toBuffer()
    tall = await drawn(300, 600).jpeg().toBuffer()
  })
  afterAll(() => here.app.close())

  type Role = 'owner' | 'admin' | 'authenticated'
  const send = async (bytes: Buffer | undefined, query = '', role: Role = 'admin') => {
    const { status, body, records } = await here.send([{ bytes: bytes ?? Buffer.alloc(0) }], { query, role })
    return { status, body, record: records[0] }
  }
  const added = async (role: Role = 'admin', bytes = wide): Promise<FileRecord> => {
    const { record } = await send(bytes, '', role)
    if (!record) throw new Error('No record')
    return record
  }
  const load = async (url: string, headers: Record<string, string> = {}) => here.app.inject({ url, headers })
  const bytesOf = async (url: string) => (await load(url)).rawPayload.toString('hex')

  let before: FileRecord
  beforeEach(async () => {
    before = await added()
  })

  it('serves a replaced picture at every former address, in the nearest existing size', async () => {
    const { record: after } = await send(tall, `?id=${before.id}`)
    const { large, medium, small, thumbnail } = before.formats ?? {}
    expect(Object.keys(after?.formats ?? {}).sort()).toEqual(['small', 'thumbnail'])
    const pairs = [
      [before.url, after?.url],
      [before.url.replace('/uploads', ''), after?.url],
      [large?.url, after?.url],
      [medium?.url, after?.url],
      [small?.url, after?.formats?.small?.url],
      [thumbnail?.url, after?.formats?.thumbnail?.url],
    ] as const
    for (const [former, now] of pairs) {
      const answer = await load(String(former))
      expect([former, answer.statusCode, answer.headers['content-type']]).toEqual([former, 200, 'image/jpeg'])
      expect(answer.headers['cache-control']).toBe('public, no-cache')
      expect(answer.rawPayload.toString('hex')).toBe(await bytesOf(String(now)))
    }
    expect(here.stored().filter((name) => name.includes(String(before.hash)))).toEqual([])
  })

  it('lets browsers fetch a replaced picture again after each replacement, and only then', async () => {
    await send(tall, `?id=${before.id}`)
    const first = await load(before.url)
    const tag = String(first.headers.etag)
    expect((await load(before.url, { 'if-none-match': tag })).statusCode).toBe(304)
    const { record: last } = await send(await drawn(20, 20).png().toBuffer(), `?id=${before.id}`)
    const answer = await load(before.url, { 'if-none-match': tag })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/png'])
    expect(answer.rawPayload.toString('hex')).toBe(await bytesOf(String(last?.url)))
    expect((await here.app.inject({ method: 'HEAD', url: before.url })).headers['content-length']).toBe(
      String(answer.rawPayload.length),
    )
  })

  it('keeps the uses of a replaced picture by its former address, but not by an address of another kind', async () => {
    const news = await buildNews(here.database, { content: `<img src="${before.url}">` })
    await send(tall, `?id=${before.id}`)
    const later = await buildNews(here.database, { content: `<img src="${before.url}">` })
    const { body } = await here.ask('GET', `/upload/files/${before.id}/uses`)
    expect(body).toMatchObject({ data: [{ id: news }, { id: later }], meta: { total: 2 } })
    expect((await load(before.url.replace('.png', '.gif'))).statusCode).toBe(404)
  })

  it('refuses the author of an approved post to replace its photo, which would bypass moderation', async () => {
    const photo = await added('authenticated')
    await build(here.database, 'tradinposts', {
      title: 'Wheat',
      tradingposttype: await build(here.database, 'tradingposttypes', { name: 'Sale', code: 'selling' }),
      user: here.people.authenticated,
      status: 'processed',
      mainPhoto: photo.id,
    })
    const bytes = await bytesOf(photo.url)
    const { status, body } = await send(tall, `?id=${photo.id}`, 'authenticated')
    expect([status, body]).toMatchObject([409, { error: { name: 'ConflictError', code: 'upload.replace-used' } }])
    expect(await bytesOf(photo.url)).toBe(bytes)
    const texts = { fileInfo: JSON.stringify({ alternativeText: 'Wheat' }) }
    expect((await here.send([], { query: `?id=${photo.id}`, texts, role: 'authenticated' })).status).toBe(200)
    expect((await send(tall, `?id=${photo.id}`, 'admin')).status).toBe(200)
  })

  it('keeps the photo of an edit unchanged while it waits, so that moderation is not bypassed', async () => {
    const photo = await added('authenticated')
    const id = await build(here.database, 'tradinposts', {
      title: 'Barley',
      tradingposttype: await build(here.database, 'tradingposttypes', { name: 'Wanted', code: 'purchase' }),
      user: here.people.authenticated,
      status: 'processed',
    })
    const headers = here.headersOf('authenticated')
    const url = `/api/tradinposts/${id}`
    const edited = await here.app.inject({ method: 'PUT', url, headers, payload: { data: { images: [photo.id] } } })
    expect(edited.json()).toMatchObject({ data: { attributes: { edit_state: 'waiting' } } })
    expect((await send(tall, `?id=${photo.id}`, 'authenticated')).status).toBe(409)
    await here.app.inject({ method: 'DELETE', url: `${url}/edit`, headers })
    expect((await send(tall, `?id=${photo.id}`, 'authenticated')).status).toBe(200)
  })

  it('lets the owner replace a picture while only their profile, or nothing, uses it', async () => {
    const own = await added('authenticated')
    expect((await send(tall, `?id=${own.id}`, 'authenticated')).status).toBe(200)
    const headers = here.headersOf('authenticated')
    const url = `/api/users/${here.people.authenticated}`
    const saved = await here.app.inject({ method: 'PUT', url, headers, payload: { avatar: own.id } })
    expect([saved.statusCode, saved.body]).toEqual([200, saved.body])
    expect((await send(wide, `?id=${own.id}`, 'authenticated')).status).toBe(200)
    const room = await build(here.database, 'chatrooms', {
      sender: here.people.authenticated,
      receiver: here.people.owner,
    })
    const payload = { data: { room, text: 'Look', attachments: [{ id: own.id }] } }
    await here.app.inject({ method: 'POST', url: '/api/chatmessages', headers, payload })
    expect((await send(tall, `?id=${own.id}`, 'authenticated')).status).toBe(409)
  })
})
