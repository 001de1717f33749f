import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildRecord, buildNews } from '../../testing/factories.ts'
import { filesOn, places } from '../../testing/object-store.ts'
import { drawImage, type FileRecord, openUploadApp, type UploadApp } from '../../testing/upload-app.ts'

describe.each(places)('a replaced picture on %s:', (storageKind) => {
  filesOn(storageKind)

  let uploadApp: UploadApp
  let [widePicture, tallPicture]: Buffer[] = []
  beforeAll(async () => {
    uploadApp = await openUploadApp()
    widePicture = await drawImage(1_200, 300).png().toBuffer()
    tallPicture = await drawImage(300, 600).jpeg().toBuffer()
  })
  afterAll(() => uploadApp.app.close())

  type Role = 'owner' | 'admin' | 'authenticated'
  const sendFile = async (bytes: Buffer | undefined, query = '', role: Role = 'admin') => {
    const { status, body, records } = await uploadApp.sendParts([{ bytes: bytes ?? Buffer.alloc(0) }], { query, role })
    return { status, body, record: records[0] }
  }
  const addFile = async (role: Role = 'admin', bytes = widePicture): Promise<FileRecord> => {
    const { record } = await sendFile(bytes, '', role)
    if (!record) throw new Error('No record')
    return record
  }
  const loadFile = async (url: string, headers: Record<string, string> = {}) => uploadApp.app.inject({ url, headers })
  const bytesOf = async (url: string) => (await loadFile(url)).rawPayload.toString('hex')

  let fileBefore: FileRecord
  beforeEach(async () => {
    fileBefore = await addFile()
  })

  it('serves a replaced picture at every former address, in the nearest existing size', async () => {
    const { record: fileAfter } = await sendFile(tallPicture, `?id=${fileBefore.id}`)
    const { large, medium, small, thumbnail } = fileBefore.formats ?? {}
    expect(Object.keys(fileAfter?.formats ?? {}).sort()).toEqual(['small', 'thumbnail'])
    const pairs = [
      [fileBefore.url, fileAfter?.url],
      [fileBefore.url.replace('/uploads', ''), fileAfter?.url],
      [large?.url, fileAfter?.url],
      [medium?.url, fileAfter?.url],
      [small?.url, fileAfter?.formats?.small?.url],
      [thumbnail?.url, fileAfter?.formats?.thumbnail?.url],
    ] as const
    for (const [formerAddress, now] of pairs) {
      const answer = await loadFile(String(formerAddress))
      expect([formerAddress, answer.statusCode, answer.headers['content-type']]).toEqual([
        formerAddress,
        200,
        'image/jpeg',
      ])
      expect(answer.headers['cache-control']).toBe('public, no-cache')
      expect(answer.rawPayload.toString('hex')).toBe(await bytesOf(String(now)))
    }
    expect(uploadApp.stored().filter((name) => name.includes(String(fileBefore.hash)))).toEqual([])
  })

  it('lets browsers fetch a replaced picture again after each replacement, and only then', async () => {
    await sendFile(tallPicture, `?id=${fileBefore.id}`)
    const firstBytes = await loadFile(fileBefore.url)
    const tag = String(firstBytes.headers.etag)
    expect((await loadFile(fileBefore.url, { 'if-none-match': tag })).statusCode).toBe(304)
    const { record: lastRecord } = await sendFile(await drawImage(20, 20).png().toBuffer(), `?id=${fileBefore.id}`)
    const answer = await loadFile(fileBefore.url, { 'if-none-match': tag })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/png'])
    expect(answer.rawPayload.toString('hex')).toBe(await bytesOf(String(lastRecord?.url)))
    expect((await uploadApp.app.inject({ method: 'HEAD', url: fileBefore.url })).headers['content-length']).toBe(
      String(answer.rawPayload.length),
    )
  })

  it('keeps the uses of a replaced picture by its former address, but not by an address of another kind', async () => {
    const newsId = await buildNews(uploadApp.database, { content: `<img src="${fileBefore.url}">` })
    await sendFile(tallPicture, `?id=${fileBefore.id}`)
    const laterNews = await buildNews(uploadApp.database, { content: `<img src="${fileBefore.url}">` })
    const { body } = await uploadApp.ask('GET', `/upload/files/${fileBefore.id}/uses`)
    expect(body).toMatchObject({ data: [{ id: newsId }, { id: laterNews }], meta: { total: 2 } })
    expect((await loadFile(fileBefore.url.replace('.png', '.gif'))).statusCode).toBe(404)
  })

  it('refuses the author of an approved post to replace its photo, which would bypass moderation', async () => {
    const photo = await addFile('authenticated')
    await buildRecord(uploadApp.database, 'tradinposts', {
      title: 'Wheat',
      tradingposttype: await buildRecord(uploadApp.database, 'tradingposttypes', { name: 'Sale', code: 'selling' }),
      user: uploadApp.people.authenticated,
      status: 'processed',
      mainPhoto: photo.id,
    })
    const bytes = await bytesOf(photo.url)
    const { status, body } = await sendFile(tallPicture, `?id=${photo.id}`, 'authenticated')
    expect([status, body]).toMatchObject([409, { error: { name: 'ConflictError', code: 'upload.replace-used' } }])
    expect(await bytesOf(photo.url)).toBe(bytes)
    const texts = { fileInfo: JSON.stringify({ alternativeText: 'Wheat' }) }
    expect((await uploadApp.sendParts([], { query: `?id=${photo.id}`, texts, role: 'authenticated' })).status).toBe(200)
    expect((await sendFile(tallPicture, `?id=${photo.id}`, 'admin')).status).toBe(200)
  })

  it('keeps the photo of an edit unchanged while it waits, so that moderation is not bypassed', async () => {
    const photo = await addFile('authenticated')
    const id = await buildRecord(uploadApp.database, 'tradinposts', {
      title: 'Barley',
      tradingposttype: await buildRecord(uploadApp.database, 'tradingposttypes', { name: 'Wanted', code: 'purchase' }),
      user: uploadApp.people.authenticated,
      status: 'processed',
    })
    const headers = uploadApp.headersOf('authenticated')
    const url = `/api/tradinposts/${id}`
    const editedAnswer = await uploadApp.app.inject({
      method: 'PUT',
      url,
      headers,
      payload: { data: { images: [photo.id] } },
    })
    expect(editedAnswer.json()).toMatchObject({ data: { attributes: { edit_state: 'waiting' } } })
    expect((await sendFile(tallPicture, `?id=${photo.id}`, 'authenticated')).status).toBe(409)
    await uploadApp.app.inject({ method: 'DELETE', url: `${url}/edit`, headers })
    expect((await sendFile(tallPicture, `?id=${photo.id}`, 'authenticated')).status).toBe(200)
  })

  it('lets the owner replace a picture while only their profile, or nothing, uses it', async () => {
    const ownFile = await addFile('authenticated')
    expect((await sendFile(tallPicture, `?id=${ownFile.id}`, 'authenticated')).status).toBe(200)
    const headers = uploadApp.headersOf('authenticated')
    const url = `/api/users/${uploadApp.people.authenticated}`
    const savedAnswer = await uploadApp.app.inject({ method: 'PUT', url, headers, payload: { avatar: ownFile.id } })
    expect([savedAnswer.statusCode, savedAnswer.body]).toEqual([200, savedAnswer.body])
    expect((await sendFile(widePicture, `?id=${ownFile.id}`, 'authenticated')).status).toBe(200)
    const room = await buildRecord(uploadApp.database, 'chatrooms', {
      sender: uploadApp.people.authenticated,
      receiver: uploadApp.people.owner,
    })
    const payload = { data: { room, text: 'Look', attachments: [{ id: ownFile.id }] } }
    await uploadApp.app.inject({ method: 'POST', url: '/api/chatmessages', headers, payload })
    expect((await sendFile(tallPicture, `?id=${ownFile.id}`, 'authenticated')).status).toBe(409)
  })
})
