import { basename } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readSettings } from '../../settings.ts'
import { buildRecord, buildNews, buildUser } from '../../testing/factories.ts'
import { filesOn, places, storeInUse } from '../../testing/object-store.ts'
import { drawImage, type FileRecord, openUploadApp, type UploadApp } from '../../testing/upload-app.ts'
import { filesOf } from './file-record.ts'
import { openPieces } from './resumable/open-pieces.ts'
import { openStorage } from './storage/open-storage.ts'
import { UploadSweep } from './sweep.ts'

const days = (count: number) => Date.now() + count * 86_400_000

describe.each(places)('a deleted file on %s:', (storageName) => {
  filesOn(storageName)

  let uploadApp: UploadApp
  let uploadSweep: UploadSweep
  let png: Buffer
  beforeAll(async () => {
    uploadApp = await openUploadApp()
    const settings = readSettings({ DATA_DIR: uploadApp.dataDir, ...storeInUse()?.environment })
    const [storage, pieceStore] = [openStorage(settings), openPieces(settings)]
    uploadSweep = new UploadSweep({
      database: uploadApp.database,
      storage,
      pieces: pieceStore,
      dataDir: uploadApp.dataDir,
    })
    png = await drawImage(600, 400).png().toBuffer()
  })
  afterAll(() => uploadApp.app.close())

  type Role = 'owner' | 'admin' | 'authenticated'
  const uploadFile = async (role: Role = 'admin', query = '', bytes = png): Promise<FileRecord> => {
    const [record] = (await uploadApp.sendParts([{ bytes }], { role, query })).records
    if (!record) throw new Error('No record')
    return record
  }
  const bytesOf = async (url: string) => {
    const { statusCode, rawPayload } = await uploadApp.app.inject({ url })
    return statusCode === 200 ? rawPayload.toString('hex') : statusCode
  }
  const addressesOf = (record: FileRecord) => filesOf(record).map((name) => `/uploads/${name}`)
  const loadAllFiles = (record: FileRecord) => Promise.all(addressesOf(record).map(bytesOf))
  const usesOf = async (id: number) => (await uploadApp.ask('GET', `/upload/files/${id}/uses`)).body
  const linksOf = async (newsId: number) => {
    const { body } = await uploadApp.ask('GET', `/news/${newsId}?populate=*`)
    const { data } = body as {
      data: { attributes: { image: { data: { id: number } }; gallery: { data: { id: number }[] } } } | null
    }
    return data ? [data.attributes.image.data.id, data.attributes.gallery.data.map(({ id }) => id)] : []
  }
  const trashOf = async (role: Role) => {
    const { body } = await uploadApp.ask('GET', '/trash?resource=uploads&pagination[pageSize]=100', role)
    return (body as { data: { id: number; name: string; resource: string }[] }).data
  }
  const restoreFile = async (id: number, role: Role = 'admin') =>
    (await uploadApp.ask('POST', `/uploads/${id}/restore`, role)).status

  let record: FileRecord
  beforeEach(async () => {
    record = await uploadFile()
  })

  it.each([
    ['DELETE', '/upload/files/ID'],
    ['DELETE', '/media/ID/'],
    ['DELETE', '/uploads/ID'],
    ['POST', '/upload/remove'],
  ] as const)('restores a deleted file with its bytes, links and mentions after %s %s', async (method, path) => {
    const bytes = await loadAllFiles(record)
    const isLinked = method === 'DELETE'
    const newsId = isLinked ? await buildNews(uploadApp.database, { image: record.id, gallery: [record.id] }) : 0
    if (isLinked) await buildNews(uploadApp.database, { content: `<img src="${record.url}">` })
    const uses = await usesOf(record.id)
    const links = await linksOf(newsId)
    expect(links).toEqual(isLinked ? [record.id, [record.id]] : [])
    const removal = await uploadApp.app.inject({
      method,
      url: `/api${path.replace('ID', String(record.id))}`,
      headers: uploadApp.headersOf('admin'),
      ...(method === 'POST' && { payload: { data: { ids: [record.id] } } }),
    })
    expect(removal.statusCode).toBe(200)
    expect(await loadAllFiles(record)).toEqual(bytes.map(() => 404))
    expect((await uploadSweep.run(days(29))).removedFiles).toEqual([])
    expect(await trashOf('admin')).toContainEqual(
      expect.objectContaining({ resource: 'uploads', id: record.id, name: record.name }),
    )

    expect(await restoreFile(record.id)).toBe(200)
    expect(await loadAllFiles(record)).toEqual(bytes)
    expect((await uploadApp.ask('GET', `/upload/files/${record.id}`)).body).toMatchObject({
      ...record,
      updatedAt: expect.any(String) as string,
    })
    expect(await usesOf(record.id)).toEqual(uses)
    expect(await linksOf(newsId)).toEqual(links)
    expect(await restoreFile(record.id)).toBe(404)
  })

  it('counts the uses of a restored file that were written meanwhile', async () => {
    const deletedNews = await buildNews(uploadApp.database, { content: record.url })
    await uploadApp.ask('DELETE', `/upload/files/${record.id}`)
    const payload = { data: { content: 'nothing' } }
    await uploadApp.app.inject({
      method: 'PUT',
      url: `/api/news/${deletedNews}`,
      headers: uploadApp.headersOf('admin'),
      payload,
    })
    const laterNews = await buildNews(uploadApp.database, { content: record.url })
    expect(await restoreFile(record.id)).toBe(200)
    expect(await usesOf(record.id)).toMatchObject({ data: [{ resource: 'news', id: laterNews }], meta: { total: 1 } })
  })

  it('restores the former addresses of a deleted file', async () => {
    const formerAddresses = addressesOf(record)
    const now = await uploadFile('admin', `?id=${record.id}`, await drawImage(90, 80).png().toBuffer())
    await uploadApp.ask('DELETE', `/upload/files/${record.id}`)
    for (const url of [...formerAddresses, now.url]) expect(await bytesOf(url)).toBe(404)
    expect(await restoreFile(record.id)).toBe(200)
    for (const url of formerAddresses) expect(await bytesOf(url)).toBe(await bytesOf(now.url))
  })

  it('removes bytes and addresses of a deleted file after 30 days, however many files there are', async () => {
    const records = [record]
    for (let count = 0; count < 24; count += 1) records.push(await uploadFile())
    const namedFiles = new Set(records.flatMap(filesOf))
    for (const { id } of records) await uploadApp.ask('DELETE', `/upload/files/${id}`)
    expect((await uploadSweep.run(days(29))).removedFiles.filter((name) => namedFiles.has(name))).toEqual([])
    const { removedFiles: removedNames } = await uploadSweep.run(days(31))
    expect(removedNames).toEqual(expect.arrayContaining([...namedFiles]))
    expect(uploadApp.stored().filter((name) => namedFiles.has(name))).toEqual([])
    expect(await restoreFile(record.id)).toBe(404)
    expect((await trashOf('admin')).map(({ id }) => id)).not.toContain(record.id)
  })

  it('lets only its owner and staff restore a deleted file', async () => {
    const ownFile = await uploadFile('authenticated')
    await uploadApp.ask('DELETE', `/media/${ownFile.id}/`, 'authenticated')
    await uploadApp.ask('DELETE', `/upload/files/${record.id}`)
    const ids = async (role: Role) => (await trashOf(role)).map(({ id }) => id)
    expect(await ids('authenticated')).toEqual([ownFile.id])
    expect(await ids('admin')).toEqual(expect.arrayContaining([ownFile.id, record.id]))
    expect(await restoreFile(record.id, 'authenticated')).toBe(404)
    expect(await restoreFile(ownFile.id, 'authenticated')).toBe(200)
    expect(await bytesOf(ownFile.url)).not.toBe(404)
  })

  it('returns a deleted file to the user and the message that linked to it', async () => {
    const ownFile = await uploadFile('authenticated')
    const user = await buildUser(uploadApp.database, 'authenticated', { avatar: ownFile.id })
    const room = await buildRecord(uploadApp.database, 'chatrooms', {
      sender: uploadApp.people.authenticated,
      receiver: user,
    })
    const headers = uploadApp.headersOf('authenticated')
    const payload = { data: { room, text: 'Look', attachments: [{ url: ownFile.url, name: 'Leaf' }] } }
    await uploadApp.app.inject({ method: 'POST', url: '/api/chatmessages', headers, payload })
    const pictures = async () => {
      const { body } = await uploadApp.ask('GET', `/chatmessages?filters[room]=${room}`, 'owner')
      return (body as { results: { attachments: { url: string; name: string }[] }[] }).results[0]?.attachments
    }
    await uploadApp.ask('DELETE', `/upload/files/${ownFile.id}`)
    expect(await pictures()).toEqual([])
    expect(await restoreFile(ownFile.id)).toBe(200)
    expect(await pictures()).toMatchObject([{ url: ownFile.url, name: 'Leaf' }])
    expect(await usesOf(ownFile.id)).toMatchObject({ meta: { total: 2 } })
  })

  it('leaves no trace in the trash when an upload failed halfway', async () => {
    const stateBefore = [uploadApp.stored(), await trashOf('admin')]
    const texts = { ref: 'news', refId: '999999', field: 'image' }
    expect((await uploadApp.sendParts([{ bytes: png }], { texts })).status).toBe(404)
    expect([uploadApp.stored(), await trashOf('admin')]).toEqual(stateBefore)
    expect(uploadApp.stored()).toContain(basename(record.url))
  })
})
