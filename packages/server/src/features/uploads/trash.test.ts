import { basename } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readSettings } from '../../settings.ts'
import { build, buildNews, buildUser } from '../../testing/factories.ts'
import { filesOn, places, storeInUse } from '../../testing/object-store.ts'
import { drawn, type FileRecord, openUploadApp, type UploadApp } from '../../testing/upload-app.ts'
import { filesOf } from './file-record.ts'
import { openPieces } from './resumable/open-pieces.ts'
import { openStorage } from './storage/open-storage.ts'
import { UploadSweep } from './sweep.ts'

const days = (count: number) => Date.now() + count * 86_400_000

describe.each(places)('a deleted file on %s:', (place) => {
  filesOn(place)

  let here: UploadApp
  let sweep: UploadSweep
  let png: Buffer
  beforeAll(async () => {
    here = await openUploadApp()
    const settings = readSettings({ DATA_DIR: here.dataDir, ...storeInUse()?.environment })
    const [storage, pieces] = [openStorage(settings), openPieces(settings)]
    sweep = new UploadSweep({ database: here.database, storage, pieces, dataDir: here.dataDir })
    png = await drawn(600, 400).png().toBuffer()
  })
  afterAll(() => here.app.close())

  type Role = 'owner' | 'admin' | 'authenticated'
  const upload = async (role: Role = 'admin', query = '', bytes = png): Promise<FileRecord> => {
    const [record] = (await here.send([{ bytes }], { role, query })).records
    if (!record) throw new Error('No record')
    return record
  }
  const bytesOf = async (url: string) => {
    const { statusCode, rawPayload } = await here.app.inject({ url })
    return statusCode === 200 ? rawPayload.toString('hex') : statusCode
  }
  const addressesOf = (record: FileRecord) => filesOf(record).map((name) => `/uploads/${name}`)
  const loadAll = (record: FileRecord) => Promise.all(addressesOf(record).map(bytesOf))
  const usesOf = async (id: number) => (await here.ask('GET', `/upload/files/${id}/uses`)).body
  const linksOf = async (news: number) => {
    const { body } = await here.ask('GET', `/news/${news}?populate=*`)
    const { data } = body as {
      data: { attributes: { image: { data: { id: number } }; gallery: { data: { id: number }[] } } } | null
    }
    return data ? [data.attributes.image.data.id, data.attributes.gallery.data.map(({ id }) => id)] : []
  }
  const trashOf = async (role: Role) => {
    const { body } = await here.ask('GET', '/trash?resource=uploads&pagination[pageSize]=100', role)
    return (body as { data: { id: number; name: string; resource: string }[] }).data
  }
  const restoreFile = async (id: number, role: Role = 'admin') =>
    (await here.ask('POST', `/uploads/${id}/restore`, role)).status

  let record: FileRecord
  beforeEach(async () => {
    record = await upload()
  })

  it.each([
    ['DELETE', '/upload/files/ID'],
    ['DELETE', '/media/ID/'],
    ['DELETE', '/uploads/ID'],
    ['POST', '/upload/remove'],
  ] as const)('restores a deleted file with its bytes, links and mentions after %s %s', async (method, path) => {
    const bytes = await loadAll(record)
    const isLinked = method === 'DELETE'
    const news = isLinked ? await buildNews(here.database, { image: record.id, gallery: [record.id] }) : 0
    if (isLinked) await buildNews(here.database, { content: `<img src="${record.url}">` })
    const uses = await usesOf(record.id)
    const links = await linksOf(news)
    expect(links).toEqual(isLinked ? [record.id, [record.id]] : [])
    const removal = await here.app.inject({
      method,
      url: `/api${path.replace('ID', String(record.id))}`,
      headers: here.headersOf('admin'),
      ...(method === 'POST' && { payload: { data: { ids: [record.id] } } }),
    })
    expect(removal.statusCode).toBe(200)
    expect(await loadAll(record)).toEqual(bytes.map(() => 404))
    expect((await sweep.run(days(29))).removed).toEqual([])
    expect(await trashOf('admin')).toContainEqual(
      expect.objectContaining({ resource: 'uploads', id: record.id, name: record.name }),
    )

    expect(await restoreFile(record.id)).toBe(200)
    expect(await loadAll(record)).toEqual(bytes)
    expect((await here.ask('GET', `/upload/files/${record.id}`)).body).toMatchObject({
      ...record,
      updatedAt: expect.any(String) as string,
    })
    expect(await usesOf(record.id)).toEqual(uses)
    expect(await linksOf(news)).toEqual(links)
    expect(await restoreFile(record.id)).toBe(404)
  })

  it('counts the uses of a restored file that were written meanwhile', async () => {
    const gone = await buildNews(here.database, { content: record.url })
    await here.ask('DELETE', `/upload/files/${record.id}`)
    const payload = { data: { content: 'nothing' } }
    await here.app.inject({ method: 'PUT', url: `/api/news/${gone}`, headers: here.headersOf('admin'), payload })
    const later = await buildNews(here.database, { content: record.url })
    expect(await restoreFile(record.id)).toBe(200)
    expect(await usesOf(record.id)).toMatchObject({ data: [{ resource: 'news', id: later }], meta: { total: 1 } })
  })

  it('restores the former addresses of a deleted file', async () => {
    const former = addressesOf(record)
    const now = await upload('admin', `?id=${record.id}`, await drawn(90, 80).png().toBuffer())
    await here.ask('DELETE', `/upload/files/${record.id}`)
    for (const url of [...former, now.url]) expect(await bytesOf(url)).toBe(404)
    expect(await restoreFile(record.id)).toBe(200)
    for (const url of former) expect(await bytesOf(url)).toBe(await bytesOf(now.url))
  })

  it('removes bytes and addresses of a deleted file after 30 days, however many files there are', async () => {
    const records = [record]
    for (let count = 0; count < 24; count += 1) records.push(await upload())
    const named = new Set(records.flatMap(filesOf))
    for (const { id } of records) await here.ask('DELETE', `/upload/files/${id}`)
    expect((await sweep.run(days(29))).removed.filter((name) => named.has(name))).toEqual([])
    const { removed } = await sweep.run(days(31))
    expect(removed).toEqual(expect.arrayContaining([...named]))
    expect(here.stored().filter((name) => named.has(name))).toEqual([])
    expect(await restoreFile(record.id)).toBe(404)
    expect((await trashOf('admin')).map(({ id }) => id)).not.toContain(record.id)
  })

  it('lets only its owner and staff restore a deleted file', async () => {
    const own = await upload('authenticated')
    await here.ask('DELETE', `/media/${own.id}/`, 'authenticated')
    await here.ask('DELETE', `/upload/files/${record.id}`)
    const ids = async (role: Role) => (await trashOf(role)).map(({ id }) => id)
    expect(await ids('authenticated')).toEqual([own.id])
    expect(await ids('admin')).toEqual(expect.arrayContaining([own.id, record.id]))
    expect(await restoreFile(record.id, 'authenticated')).toBe(404)
    expect(await restoreFile(own.id, 'authenticated')).toBe(200)
    expect(await bytesOf(own.url)).not.toBe(404)
  })

  it('returns a deleted file to the user and the message that linked to it', async () => {
    const own = await upload('authenticated')
    const user = await buildUser(here.database, 'authenticated', { avatar: own.id })
    const room = await build(here.database, 'chatrooms', {
      sender: here.people.authenticated,
      receiver: user,
    })
    const headers = here.headersOf('authenticated')
    const payload = { data: { room, text: 'Look', attachments: [{ url: own.url, name: 'Leaf' }] } }
    await here.app.inject({ method: 'POST', url: '/api/chatmessages', headers, payload })
    const pictures = async () => {
      const { body } = await here.ask('GET', `/chatmessages?filters[room]=${room}`, 'owner')
      return (body as { results: { attachments: { url: string; name: string }[] }[] }).results[0]?.attachments
    }
    await here.ask('DELETE', `/upload/files/${own.id}`)
    expect(await pictures()).toEqual([])
    expect(await restoreFile(own.id)).toBe(200)
    expect(await pictures()).toMatchObject([{ url: own.url, name: 'Leaf' }])
    expect(await usesOf(own.id)).toMatchObject({ meta: { total: 2 } })
  })

  it('leaves no trace in the trash when an upload failed halfway', async () => {
    const before = [here.stored(), await trashOf('admin')]
    const texts = { ref: 'news', refId: '999999', field: 'image' }
    expect((await here.send([{ bytes: png }], { texts })).status).toBe(404)
    expect([here.stored(), await trashOf('admin')]).toEqual(before)
    expect(here.stored()).toContain(basename(record.url))
  })
})
