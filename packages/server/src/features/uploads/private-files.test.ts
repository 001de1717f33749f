import { sql } from '../../db/sql.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildRecord, buildNews } from '../../testing/factories.ts'
import { filesOn, places } from '../../testing/object-store.ts'
import { drawImage, type FileRecord, formOf, openUploadApp, type UploadApp } from '../../testing/upload-app.ts'

interface Address {
  url: string
  formats: Record<string, { url: string; webp?: { url: string } }> | null
  expiresAt: string | null
}

describe.each(places)('private files on %s:', (storageKind) => {
  filesOn(storageKind)

  let uploadApp: UploadApp
  let png: Buffer
  let directions: number[]
  beforeAll(async () => {
    uploadApp = await openUploadApp()
    png = await drawImage(600, 400).png().toBuffer()
    directions = [await buildRecord(uploadApp.database, 'directions', { name: 'Crops' })]
  })
  afterAll(() => uploadApp.app.close())

  const uploadFile = async (
    role: 'admin' | 'authenticated' = 'admin',
    fileDetails: object = {},
  ): Promise<FileRecord> => {
    const [record] = (
      await uploadApp.sendParts([{ bytes: png }], { role, texts: { fileInfo: JSON.stringify(fileDetails) } })
    ).records
    if (!record) throw new Error('No record')
    return record
  }
  const company = (draft: object) => ({ companyName: 'Agro', address: 'Nukus', directions, ...draft })
  const writeRecord = async (
    method: 'POST' | 'PUT',
    url: string,
    data: object,
    role: 'admin' | 'authenticated' = 'admin',
  ) => {
    const answer = await uploadApp.app.inject({
      method,
      url: `/api${url}`,
      headers: uploadApp.headersOf(role),
      payload: { data },
    })
    return { status: answer.statusCode, body: answer.json<{ data: { id: number }; error?: { code?: string } }>() }
  }
  const privateFile = async (field: 'passport' | 'patent' = 'passport'): Promise<FileRecord> => {
    const file = await uploadFile()
    expect((await writeRecord('POST', '/companies', company({ [field]: file.id }))).status).toBe(200)
    return file
  }
  const addressOf = async (id: number, role: 'admin' | 'authenticated' = 'admin') => {
    const { status, body } = await uploadApp.ask('GET', `/upload/files/${id}/address`, role)
    return { status, data: (body as { data: Address }).data }
  }
  const urlsOf = ({ url, formats }: Pick<FileRecord, 'url' | 'formats'>) => [
    url,
    ...Object.values(formats ?? {}).flatMap((copy) => [copy.url, ...(copy.webp ? [copy.webp.url] : [])]),
  ]
  const isPrivate = async (id: number) =>
    ((await uploadApp.ask('GET', `/upload/files/${id}`)).body as FileRecord).private

  describe('the bytes', () => {
    it.each(['passport', 'patent'] as const)(
      'returns 404 at every permanent address of a private %s',
      async (field) => {
        const file = await uploadFile()
        for (const url of urlsOf(file)) expect((await uploadApp.app.inject({ url })).statusCode).toBe(200)
        expect((await writeRecord('POST', '/companies', company({ [field]: file.id }))).status).toBe(200)
        const unknownUrl = `/uploads/${'0'.repeat(32)}.png`
        for (const url of urlsOf(file).flatMap((fileUrl) => [fileUrl, fileUrl.replace('/uploads', '')])) {
          for (const headers of [
            {},
            { range: 'bytes=0-9' },
            { 'if-none-match': `"${url.split('/').at(-1) ?? ''}"` },
            { 'if-none-match': '*' },
            uploadApp.headersOf('admin'),
          ]) {
            for (const method of ['GET', 'HEAD'] as const) {
              const [refusedAnswer, missingAnswer] = [
                await uploadApp.app.inject({ method, url, headers }),
                await uploadApp.app.inject({ method, url: unknownUrl, headers }),
              ]
              const comparableAnswer = (answer: typeof refusedAnswer) => [
                answer.statusCode,
                answer.body.replace(/"requestId":"[^"]*"/, ''),
                Object.keys(answer.headers).toSorted(),
                answer.headers['cache-control'],
              ]
              expect(comparableAnswer(refusedAnswer)).toEqual(comparableAnswer(missingAnswer))
              expect(refusedAnswer.statusCode).toBe(404)
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
      for (const url of urls.flatMap((fileUrl) => [fileUrl, fileUrl.replace('/uploads', '')])) {
        const answer = await uploadApp.app.inject({ url })
        expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'private, no-store'])
        expect((await uploadApp.app.inject({ method: 'HEAD', url })).statusCode).toBe(200)
        const partAnswer = await uploadApp.app.inject({ url, headers: { range: 'bytes=0-3' } })
        expect([partAnswer.statusCode, partAnswer.rawPayload.length]).toEqual([206, 4])
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
      const foreignQuery = (await addressOf(otherFile.id)).data.url.split('?')[1] ?? ''
      for (const wrongQuery of [
        foreignQuery,
        `expires=${Number(expires) + 1}&signature=${signature}`,
        `expires=${expires}&signature=${signature.slice(0, -2)}AA`,
        `expires=${expires}&signature=`,
        `expires=${expires}`,
        `signature=${signature}`,
        `expires=${expires}&signature[]=${signature}&signature[]=${signature}`,
        `expires[$gt]=1&signature=${signature}`,
        `expires=&signature=${signature}`,
      ]) {
        expect([wrongQuery, (await uploadApp.app.inject({ url: `${file.url}?${wrongQuery}` })).statusCode]).toEqual([
          wrongQuery,
          404,
        ])
      }
      vi.useFakeTimers({ toFake: ['Date'], now: Number(expires) * 1_000 + 1 })
      try {
        expect((await uploadApp.app.inject({ url: data.url })).statusCode).toBe(404)
      } finally {
        vi.useRealTimers()
      }
    })
  })

  describe('GET /api/upload/files/:id/address', () => {
    it('returns the address of a file to its owner and staff, and 404 to everybody else', async () => {
      const [staffs, ownFile] = [await privateFile(), await uploadFile('authenticated')]
      expect((await writeRecord('POST', '/companies', company({ patent: ownFile.id }))).status).toBe(200)
      expect((await addressOf(staffs.id)).status).toBe(200)
      expect((await addressOf(staffs.id, 'authenticated')).status).toBe(404)
      const { status, data } = await addressOf(ownFile.id, 'authenticated')
      expect([status, (await uploadApp.app.inject({ url: data.url })).statusCode]).toEqual([200, 200])
      expect((await uploadApp.ask('GET', `/upload/files/${ownFile.id}/address`, 'public')).status).toBe(401)
    })

    it('returns the permanent address of a file that is not private', async () => {
      const file = await uploadFile()
      expect((await addressOf(file.id)).data).toMatchObject({ url: file.url, expiresAt: null })
      expect(file.private).toBe(false)
    })
  })

  describe('a file', () => {
    it('keeps a file private after it is unlinked', async () => {
      const file = await uploadFile()
      const { body } = await writeRecord('POST', '/companies', company({ passport: file.id }))
      expect((await writeRecord('PUT', `/companies/${body.data.id}`, { passport: null })).status).toBe(200)
      expect(await isPrivate(file.id)).toBe(true)
      expect((await uploadApp.app.inject({ url: file.url })).statusCode).toBe(404)
    })

    it('makes a file private by an upload that names the record, and by a multipart write', async () => {
      const { body } = await writeRecord('POST', '/companies', company({}))
      const ref = { ref: 'api::companies.companies', refId: String(body.data.id), field: 'passport' }
      const [byRef] = (await uploadApp.sendParts([{ bytes: png }], { texts: ref })).records
      expect(byRef).toMatchObject({ private: true })
      const { payload, headers } = await formOf([{ field: 'files.patent', bytes: png }], {
        data: JSON.stringify(company({})),
      })
      const answer = await uploadApp.app.inject({
        method: 'POST',
        url: '/api/companies?populate=patent',
        payload,
        headers: { ...headers, ...uploadApp.headersOf('admin') },
      })
      expect(answer.json()).toMatchObject({
        data: { attributes: { patent: { data: { attributes: { private: true } } } } },
      })
    })

    it('makes the original of a private file private too, and a cut of it private from the start', async () => {
      const original = await uploadFile()
      const croppedPicture = await uploadFile('admin', { original: original.id })
      expect((await writeRecord('POST', '/companies', company({ passport: croppedPicture.id }))).status).toBe(200)
      expect([await isPrivate(original.id), await isPrivate(croppedPicture.id)]).toEqual([true, true])
      expect((await uploadFile('admin', { original: croppedPicture.id })).private).toBe(true)
    })

    it('keeps a file private when its picture is replaced', async () => {
      const { id } = await privateFile()
      const replacedFile = (await uploadApp.sendParts([{ bytes: png }], { query: `?id=${id}` })).body as FileRecord
      expect(replacedFile.private).toBe(true)
      expect((await uploadApp.app.inject({ url: replacedFile.url })).statusCode).toBe(404)
    })

    it('refuses a body that makes a file both private and shown, and changes nothing', async () => {
      const [file, shownFile] = [await privateFile(), await uploadFile()]
      const newsId = await buildNews(uploadApp.database, { image: shownFile.id })
      const codes = async (answer: ReturnType<typeof writeRecord>) => {
        const { status, body } = await answer
        return [status, body.error?.code]
      }
      const privateRefusal = [400, 'validation.filePrivate']
      const shownRefusal = [400, 'validation.fileShown']
      expect(await codes(writeRecord('PUT', `/news/${newsId}`, { image: file.id }))).toEqual(privateRefusal)
      expect(await codes(writeRecord('PUT', `/news/${newsId}`, { image: file.url }))).toEqual(privateRefusal)
      expect(await codes(writeRecord('PUT', `/news/${newsId}`, { gallery: [shownFile.id, file.id] }))).toEqual(
        privateRefusal,
      )
      expect(await codes(writeRecord('PUT', `/news/${newsId}`, { content: `<p><img src="${file.url}"></p>` }))).toEqual(
        privateRefusal,
      )
      expect(await codes(writeRecord('POST', '/companies', company({ logo: file.id })))).toEqual(privateRefusal)
      expect(await codes(writeRecord('POST', '/companies', company({ passport: shownFile.id })))).toEqual(shownRefusal)
      const freshFile = await uploadFile()
      expect(
        await codes(writeRecord('POST', '/companies', company({ passport: freshFile.id, logo: freshFile.id }))),
      ).toEqual(shownRefusal)
      expect([await isPrivate(shownFile.id), await isPrivate(freshFile.id)]).toEqual([false, false])
      expect((await uploadApp.app.inject({ url: shownFile.url })).statusCode).toBe(200)
    })

    it('accepts a private file as the document of two companies, also when the whole record is sent back', async () => {
      const file = await privateFile()
      const { status, body } = await writeRecord('POST', '/companies', company({ patent: file.id }))
      expect(status).toBe(200)
      const repeatedAnswer = await writeRecord(
        'PUT',
        `/companies/${body.data.id}`,
        company({ patent: file.id, companyName: 'Agro 2' }),
      )
      expect(repeatedAnswer.status).toBe(200)
    })

    it('keeps a file linked and private after its company is restored from the trash', async () => {
      const file = await uploadFile()
      const { body } = await writeRecord('POST', '/companies', company({ passport: file.id }))
      expect((await uploadApp.ask('DELETE', `/companies/${body.data.id}`)).status).toBe(200)
      // The statement sets the data of a version that had no private files.
      await uploadApp.database.query(sql`update uploads set private = false where id = ${file.id}`)
      expect((await uploadApp.ask('POST', `/companies/${body.data.id}/restore`)).status).toBe(200)
      expect(await isPrivate(file.id)).toBe(true)
    })

    it('leaves a file that has become private out of a restored record', async () => {
      const file = await uploadFile()
      const newsId = await buildNews(uploadApp.database, { image: file.id })
      expect((await uploadApp.ask('DELETE', `/news/${newsId}`)).status).toBe(200)
      expect((await writeRecord('POST', '/companies', company({ passport: file.id }))).status).toBe(200)
      expect((await uploadApp.ask('POST', `/news/${newsId}/restore`)).status).toBe(200)
      expect((await uploadApp.ask('GET', `/news/${newsId}?populate=image`)).body).toMatchObject({
        data: { attributes: { image: { data: null } } },
      })
    })

    it('never makes a file both private and shown by two concurrent writes', async () => {
      for (let roundNumber = 0; roundNumber < 6; roundNumber += 1) {
        const file = await uploadFile()
        const parallelWrites = [
          () => writeRecord('POST', '/companies', company({ passport: file.id })),
          () => writeRecord('POST', '/news', { title: 'At once', image: file.id }),
        ]
        const answers = await Promise.all(
          (roundNumber % 2 === 0 ? parallelWrites : parallelWrites.toReversed()).map((runWrite) => runWrite()),
        )
        expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400])
      }
    })
  })
})
