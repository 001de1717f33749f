import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { onSignal } from '../../signals.ts'
import { buildNews } from '../../testing/factories.ts'
import { filesOn, places, storeInUse } from '../../testing/object-store.ts'
import { drawImage, drawFilm, type FileRecord, openUploadApp, type UploadApp } from '../../testing/upload-app.ts'

describe.each(places)('files on %s:', (storageName) => {
  filesOn(storageName)

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
  const fault = (status: number, message: string) => ({ status, body: { data: null, error: { status, message } } })

  /** Keys of a file's record in contract §10, followed by those of the content model. */
  const contractKeys =
    'id,name,alternativeText,caption,width,height,formats,hash,ext,mime,size,url,previewUrl,provider,provider_metadata,createdAt,updatedAt'.split(
      ',',
    )
  const modelKeys = ['alt', 'captions', 'folder', 'focal', 'sha256', 'original', 'crop', 'private']

  describe('POST /upload', () => {
    test('returns a bare list of flat file records with exactly the keys of the contract', async () => {
      const { status, body } = await uploadApp.sendParts([{ bytes: png, name: 'field.png' }])
      expect(status).toBe(200)
      expect(body).toEqual([
        {
          id: expect.any(Number) as number,
          name: 'field.png',
          alternativeText: null,
          caption: null,
          alt: null,
          captions: null,
          folder: null,
          focal: null,
          width: 1_200,
          height: 800,
          formats: {
            large: copyOf('large', 1_000, 667),
            medium: copyOf('medium', 750, 500),
            small: copyOf('small', 500, 333),
            thumbnail: copyOf('thumbnail', 234, 156),
          },
          hash: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
          ext: '.png',
          mime: 'image/png',
          size: expect.any(Number) as number,
          url: expect.stringMatching(/^\/uploads\/[0-9a-f]{32}\.png$/) as string,
          previewUrl: null,
          provider: storeInUse() ? 's3' : 'local',
          provider_metadata: null,
          sha256: createHash('sha256').update(png).digest('hex'),
          original: null,
          crop: null,
          private: false,
          createdAt: expect.stringMatching(/Z$/) as string,
          updatedAt: expect.stringMatching(/Z$/) as string,
        },
      ])
      expect(Object.keys((body as FileRecord[])[0] ?? {}).sort()).toEqual([...contractKeys, ...modelKeys].sort())
    })

    const copyOf = (format: string, width: number, height: number) => ({
      name: `${format}_field.png`,
      hash: expect.stringMatching(new RegExp(`^${format}_[0-9a-f]{32}$`)) as string,
      ext: '.png',
      mime: 'image/png',
      width,
      height,
      size: expect.any(Number) as number,
      url: expect.stringMatching(new RegExp(`^/uploads/${format}_[0-9a-f]{32}\\.png$`)) as string,
      path: null,
      webp: {
        ext: '.webp',
        mime: 'image/webp',
        size: expect.any(Number) as number,
        url: expect.stringMatching(new RegExp(`^/uploads/${format}_[0-9a-f]{32}\\.webp$`)) as string,
      },
    })

    test('returns the sizes of stored files in thousands of bytes with two decimals', async () => {
      const [record] = (await uploadApp.sendParts([{ bytes: png }])).records
      for (const { url, size } of [record, ...Object.values(record?.formats ?? {})] as {
        url: string
        size: number
      }[]) {
        const { rawPayload } = await uploadApp.app.inject({ url })
        expect(size).toBe(Math.round(rawPayload.length / 10) / 100)
      }
    })

    test.each<[width: number, height: number, formats: string[] | null]>([
      [245, 156, null],
      [246, 156, ['thumbnail']],
      [100, 157, ['thumbnail']],
      [500, 500, ['thumbnail']],
      [501, 20, ['small', 'thumbnail']],
      [20, 751, ['medium', 'small', 'thumbnail']],
      [1_001, 1_000, ['large', 'medium', 'small', 'thumbnail']],
    ])('makes of a picture of %i × %i only the smaller copies', async (width, height, formats) => {
      const [record] = (await uploadApp.sendParts([{ bytes: await drawImage(width, height).png().toBuffer() }])).records
      expect(record?.formats && Object.keys(record.formats).sort()).toEqual(formats)
    })

    test.each(['jpeg', 'png', 'webp', 'gif'] as const)(
      'stores a %s picture in its format, whatever the client claims',
      async (format) => {
        const bytes = await drawImage(30, 20).toFormat(format).toBuffer()
        const [record] = (await uploadApp.sendParts([{ bytes, name: 'photo.bmp', type: 'application/pdf' }])).records
        const ext = format === 'jpeg' ? 'jpg' : format
        expect(record).toMatchObject({
          ext: `.${ext}`,
          mime: `image/${format}`,
          name: 'photo.bmp',
          width: 30,
          height: 20,
        })
        const { rawPayload, headers } = await uploadApp.app.inject({ url: String(record?.url) })
        expect([(await sharp(rawPayload).metadata()).format, headers['content-type']]).toEqual([
          format,
          `image/${format}`,
        ])
      },
    )

    test.each(['gif', 'webp'] as const)(
      'stores an animated picture as %s, with copies of the first frame',
      async (format) => {
        const bytes = await drawFilm(5, 300)
          [format]({ loop: 3, delay: [100, 120, 140, 160, 180] })
          .toBuffer()
        const [record] = (await uploadApp.sendParts([{ bytes }])).records
        const readUrl = async (url?: string) =>
          sharp((await uploadApp.app.inject({ url: url ?? '' })).rawPayload, { animated: true }).metadata()
        expect(await readUrl(record?.url)).toMatchObject({
          pages: 5,
          pageHeight: 300,
          loop: 3,
          delay: [100, 120, 140, 160, 180],
        })
        expect(record).toMatchObject({ width: 300, height: 300, formats: { thumbnail: { width: 156, height: 156 } } })
        expect((await readUrl(record?.formats?.thumbnail?.url)).pages ?? 1).toBe(1)
      },
    )

    test('accepts up to ten files, each with its own details, in order', async () => {
      const parts = await Promise.all(
        Array.from({ length: 10 }, async (_, index) => ({ bytes: await drawSmallImage(), name: `${index}.png` })),
      )
      const texts = {
        fileInfo: parts.map((_, index) => JSON.stringify({ alternativeText: `picture ${index}` })),
        path: 'ignored/x',
      }
      const { status, records } = await uploadApp.sendParts(parts, { texts })
      expect(status).toBe(200)
      expect(records.map(({ name, alternativeText }) => [name, alternativeText])).toEqual(
        parts.map(({ name }, index) => [name, `picture ${index}`]),
      )
      expect(records.every(({ url }) => /^\/uploads\/[0-9a-f]{32}\.png$/.test(url))).toBe(true)
    })

    test('stores the details of an uploaded file, the plain texts as the English ones', async () => {
      const fileInfo = JSON.stringify({
        name: 'Дала.png',
        alternativeText: 'A field',
        captions: { ru: 'Поле', en: 'Field' },
        folder: 'news',
        focal: { x: 0.5, y: 0.25 },
        id: 999,
        url: 'https://evil.example/x.png',
        hash: 'x',
      })
      expect(await uploadFile({ texts: { fileInfo } })).toMatchObject({
        name: 'Дала.png',
        alternativeText: 'A field',
        alt: { en: 'A field' },
        caption: 'Field',
        captions: { en: 'Field', ru: 'Поле' },
        folder: 'news',
        focal: { x: 0.5, y: 0.25 },
        url: expect.stringMatching(/^\/uploads\/[0-9a-f]{32}\.png$/) as string,
      })
    })

    test('signals the received bytes of a file', async () => {
      const signalled: unknown[] = []
      const endSignal = onSignal('upload', (signal) => void signalled.push(signal))
      await uploadApp.sendParts([{ bytes: png }])
      endSignal()
      expect(signalled).toEqual([{ way: 'form', bytes: png.length }])
    })

    test('accepts a raw body as a file with its name in the query', async () => {
      const answer = await uploadApp.app.inject({
        method: 'POST',
        url: `/api/upload?name=${encodeURIComponent('поле.png')}`,
        headers: { ...uploadApp.headersOf('admin'), 'content-type': 'image/png' },
        payload: png,
      })
      expect([answer.statusCode, answer.json()]).toMatchObject([200, [{ name: 'поле.png', width: 1_200 }]])
    })

    test('returns the url of a file with one segment that is served from the root too', async () => {
      const { url } = await uploadFile()
      const segment = `/${url.split('/')[2]}`
      expect(segment).toMatch(/^\/[0-9a-f]{32}\.png$/)
      const [fullAnswer, rootAnswer] = [
        await uploadApp.app.inject({ url }),
        await uploadApp.app.inject({ url: segment }),
      ]
      expect([rootAnswer.statusCode, rootAnswer.rawPayload.equals(fullAnswer.rawPayload)]).toEqual([200, true])
    })
  })

  describe('POST /upload with ref, refId and field', () => {
    const imageOf = async (id: number) => {
      const { body } = await uploadApp.ask('GET', `/news/${id}?populate=image,gallery`)
      const { attributes } = (body as { data: { attributes: Record<string, { data: unknown }> } }).data
      const ids = (value: unknown) => [value].flat().map((entry) => (entry as { id: number } | null)?.id)
      return { image: ids(attributes.image?.data), gallery: ids(attributes.gallery?.data) }
    }

    it.each(['news', 'api::news.news'])('links the uploaded files to the field of %s', async (ref) => {
      const id = await buildNews(uploadApp.database)
      const firstFile = await uploadFile({ texts: { ref, refId: String(id), field: 'image' } })
      expect((await imageOf(id)).image).toEqual([firstFile.id])
      const secondFile = await uploadFile({ texts: { ref, refId: String(id), field: 'gallery' } })
      const thirdFile = await uploadFile({ texts: { ref, refId: String(id), field: 'gallery' } })
      expect(await imageOf(id)).toEqual({ image: [firstFile.id], gallery: [secondFile.id, thirdFile.id] })
    })

    it.each<[what: string, texts: Record<string, string>, status: number]>([
      ['an unknown resource', { ref: 'nothing', refId: '1', field: 'image' }, 400],
      ['a field that takes no pictures', { ref: 'news', refId: '1', field: 'title' }, 400],
      ['no field', { ref: 'news', refId: '1' }, 400],
      ['an unknown record', { ref: 'news', refId: '99999', field: 'image' }, 404],
      ['no id', { ref: 'news', refId: 'x', field: 'image' }, 404],
    ])('refuses an upload to %s and stores nothing', async (_what, texts, status) => {
      const filesBefore = uploadApp.stored()
      expect((await uploadApp.sendParts([{ bytes: await drawSmallImage() }], { texts })).status).toBe(status)
      expect([uploadApp.stored(), uploadApp.incomingFiles()]).toEqual([filesBefore, []])
      expect((await uploadApp.ask('GET', '/upload/files?sort=id:desc&limit=1')).records[0]?.name).not.toBe('left')
    })

    it('checks the caller’s own right to the record of an upload', async () => {
      const id = await buildNews(uploadApp.database)
      const filesBefore = uploadApp.stored()
      const texts = { ref: 'news', refId: String(id), field: 'image' }
      expect(
        (await uploadApp.sendParts([{ bytes: await drawSmallImage() }], { texts, role: 'authenticated' })).status,
      ).toBe(403)
      expect([uploadApp.stored(), (await imageOf(id)).image]).toEqual([filesBefore, [undefined]])
    })
  })

  describe('POST /upload?id', () => {
    test('changes the details of a file', async () => {
      const { id, url } = await uploadFile({ texts: { fileInfo: '{"alternativeText":"before"}' } })
      const texts = { fileInfo: JSON.stringify({ name: 'new.png', alt: { ru: 'После' }, caption: 'C' }) }
      const { status, body } = await uploadApp.sendParts([], { query: `?id=${id}`, texts })
      expect([status, body]).toMatchObject([
        200,
        {
          id,
          url,
          name: 'new.png',
          alt: { ru: 'После' },
          alternativeText: 'После',
          caption: 'C',
          captions: { en: 'C' },
        },
      ])
    })

    test('accepts a JSON body for the details of a file too', async () => {
      const { id } = await uploadFile()
      const answer = await uploadApp.app.inject({
        method: 'POST',
        url: `/api/upload?id=${id}`,
        headers: uploadApp.headersOf('admin'),
        payload: { fileInfo: { caption: 'by JSON' } },
      })
      expect([answer.statusCode, answer.json()]).toMatchObject([200, { id, caption: 'by JSON' }])
    })

    test('replaces the picture of a record with a file of a new name, which the old address shows', async () => {
      const [formerRecord] = (await uploadApp.sendParts([{ bytes: png, name: 'kept.png' }])).records
      const newsId = await buildNews(uploadApp.database, { image: formerRecord?.id })
      const bytes = await drawImage(40, 30).jpeg().toBuffer()
      const { status, body } = await uploadApp.sendParts([{ bytes, name: 'other.jpg' }], {
        query: `?id=${formerRecord?.id}`,
      })
      expect([status, body]).toMatchObject([
        200,
        {
          id: formerRecord?.id,
          name: 'kept.png',
          ext: '.jpg',
          mime: 'image/jpeg',
          width: 40,
          height: 30,
          formats: null,
        },
      ])
      const changedFile = body as FileRecord
      const { rawPayload } = await uploadApp.app.inject({ url: changedFile.url })
      for (const url of [changedFile.url, formerRecord?.url, formerRecord?.formats?.thumbnail?.url]) {
        const answer = await uploadApp.app.inject({ url: url ?? '' })
        expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/jpeg'])
        expect(answer.rawPayload.equals(rawPayload)).toBe(true)
      }
      expect(uploadApp.stored().filter((name) => name.includes(String(formerRecord?.hash)))).toEqual([])
      const { body: entry } = await uploadApp.ask('GET', `/news/${newsId}?populate=image`)
      expect(entry).toMatchObject({
        data: { attributes: { image: { data: { id: formerRecord?.id, attributes: { url: changedFile.url } } } } },
      })
    })

    test.each(['0', 'x', '-1', '99999', '99999999999'])('returns 404 for the unknown file id %s', async (id) => {
      expect(await uploadApp.sendParts([], { query: `?id=${id}`, texts: { fileInfo: '{}' } })).toMatchObject(
        fault(404, 'file.notFound'),
      )
    })
  })

  describe('GET of files', () => {
    test('returns a bare list with filters, sort, start and limit by GET /upload/files', async () => {
      const ids: number[] = []
      for (const name of ['list-b.png', 'list-a.png', 'list-c.png']) {
        ids.push((await uploadApp.sendParts([{ bytes: await drawSmallImage(), name }])).records[0]?.id ?? 0)
      }
      const names = async (query: string) =>
        (await uploadApp.ask('GET', `/upload/files?filters[name][$startsWith]=list-&${query}`)).records.map(
          ({ name }) => name,
        )
      expect(await names('')).toEqual(['list-b.png', 'list-a.png', 'list-c.png'])
      expect(await names('sort=name:desc')).toEqual(['list-c.png', 'list-b.png', 'list-a.png'])
      expect(await names('sort=name&start=1&limit=1')).toEqual(['list-b.png'])
      expect(await names('limit=2')).toEqual(['list-b.png', 'list-a.png'])
      const [record] = (await uploadApp.ask('GET', `/upload/files?filters[id]=${ids[0]}`)).records
      expect(Object.keys(record ?? {}).sort()).toEqual([...contractKeys, ...modelKeys].sort())
      expect((await uploadApp.ask('GET', '/upload/files?filters[bogus]=1')).status).toBe(400)
    })

    test('returns the same flat record by GET /upload/files/:id, and 404 file.notFound for an unknown file', async () => {
      const record = await uploadFile()
      expect((await uploadApp.ask('GET', `/upload/files/${record.id}`)).body).toEqual(record)
      for (const id of ['99999', 'x', '0', '99999999999']) {
        expect(await uploadApp.ask('GET', `/upload/files/${id}`)).toMatchObject(fault(404, 'file.notFound'))
      }
    })

    test('returns the generic list of the same file records by GET /uploads', async () => {
      const { id, url } = await uploadFile()
      const { body } = await uploadApp.ask('GET', `/uploads?filters[id]=${id}`)
      expect(body).toMatchObject({ data: [{ id, attributes: { url } }], meta: { pagination: { total: 1 } } })
    })
  })

  describe('media attributes', () => {
    test('accepts an id or one of two paths in media attributes', async () => {
      const { id, url } = await uploadFile()
      for (const image of [id, { id }, url, `/${url.split('/')[2]}`]) {
        const newsId = await buildNews(uploadApp.database, { image })
        expect((await uploadApp.ask('GET', `/news/${newsId}?populate=image`)).body).toMatchObject({
          data: { attributes: { image: { data: { id } } } },
        })
      }
    })
  })
})
