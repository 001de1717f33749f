import { sql } from '../../../db/sql.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawImage, formOf, openUploadApp, type UploadApp } from '../../../testing/upload-app.ts'

let uploadApp: UploadApp
let smallPicture: Buffer
let otherPicture: Buffer

beforeAll(async () => {
  uploadApp = await openUploadApp()
  smallPicture = await drawImage(20, 10).png().toBuffer()
  otherPicture = await drawImage(10, 20).png().toBuffer()
})
afterAll(() => uploadApp.app.close())

interface WrittenForm {
  data?: { id: number }
  error?: { code?: string; details: { errors?: { path: string[] }[] } }
}

async function writeForm(
  data: string | undefined,
  parts: string[],
  {
    url = '/api/news',
    key,
    picture = smallPicture,
    role = 'admin' as const,
  }: {
    url?: string
    key?: string
    picture?: Buffer
    role?: 'admin' | 'authenticated'
  } = {},
) {
  const files = parts.map((field) => ({ field, bytes: picture }))
  const form = await formOf(files, data === undefined ? {} : { data })
  const headers = {
    ...form.headers,
    ...uploadApp.headersOf(role),
    ...(key !== undefined && { 'idempotency-key': key }),
  }
  const method = /\d$/.test(url) ? 'PUT' : 'POST'
  const answer = await uploadApp.app.inject({ method, url, payload: form.payload, headers })
  return { status: answer.statusCode, body: answer.json<WrittenForm>(), text: answer.body }
}
const post = writeForm
const idsOf = async (id: number | undefined) => {
  const { body } = await uploadApp.ask('GET', `/news/${id}?populate=image,gallery`)
  const { image, gallery } = (body as { data: { attributes: Record<string, { data: unknown }> } }).data.attributes
  const ids = (value: unknown) => [value].flat().flatMap((entry) => (entry ? (entry as { id: number }).id : []))
  return [ids(image?.data), ids(gallery?.data)]
}

test('creates a record with its pictures, which replace the empty list that clients send for them', async () => {
  const { status, body } = await post('{"title":"With pictures","image":[],"gallery":[]}', [
    'files.image',
    'files.gallery',
    'files.gallery',
  ])
  expect(status).toBe(200)
  expect(await idsOf(body.data?.id)).toEqual([[expect.any(Number)], [expect.any(Number), expect.any(Number)]])
})

test('changes a record with new pictures and keeps the former pictures', async () => {
  const { body } = await post('{"title":"First"}', ['files.image', 'files.gallery'])
  const [, gallery] = await idsOf(body.data?.id)
  const changedAnswer = await writeForm('{"title":"Second"}', ['files.image'], { url: `/api/news/${body.data?.id}` })
  expect([changedAnswer.status, (await idsOf(body.data?.id))[1]]).toEqual([200, gallery])
})

test('appends new pictures of a form to the pictures that its list names', async () => {
  const [storedFile] = (await uploadApp.sendParts([{ bytes: smallPicture }])).records
  const { body } = await post(JSON.stringify({ title: 'More', gallery: [storedFile?.id], image: storedFile?.id }), [
    'files.gallery',
  ])
  expect(await idsOf(body.data?.id)).toEqual([[storedFile?.id], [storedFile?.id, expect.any(Number)]])
})

test('writes a form without files like any other body', async () => {
  expect((await post('{"title":"Without"}', [])).status).toBe(200)
})

test('ignores parts of a form that are for no picture field, and does not store them', async () => {
  const filesBefore = uploadApp.stored()
  const { status } = await post('{"title":"Ignored"}', ['files.title', 'files.bogus', 'files.constructor', 'image'])
  expect([status, uploadApp.stored()]).toEqual([200, filesBefore])
})

test.each<[what: string, data: string | undefined, parts: string[], status: number, code: string]>([
  ['a link is wrong', '{"title":"T","region":999999}', ['files.image'], 400, 'validation.relationMissing'],
  ['a field is wrong', '{"title":""}', ['files.image', 'files.gallery'], 400, 'validation.title'],
  ['there is no data', undefined, ['files.image'], 400, 'request.data-missing'],
  ['the data are no object', '[1]', ['files.image'], 400, 'request.data-missing'],
  ['the data are no JSON', '{', ['files.image'], 400, 'request.json'],
  ['the data have a forbidden key', '{"__proto__":{}}', ['files.image'], 400, 'request.forbidden-key'],
  ['one picture is two', '{"title":"Two"}', ['files.image', 'files.image'], 400, 'upload.too-many-files'],
])('stores nothing of a form when %s', async (_what, data, parts, status, code) => {
  const [files, records] = [uploadApp.stored(), (await uploadApp.ask('GET', '/upload/files')).records.length]
  const answer = await post(data, parts)
  expect([answer.status, answer.body.error?.code]).toEqual([status, code])
  expect([uploadApp.stored(), uploadApp.incomingFiles()]).toEqual([files, []])
  expect((await uploadApp.ask('GET', '/upload/files')).records.length).toBe(records)
})

test('reads no form from callers who may not write', async () => {
  const [files, answer] = [
    uploadApp.stored(),
    await writeForm('{"title":"T"}', ['files.image'], { role: 'authenticated' }),
  ]
  expect([answer.status, uploadApp.stored(), uploadApp.incomingFiles()]).toEqual([403, files, []])
})

test('refuses multipart forms for flat bodies with 415', async () => {
  expect((await writeForm('{"username":"x"}', ['files.avatar'], { url: '/api/users' })).status).toBe(415)
})

describe('with an Idempotency-Key', () => {
  test('writes a form once for one Idempotency-Key and stores no second picture', async () => {
    const firstAnswer = await writeForm('{"title":"Once"}', ['files.image'], { key: 'form-1' })
    const files = uploadApp.stored()
    const secondAnswer = await writeForm('{"title":"Once"}', ['files.image'], { key: 'form-1' })
    expect([secondAnswer.status, secondAnswer.text, uploadApp.stored()]).toEqual([200, firstAnswer.text, files])
    const [row] = await uploadApp.database.query(
      sql<{ count: number }>`select count(*)::int as count from news_texts where title = 'Once'`,
    )
    expect(row?.count).toBe(1)
  })
  test('refuses another picture under the same Idempotency-Key with 422', async () => {
    await writeForm('{"title":"A"}', ['files.image'], { key: 'form-2' })
    const files = uploadApp.stored()
    const answer = await writeForm('{"title":"A"}', ['files.image'], { key: 'form-2', picture: otherPicture })
    expect([answer.status, uploadApp.stored()]).toEqual([422, files])
  })
})
