import { basename } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { drawImage, type FileRecord, drawNoise, openUploadApp, type UploadApp } from '../../testing/upload-app.ts'
import { filesOf } from './file-record.ts'

let uploadApp: UploadApp
let photo: Buffer
let record: FileRecord
beforeAll(async () => {
  uploadApp = await openUploadApp({ UPLOAD_QUOTA_MB: '2' })
  photo = await drawNoise(300).resize(600, 400).blur(2).jpeg().toBuffer()
})
afterAll(() => uploadApp.app.close())

const sendFile = async (bytes: Buffer): Promise<FileRecord> => {
  const { status, records, body } = await uploadApp.sendParts([{ bytes }])
  expect([status, body]).toEqual([200, body])
  const [sentRecord] = records
  if (!sentRecord) throw new Error('No record')
  return sentRecord
}
beforeEach(async () => {
  record = await sendFile(photo)
})

test('stores a WebP copy of each smaller copy of a picture, with fewer bytes', async () => {
  expect(Object.keys(record.formats ?? {}).sort()).toEqual(['small', 'thumbnail'])
  for (const [format, copy] of Object.entries(record.formats ?? {})) {
    const url = `/uploads/${format}_${String(record.hash)}.webp`
    expect(copy).toMatchObject({ ext: '.jpg', webp: { ext: '.webp', mime: 'image/webp', url } })
    expect(copy.webp?.size).toBeLessThan(copy.size)
    for (const address of [url, `/${basename(url)}`]) {
      const { statusCode, headers, rawPayload } = await uploadApp.app.inject({ url: address })
      expect([statusCode, headers['content-type']]).toEqual([200, 'image/webp'])
      expect(copy.webp?.size).toBe(Math.round(rawPayload.length / 10) / 100)
      const { format: kind, width, height } = await sharp(rawPayload).metadata()
      expect([kind, width, height]).toEqual(['webp', copy.width, copy.height])
    }
  }
  expect((await uploadApp.app.inject({ url: `/uploads/${String(record.hash)}.webp` })).statusCode).toBe(404)
  expect((await uploadApp.app.inject({ url: `/uploads/small_${String(record.hash)}.png` })).statusCode).toBe(404)
})

test('stores no further WebP copies of a WebP picture', async () => {
  const { formats } = await sendFile(await sharp(photo).webp().toBuffer())
  for (const copy of Object.values(formats ?? {})) expect(copy).not.toHaveProperty('webp')
  const flatFile = await sendFile(await drawImage(600, 400).png().toBuffer())
  for (const copy of Object.values(flatFile.formats ?? {}))
    expect(copy.webp === undefined || copy.webp.size <= copy.size).toBe(true)
})

test('lists all files of an upload, and keeps them while the upload is in the trash', async () => {
  expect(filesOf({ url: record.url, formats: record.formats })).toHaveLength(5)
  expect(uploadApp.stored().filter((name) => name.includes(String(record.hash)))).toHaveLength(5)
  await sendFile(await drawImage(30, 20).png().toBuffer())
  expect((await uploadApp.ask('DELETE', `/upload/files/${record.id}`)).status).toBe(200)
  expect(uploadApp.stored().filter((name) => name.includes(String(record.hash)))).toHaveLength(5)
})

test('counts every stored byte of a picture for the quota', async () => {
  const sizes = (await uploadApp.ask('GET', '/upload/files?limit=100')).records.map(
    ({ size, formats }) =>
      Number(size) + Object.values(formats ?? {}).reduce((sum, copy) => sum + copy.size + (copy.webp?.size ?? 0), 0),
  )
  const storedBytes = sizes.reduce((sum, size) => sum + size, 0) * 1_000
  const newPicture = await drawNoise(300).resize(600, 400).blur(2).jpeg().toBuffer()
  const maxBytes = 2 * 1_048_576
  const sizeOfEach = (sizes[0] ?? 0) * 1_000
  const fittingCount = Math.floor((maxBytes - storedBytes) / sizeOfEach)
  expect(fittingCount).toBeGreaterThan(0)
  for (let index = 0; index < fittingCount; index += 1) await sendFile(newPicture)
  expect(await uploadApp.sendParts([{ bytes: newPicture }])).toMatchObject({
    status: 413,
    body: { error: { code: 'upload.quota' } },
  })
})
