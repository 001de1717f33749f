import { sql } from '../../db/sql.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { build, buildNews } from '../../testing/factories.ts'
import { filesOn, places } from '../../testing/object-store.ts'
import { drawn, type FileRecord, formOf, openUploadApp, type UploadApp } from '../../testing/upload-app.ts'

interface Address {
  url: string
  formats: Record<string, { url: string; webp?: { url: string } }> | null
  expiresAt: string | null
}

describe.each(places)('private files on %s:', (place) => {
  filesOn(place)

  let here: UploadApp
  let png: Buffer
  let directions: number[]
  beforeAll(async () => {
    here = await openUploadApp()
    png = await drawn(600, 400).png().toBuffer()
    directions = [await build(here.database, 'directions', { name: 'Crops' })]
  })
  afterAll(() => here.app.close())

  const upload = async (role: 'admin' | 'authenticated' = 'admin', info: object = {}): Promise<FileRecord> => {
    const [record] = (await here.send([{ bytes: png }], { role, texts: { fileInfo: JSON.stringify(info) } })).records
    if (!record) throw new Error('No record')
    return record
  }
  const company = (draft: object) => ({ companyName: 'Agro', address: 'Nukus', directions, ...draft })
  const write = async (
    method: 'POST' | 'PUT',
    url: string,
    data: object,
    role: 'admin' | 'authenticated' = 'admin',
  ) => {
    const answer = await here.app.inject({
      method,
      url: `/api${url}`,
      headers: here.headersOf(role),
      payload: { data },
    })
    return { status: answer.statusCode, body: answer.json<{ data: { id: number }; error?: { code?: string } }>() }
  }
  const privateFile = async (field: 'passport' | 'patent' = 'passport'): Promise<FileRecord> => {
    const file = await upload()
    expect((await write('POST', '/companies', company({ [field]: file.id }))).status).toBe(200)
    return file
  }
  const addressOf = async (id: number, role: 'admin' | 'authenticated' = 'admin') => {
    const { status, body } = await here.ask('GET', `/upload/files/${id}/address`, role)
    return { status, data: (body as { data: Address }).data }
  }
  const urlsOf = ({ url, formats }: Pick<FileRecord, 'url' | 'formats'>) => [
    url,
    ...Object.values(formats ?? {}).flatMap((copy) => [copy.url, ...(copy.webp ? [copy.webp.url] : [])]),
  ]
  const isPrivate = async (id: number) => ((await here.ask('GET', `/upload/files/${id}`)).body as FileRecord).private

  describe('the bytes', () => {
    it.each(['passport', 'patent'] as const)(
      'returns 404 at every permanent address of a private %s',
      async (field) => {
        const file = await upload()
        for (const url of urlsOf(file)) expect((await here.app.inject({ url })).statusCode).toBe(200)
        expect((await write('POST', '/companies', company({ [field]: file.id }))).status).toBe(200)
        const unknown = `/uploads/${'0'.repeat(32)}.png`
        for (const url of urlsOf(file).flatMap((one) => [one, one.replace('/uploads', '')])) {
          for (const headers of [
            {},
            { range: 'bytes=0-9' },
            { 'if-none-match': `"${url.split('/').at(-1) ?? ''}"` },
            { 'if-none-match': '*' },
            here.headersOf('admin'),
          ]) {
            for (const method of ['GET', 'HEAD'] as const) {
              const [refused, missing] = [
                await here.app.inject({ method, url, headers }),
                await here.app.inject({ method, url: unknown, headers }),
              ]
              const comparable = (answer: typeof refused) => [
                answer.statusCode,
                answer.body.replace(/"requestId":"[^"]*"/, ''),
                Object.keys(answer.headers).toSorted(),
                answer.headers['cache-control'],
              ]
              expect(comparable(refused)).toEqual(comparable(missing))
              expect(refused.statusCode).toBe(404)
            }
          }
        }
      },
    )

    it('serves private files in all sizes by a signed address, without caching', async () => {
      const file = await privateFile()
      const { data } = await addressOf(file.id)
      const urls = urlsOf({ url: data.url, formats: data.formats as FileRecord['formats'] })
      expect(urls.map((url) => url.split('?')[0])).toEqual(urlsOf(file))
      for (const url of urls.flatMap((one) => [one, one.replace('/uploads', '')])) {
        const answer = await here.app.inject({ url })
        expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'private, no-store'])
        expect((await here.app.inject({ method: 'HEAD', url })).statusCode).toBe(200)
        const part = await here.app.inject({ url, headers: { range: 'bytes=0-3' } })
        expect([part.statusCode, part.rawPayload.length]).toEqual([206, 4])
      }
      const remainingTime = Date.parse(data.expiresAt ?? '') - Date.now()
      expect(remainingTime).toBeGreaterThan(0)
      expect(remainingTime).toBeLessThanOrEqual(300_000)
    })

    it('returns 404 for a private file with a signature that is changed, expired, or of another file', async () => {
      const [file, otherFile] = [await privateFile(), await privateFile()]
      const { data } = await addressOf(file.id)
      const query = new URLSearchParams(data.url.split('?')[1])
      const [expires, signature] = [query.get('expires') ?? '', query.get('signature') ?? '']
      const foreign = (await addressOf(otherFile.id)).data.url.split('?')[1] ?? ''
      for (const wrong of [
        foreign,
        `expires=${Number(expires) + 1}&signature=${signature}`,
        `expires=${expires}&signature=${signature.slice(0, -2)}AA`,
        `expires=${expires}&signature=`,
        `expires=${expires}`,
        `signature=${signature}`,
        `expires=${expires}&signature[]=${signature}&signature[]=${signature}`,
        `expires[$gt]=1&signature=${signature}`,
        `expires=&signature=${signature}`,
      ]) {
        expect([wrong, (await here.app.inject({ url: `${file.url}?${wrong}` })).statusCode]).toEqual([wrong, 404])
      }
      vi.useFakeTimers({ toFake: ['Date'], now: Number(expires) * 1_000 + 1 })
      try {
        expect((await here.app.inject({ url: data.url })).statusCode).toBe(404)
      } finally {
        vi.useRealTimers()
      }
    })
  })

  describe('GET /api/upload/files/:id/address', () => {
    it('returns the address of a file to its owner and staff, and 404 to everybody else', async () => {
      const [staffs, own] = [await privateFile(), await upload('authenticated')]
      expect((await write('POST', '/companies', company({ patent: own.id }))).status).toBe(200)
      expect((await addressOf(staffs.id)).status).toBe(200)
      expect((await addressOf(staffs.id, 'authenticated')).status).toBe(404)
      const { status, data } = await addressOf(own.id, 'authenticated')
      expect([status, (await here.app.inject({ url: data.url })).statusCode]).toEqual([200, 200])
      expect((await here.ask('GET', `/upload/files/${own.id}/address`, 'public')).status).toBe(401)
    })

    it('returns the permanent address of a file that is not private', async () => {
      const file = await upload()
      expect((await addressOf(file.id)).data).toMatchObject({ url: file.url, expiresAt: null })
      expect(file.private).toBe(false)
    })
  })

  describe('a file', () => {
    it('keeps a file private after it is unlinked', async () => {
      const file = await upload()
      const { body } = await write('POST', '/companies', company({ passport: file.id }))
      expect((await write('PUT', `/companies/${body.data.id}`, { passport: null })).status).toBe(200)
      expect(await isPrivate(file.id)).toBe(true)
      expect((await here.app.inject({ url: file.url })).statusCode).toBe(404)
    })

    it('makes a file private by an upload that names the record, and by a multipart write', async () => {
      const { body } = await write('POST', '/companies', company({}))
      const ref = { ref: 'api::companies.companies', refId: String(body.data.id), field: 'passport' }
      const [byRef] = (await here.send([{ bytes: png }], { texts: ref })).records
      expect(byRef).toMatchObject({ private: true })
      const { payload, headers } = await formOf([{ field: 'files.patent', bytes: png }], {
        data: JSON.stringify(company({})),
      })
      const answer = await here.app.inject({
        method: 'POST',
        url: '/api/companies?populate=patent',
        payload,
        headers: { ...headers, ...here.headersOf('admin') },
      })
      expect(answer.json()).toMatchObject({
        data: { attributes: { patent: { data: { attributes: { private: true } } } } },
      })
    })

    it('makes the original of a private file private too, and a cut of it private from the start', async () => {
      const original = await upload()
      const cut = await upload('admin', { original: original.id })
      expect((await write('POST', '/companies', company({ passport: cut.id }))).status).toBe(200)
      expect([await isPrivate(original.id), await isPrivate(cut.id)]).toEqual([true, true])
      expect((await upload('admin', { original: cut.id })).private).toBe(true)
    })

    it('keeps a file private when its picture is replaced', async () => {
      const { id } = await privateFile()
      const replaced = (await here.send([{ bytes: png }], { query: `?id=${id}` })).body as FileRecord
      expect(replaced.private).toBe(true)
      expect((await here.app.inject({ url: replaced.url })).statusCode).toBe(404)
    })

    it('refuses a body that makes a file both private and shown, and changes nothing', async () => {
      const [file, shown] = [await privateFile(), await upload()]
      const news = await buildNews(here.database, { image: shown.id })
      const codes = async (answer: ReturnType<typeof write>) => {
        const { status, body } = await answer
        return [status, body.error?.code]
      }
      const refusedHere = [400, 'validation.filePrivate']
      const refusedThere = [400, 'validation.fileShown']
      expect(await codes(write('PUT', `/news/${news}`, { image: file.id }))).toEqual(refusedHere)
      expect(await codes(write('PUT', `/news/${news}`, { image: file.url }))).toEqual(refusedHere)
      expect(await codes(write('PUT', `/news/${news}`, { gallery: [shown.id, file.id] }))).toEqual(refusedHere)
      expect(await codes(write('PUT', `/news/${news}`, { content: `<p><img src="${file.url}"></p>` }))).toEqual(
        refusedHere,
      )
      expect(await codes(write('POST', '/companies', company({ logo: file.id })))).toEqual(refusedHere)
      expect(await codes(write('POST', '/companies', company({ passport: shown.id })))).toEqual(refusedThere)
      const fresh = await upload()
      expect(await codes(write('POST', '/companies', company({ passport: fresh.id, logo: fresh.id })))).toEqual(
        refusedThere,
      )
      expect([await isPrivate(shown.id), await isPrivate(fresh.id)]).toEqual([false, false])
      expect((await here.app.inject({ url: shown.url })).statusCode).toBe(200)
    })

    it('accepts a private file as the document of two companies, also when the whole record is sent back', async () => {
      const file = await privateFile()
      const { status, body } = await write('POST', '/companies', company({ patent: file.id }))
      expect(status).toBe(200)
      const again = await write(
        'PUT',
        `/companies/${body.data.id}`,
        company({ patent: file.id, companyName: 'Agro 2' }),
      )
      expect(again.status).toBe(200)
    })

    it('keeps a file linked and private after its company is restored from the trash', async () => {
      const file = await upload()
      const { body } = await write('POST', '/companies', company({ passport: file.id }))
      expect((await here.ask('DELETE', `/companies/${body.data.id}`)).status).toBe(200)
      // The statement sets the data of a version that had no private files.
      await here.database.query(sql`update uploads set private = false where id = ${file.id}`)
      expect((await here.ask('POST', `/companies/${body.data.id}/restore`)).status).toBe(200)
      expect(await isPrivate(file.id)).toBe(true)
    })

    it('leaves a file that has become private out of a restored record', async () => {
      const file = await upload()
      const news = await buildNews(here.database, { image: file.id })
      expect((await here.ask('DELETE', `/news/${news}`)).status).toBe(200)
      expect((await write('POST', '/companies', company({ passport: file.id }))).status).toBe(200)
      expect((await here.ask('POST', `/news/${news}/restore`)).status).toBe(200)
      expect((await here.ask('GET', `/news/${news}?populate=image`)).body).toMatchObject({
        data: { attributes: { image: { data: null } } },
      })
    })

    it('never makes a file both private and shown by two concurrent writes', async () => {
      for (let round = 0; round < 6; round += 1) {
        const file = await upload()
        const writes = [
          () => write('POST', '/companies', company({ passport: file.id })),
          () => write('POST', '/news', { title: 'At once', image: file.id }),
        ]
        const answers = await Promise.all((round % 2 === 0 ? writes : writes.toReversed()).map((one) => one()))
        expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400])
      }
    })
  })
})
