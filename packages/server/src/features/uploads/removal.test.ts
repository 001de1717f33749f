import { rmSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { buildRecord, buildNews } from '../../testing/factories.ts'
import { filesOn, places } from '../../testing/object-store.ts'
import { drawImage, type FileRecord, openUploadApp, type UploadApp } from '../../testing/upload-app.ts'
import { filesOf } from './file-record.ts'

describe.each(places)('files on %s:', (storageKind) => {
  filesOn(storageKind)

  let uploadApp: UploadApp
  let png: Buffer
  beforeAll(async () => {
    uploadApp = await openUploadApp()
    png = await drawImage(1_200, 800).png().toBuffer()
  })
  afterAll(() => uploadApp.app.close())

  const drawSmallImage = () => drawImage(20, 10).png().toBuffer()
  const uploadFile = async (options?: Parameters<UploadApp['sendParts']>[1]): Promise<FileRecord> => {
    const { status, records, body } = await uploadApp.sendParts([{ bytes: await drawSmallImage() }], options)
    expect([status, body]).toEqual([200, body])
    const [record] = records
    if (!record) throw new Error('No record')
    return record
  }
  describe('deleting', () => {
    let record: FileRecord
    beforeEach(async () => {
      record = (await uploadApp.sendParts([{ bytes: png }])).records[0] ?? record
    })

    test.each(['/upload/files/ID', '/media/ID', '/media/ID/'])(
      'removes row, addresses and links of a file by DELETE %s, and leaves the bytes to the trash',
      async (path) => {
        const newsId = await buildNews(uploadApp.database, { image: record.id, gallery: [record.id] })
        const { status, body } = await uploadApp.ask('DELETE', path.replace('ID', String(record.id)))
        expect([status, body]).toEqual([200, record])
        const urls = [
          record.url,
          `/${record.url.split('/')[2]}`,
          ...Object.values(record.formats ?? {}).map(({ url }) => url),
        ]
        for (const url of urls) expect((await uploadApp.app.inject({ url })).statusCode).toBe(404)
        expect(uploadApp.stored()).toEqual(expect.arrayContaining(filesOf(record)))
        expect((await uploadApp.ask('GET', `/upload/files/${record.id}`)).status).toBe(404)
        expect((await uploadApp.ask('GET', `/news/${newsId}?populate=*`)).body).toMatchObject({
          data: { attributes: { image: { data: null }, gallery: { data: [] } } },
        })
        expect((await uploadApp.ask('DELETE', path.replace('ID', String(record.id)))).status).toBe(404)
      },
    )

    test('refuses to delete a used file with if_unused, returns its uses, and changes nothing', async () => {
      const firstNews = await buildNews(uploadApp.database, { image: record.id })
      const secondNews = await buildNews(uploadApp.database, { gallery: [record.id] }, 'ru')
      // An admin does not read an owner's account: the use of the file in it is only counted.
      await buildRecord(uploadApp.database, 'users', {
        username: 'pictured',
        email: 'pictured@example.org',
        password: 'Harvest-2026',
        role: 1,
        avatar: record.id,
      })
      const uses = [
        { resource: 'news', id: firstNews, field: 'image', name: expect.stringMatching(/^News/) as string },
        { resource: 'news', id: secondNews, field: 'gallery', name: expect.any(String) as string },
      ]
      const { status, body } = await uploadApp.ask('DELETE', `/media/${record.id}/?if_unused=true`)
      expect([status, body]).toMatchObject([409, { error: { name: 'ConflictError', code: 'file.in-use' } }])
      expect(body).toMatchObject({ error: { message: 'The file is used by 3 records' } })
      const { uses: reportedUses } = (body as { error: { details: { uses: object[] } } }).error.details
      expect(reportedUses).toHaveLength(uses.length)
      expect(reportedUses).toEqual(expect.arrayContaining(uses))
      expect((await uploadApp.app.inject({ url: record.url })).statusCode).toBe(200)
      expect((await uploadApp.ask('GET', `/upload/files/${record.id}`)).body).toEqual(record)
    })

    test('removes an unused file with if_unused', async () => {
      expect((await uploadApp.ask('DELETE', `/upload/files/${record.id}?if_unused=true`)).status).toBe(200)
    })

    test('refuses to delete a file with a required link to it', async () => {
      await buildRecord(uploadApp.database, 'sliders', { image: record.id })
      const { status, body } = await uploadApp.ask('DELETE', `/media/${record.id}`)
      expect([status, body]).toMatchObject([
        409,
        { error: { code: 'record.in-use', details: { resource: 'sliders' } } },
      ])
      expect((await uploadApp.app.inject({ url: record.url })).statusCode).toBe(200)
    })

    test('deletes a record whose file is missing', async () => {
      for (const name of uploadApp.stored()) rmSync(uploadApp.pathOf(name))
      expect((await uploadApp.app.inject({ url: record.url })).statusCode).toBe(404)
      expect((await uploadApp.ask('DELETE', `/media/${record.id}`)).status).toBe(200)
    })
  })

  describe('rights', () => {
    it.each(['POST /upload', 'GET /upload/files', 'GET /upload/files/1', 'DELETE /upload/files/1', 'DELETE /media/1/'])(
      'requires a session for %s',
      async (route) => {
        const [method, url] = route.split(' ') as ['GET', string]
        expect((await uploadApp.ask(method, url, 'public')).status).toBe(401)
      },
    )

    it('lets every user upload and read files, and only the owner of a file and staff change and delete it', async () => {
      const ownFile = await uploadFile({ role: 'authenticated' })
      const [staffs, unseenFile] = [await uploadFile(), await uploadFile()]
      await buildNews(uploadApp.database, { image: staffs.id })
      const edit = (id: number, role: 'authenticated' | 'admin') =>
        uploadApp.sendParts([], { query: `?id=${id}`, texts: { fileInfo: '{"caption":"x"}' }, role })
      expect((await uploadApp.ask('GET', `/upload/files/${staffs.id}`, 'authenticated')).status).toBe(200)
      expect((await edit(staffs.id, 'authenticated')).status).toBe(403)
      expect((await uploadApp.ask('DELETE', `/upload/files/${staffs.id}`, 'authenticated')).status).toBe(403)
      expect((await uploadApp.ask('DELETE', `/media/${staffs.id}`, 'authenticated')).status).toBe(403)
      expect((await uploadApp.ask('GET', `/upload/files/${staffs.id}`)).body).toMatchObject({ caption: null })
      expect((await uploadApp.ask('GET', `/upload/files/${unseenFile.id}`, 'authenticated')).status).toBe(404)
      expect((await edit(unseenFile.id, 'authenticated')).status).toBe(404)
      expect((await uploadApp.ask('DELETE', `/media/${unseenFile.id}`, 'authenticated')).status).toBe(404)
      expect((await edit(ownFile.id, 'authenticated')).status).toBe(200)
      expect((await edit(ownFile.id, 'admin')).status).toBe(200)
      expect((await uploadApp.ask('DELETE', `/media/${ownFile.id}/`, 'authenticated')).status).toBe(200)
    })

    it('deletes files by the generic routes, but neither creates nor changes files by these routes', async () => {
      const { id } = await uploadFile()
      for (const [method, url] of [
        ['POST', '/uploads'],
        ['PUT', `/uploads/${id}`],
      ] as const) {
        expect((await uploadApp.ask(method, url, 'owner')).status).toBe(403)
      }
      expect((await uploadApp.ask('DELETE', `/uploads/${id}`, 'authenticated')).status).toBe(404)
      expect((await uploadApp.ask('DELETE', `/uploads/${id}`)).status).toBe(200)
      expect((await uploadApp.ask('GET', `/upload/files/${id}`)).status).toBe(404)
    })
  })
})
