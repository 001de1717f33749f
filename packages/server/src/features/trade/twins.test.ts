import { rmSync } from 'node:fs'
import type { PostTwin } from '@dala/model'
import type { Sharp } from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { readSettings } from '../../settings.ts'
import { buildRecord } from '../../testing/factories.ts'
import { drawImage, drawNoise, openUploadApp, type UploadApp } from '../../testing/upload-app.ts'
import { LikenessFill } from '../uploads/fill-likeness.ts'
import type { FileStorage } from '../uploads/storage/storage.ts'
import { openStorage } from '../uploads/storage/open-storage.ts'

let uploadApp: UploadApp
let type: number
beforeAll(async () => {
  uploadApp = await openUploadApp()
  type = await buildRecord(uploadApp.database, 'tradingposttypes', { name: { en: 'T' }, code: 'selling' })
})
afterAll(() => uploadApp.app.close())

const sendImage = async (image: Sharp) => {
  const { status, records } = await uploadApp.sendParts([{ bytes: await image.toBuffer() }])
  expect(status).toBe(200)
  const [record] = records
  if (!record) throw new Error('No record')
  return record
}
/**
 * Stores a trading post with one picture; the titles share words but are not nearly equal, so that the
 * picture decides.
 */
const post = (title: string, images: readonly number[], draft: object = {}) =>
  buildRecord(uploadApp.database, 'tradinposts', { title, tradingposttype: type, images, ...draft })
const twinsOf = async (id: number) => {
  const { status, body } = await uploadApp.ask('GET', `/tradinposts/${id}/duplicates`)
  expect(status).toBe(200)
  return (body as { data: PostTwin[] }).data
}
const forgetPosts = () => uploadApp.database.query(sql`delete from tradinposts`)
/**
 * Cuts the nth scene from a noisy picture and enlarges it, so that each scene has its own light and dark
 * areas.
 */
const scene = (index: number) =>
  drawNoise(64)
    .extract({ left: index * 16, top: index * 8, width: 12, height: 9 })
    .resize(800, 600, { kernel: 'cubic', fit: 'fill' })

describe('GET /api/tradinposts/:id/duplicates', () => {
  it('finds a resized and recompressed picture of the same scene, and none of another scene', async () => {
    await forgetPosts()
    const ownPicture = await sendImage(scene(0).jpeg({ quality: 95 }))
    const copies = [
      await sendImage(scene(0).jpeg({ quality: 45 })),
      await sendImage(scene(0).resize(320, 240).webp({ quality: 60 })),
      await sendImage(scene(0).resize(500, 375).png()),
    ]
    const otherPictures = [await sendImage(scene(1).jpeg()), await sendImage(scene(2).jpeg())]
    const similarPosts = await Promise.all(copies.map(({ id }) => post('Gurvak melons of this summer', [id])))
    for (const { id } of otherPictures) await post('Gurvak melons of this summer', [id])
    const id = await post('Gurvak melons, late', [ownPicture.id])
    const foundTwins = await twinsOf(id)
    expect(new Map(foundTwins.map((foundTwin) => [foundTwin.id, foundTwin.same]))).toEqual(
      new Map(similarPosts.map((twinId) => [twinId, ['picture_alike']])),
    )
    expect(foundTwins.every(({ score }) => score >= 0.35 && score < 0.6)).toBe(true)
  })

  it('marks pictures of equal bytes as equal, also in different files', async () => {
    await forgetPosts()
    const bytes = scene(0).jpeg({ quality: 90 })
    const [firstPicture, samePicture] = [await sendImage(bytes.clone()), await sendImage(bytes.clone())]
    const twinPost = await post('Gurvak melons of this summer', [], { mainPhoto: firstPicture.id })
    const id = await post('Gurvak melons, late', [samePicture.id])
    expect(await twinsOf(id)).toMatchObject([
      { id: twinPost, same: ['picture_equal'], picture: firstPicture.url, kind: null },
    ])
  })

  it('does not match two pictures of one colour', async () => {
    await forgetPosts()
    const plainImage = (background: string) =>
      drawImage(300, 200)
        .composite([{ input: { create: { width: 300, height: 200, channels: 3, background } } }])
        .png()
    const [green, blue] = [await sendImage(plainImage('#0a0')), await sendImage(plainImage('#00a'))]
    await post('Gurvak melons of this summer', [green.id])
    expect(await twinsOf(await post('Gurvak melons, late', [blue.id]))).toEqual([])
  })

  it('compares the pictures of a waiting edit with those of other posts', async () => {
    await forgetPosts()
    const author = uploadApp.people['authenticated']
    const [smallPicture, largePicture] = [
      await sendImage(scene(1).resize(400, 300).jpeg()),
      await sendImage(scene(1).png()),
    ]
    await uploadApp.database.query(sql`update uploads set owner_id = ${author}::int where id = ${largePicture.id}`)
    const twinPost = await post('Gurvak melons of this summer', [smallPicture.id])
    const id = await post('Gurvak melons, late', [], { user: author, status: 'processed' })
    expect(await twinsOf(id)).toEqual([])
    const editedAnswer = await uploadApp.app.inject({
      method: 'PUT',
      url: `/api/tradinposts/${id}`,
      headers: uploadApp.headersOf('authenticated'),
      payload: { data: { images: [largePicture.id] } },
    })
    expect(editedAnswer.statusCode).toBe(200)
    expect(await twinsOf(id)).toMatchObject([{ id: twinPost, same: ['picture_alike'] }])
  })

  it('names the kind of goods of a duplicate post without a picture', async () => {
    await forgetPosts()
    const category = await buildRecord(uploadApp.database, 'tradingpostcategories', {
      name: 'Livestock',
      kind: 'livestock',
    })
    const twinPost = await post('Gurvak melons', [], { tradingpostcategory: category })
    expect(await twinsOf(await post('Gurvak melons', []))).toMatchObject([
      { id: twinPost, same: ['title'], picture: null, kind: 'livestock' },
    ])
  })
})

describe('pictures that were stored without a hash', () => {
  const hashes = () =>
    uploadApp.database.query(sql<{ id: number; likeness: string | null }>`select id, likeness from uploads order by id`)
  const unreadableIds: number[] = []
  const openStoredFiles = () => openStorage(readSettings({ DATA_DIR: uploadApp.dataDir }))
  const fillFromStorage = (storage: FileStorage) =>
    new LikenessFill(uploadApp.database, storage, (_error, id) => unreadableIds.push(id)).fill()
  const fillStoredFiles = () => fillFromStorage(openStoredFiles())
  /** Makes a file store that fails to read the files that a test names. */
  const failingStorage = (isBroken: (name: string) => boolean): FileStorage => {
    const storage = openStoredFiles()
    const readFile: FileStorage['read'] = (name, range) =>
      isBroken(name) ? Promise.reject(new Error('EIO: i/o error, read')) : storage.read(name, range)
    return Object.assign(Object.create(storage) as FileStorage, { read: readFile })
  }

  it('computes a missing hash of a picture in the background, close to the hash of an upload', async () => {
    await forgetPosts()
    const [ownPicture, smallPicture] = [
      await sendImage(scene(0).jpeg({ quality: 95 })),
      await sendImage(scene(0).resize(300, 225).jpeg()),
    ]
    const twinPost = await post('Gurvak melons of this summer', [smallPicture.id])
    const id = await post('Gurvak melons, late', [ownPicture.id])
    await uploadApp.database.query(
      sql`update uploads set likeness = null where id = any(${[ownPicture.id, smallPicture.id]}::int[])`,
    )
    expect(await twinsOf(id)).toEqual([])
    expect([await fillStoredFiles(), await fillStoredFiles()]).toEqual([2, 0])
    expect(await twinsOf(id)).toMatchObject([{ id: twinPost, same: ['picture_alike'] }])
  })

  it('tries only once to hash a picture with a missing file', async () => {
    const lostPicture = await sendImage(scene(0).jpeg())
    const lostNames = uploadApp.stored().filter((name) => name.includes(String(lostPicture.hash)))
    for (const name of lostNames) rmSync(uploadApp.pathOf(name))
    await uploadApp.database.query(sql`update uploads set likeness = null where id = ${lostPicture.id}`)
    expect([await fillStoredFiles(), await fillStoredFiles()]).toEqual([1, 0])
    expect((await hashes()).find(({ id }) => id === lostPicture.id)?.likeness).toBe('0'.repeat(16))
  })

  it('hashes pictures behind an unreadable one, which is marked and reported once', async () => {
    const [laterFile, brokenFile] = [await sendImage(scene(0).jpeg()), await sendImage(scene(1).jpeg())]
    await uploadApp.database.query(
      sql`update uploads set likeness = null where id = any(${[laterFile.id, brokenFile.id]}::int[])`,
    )
    unreadableIds.length = 0
    const isBroken = (name: string) => name.includes(String(brokenFile.hash))
    expect([await fillFromStorage(failingStorage(isBroken)), await fillFromStorage(failingStorage(isBroken))]).toEqual([
      2, 0,
    ])
    expect(unreadableIds).toEqual([brokenFile.id])
    const likenessById = new Map((await hashes()).map((hashedFile) => [hashedFile.id, hashedFile.likeness]))
    expect(likenessById.get(brokenFile.id)).toBe('0'.repeat(16))
    expect(likenessById.get(laterFile.id)).not.toBe('0'.repeat(16))
  })

  it('leaves pictures without a hash unchanged while the store does not answer at all', async () => {
    const waitingPicture = await sendImage(scene(2).jpeg())
    await uploadApp.database.query(sql`update uploads set likeness = null where id = ${waitingPicture.id}`)
    await expect(fillFromStorage(failingStorage(() => true))).rejects.toThrow('EIO')
    expect((await hashes()).find(({ id }) => id === waitingPicture.id)?.likeness).toBeNull()
    expect(await fillStoredFiles()).toBe(1)
  })

  it('hashes pictures in batches, the newest first, and hides the hashes from everybody', async () => {
    await uploadApp.database.query(sql`
      insert into uploads (name, hash, url) select 'a', 'h' || n, '/uploads/h' || n from generate_series(1, 60) n`)
    expect([await fillStoredFiles(), await fillStoredFiles(), await fillStoredFiles()]).toEqual([50, 10, 0])
    const { body } = await uploadApp.ask('GET', '/uploads?pagination[pageSize]=100')
    expect(JSON.stringify(body)).not.toContain('likeness')
  })
})
