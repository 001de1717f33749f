import { rmSync } from 'node:fs'
import type { PostTwin } from '@dala/model'
import type { Sharp } from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { readSettings } from '../../settings.ts'
import { build } from '../../testing/factories.ts'
import { drawn, noise, openUploadApp, type UploadApp } from '../../testing/upload-app.ts'
import { LikenessFill } from '../uploads/fill-likeness.ts'
import type { FileStorage } from '../uploads/storage/storage.ts'
import { openStorage } from '../uploads/storage/open-storage.ts'

let here: UploadApp
let type: number
beforeAll(async () => {
  here = await openUploadApp()
  type = await build(here.database, 'tradingposttypes', { name: { en: 'T' }, code: 'selling' })
})
afterAll(() => here.app.close())

const sent = async (image: Sharp) => {
  const { status, records } = await here.send([{ bytes: await image.toBuffer() }])
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
  build(here.database, 'tradinposts', { title, tradingposttype: type, images, ...draft })
const twinsOf = async (id: number) => {
  const { status, body } = await here.ask('GET', `/tradinposts/${id}/duplicates`)
  expect(status).toBe(200)
  return (body as { data: PostTwin[] }).data
}
const forget = () => here.database.query(sql`delete from tradinposts`)
/**
 * Cuts the nth scene from a noisy picture and enlarges it, so that each scene has its own light and dark
 * areas.
 */
const scene = (index: number) =>
  noise(64)
    .extract({ left: index * 16, top: index * 8, width: 12, height: 9 })
    .resize(800, 600, { kernel: 'cubic', fit: 'fill' })

describe('GET /api/tradinposts/:id/duplicates', () => {
  it('finds a resized and recompressed picture of the same scene, and none of another scene', async () => {
    await forget()
    const own = await sent(scene(0).jpeg({ quality: 95 }))
    const copies = [
      await sent(scene(0).jpeg({ quality: 45 })),
      await sent(scene(0).resize(320, 240).webp({ quality: 60 })),
      await sent(scene(0).resize(500, 375).png()),
    ]
    const others = [await sent(scene(1).jpeg()), await sent(scene(2).jpeg())]
    const similarPosts = await Promise.all(copies.map(({ id }) => post('Gurvak melons of this summer', [id])))
    for (const { id } of others) await post('Gurvak melons of this summer', [id])
    const id = await post('Gurvak melons, late', [own.id])
    const found = await twinsOf(id)
    expect(new Map(found.map((twin) => [twin.id, twin.same]))).toEqual(
      new Map(similarPosts.map((twin) => [twin, ['picture_alike']])),
    )
    expect(found.every(({ score }) => score >= 0.35 && score < 0.6)).toBe(true)
  })

  it('marks pictures of equal bytes as equal, also in different files', async () => {
    await forget()
    const bytes = scene(0).jpeg({ quality: 90 })
    const [first, again] = [await sent(bytes.clone()), await sent(bytes.clone())]
    const twin = await post('Gurvak melons of this summer', [], { mainPhoto: first.id })
    const id = await post('Gurvak melons, late', [again.id])
    expect(await twinsOf(id)).toMatchObject([{ id: twin, same: ['picture_equal'], picture: first.url, kind: null }])
  })

  it('does not match two pictures of one colour', async () => {
    await forget()
    const plain = (background: string) =>
      drawn(300, 200)
        .composite([{ input: { create: { width: 300, height: 200, channels: 3, background } } }])
        .png()
    const [green, blue] = [await sent(plain('#0a0')), await sent(plain('#00a'))]
    await post('Gurvak melons of this summer', [green.id])
    expect(await twinsOf(await post('Gurvak melons, late', [blue.id]))).toEqual([])
  })

  it('compares the pictures of a waiting edit with those of other posts', async () => {
    await forget()
    const author = here.people['authenticated']
    const [small, large] = [await sent(scene(1).resize(400, 300).jpeg()), await sent(scene(1).png())]
    await here.database.query(sql`update uploads set owner_id = ${author}::int where id = ${large.id}`)
    const twin = await post('Gurvak melons of this summer', [small.id])
    const id = await post('Gurvak melons, late', [], { user: author, status: 'processed' })
    expect(await twinsOf(id)).toEqual([])
    const edited = await here.app.inject({
      method: 'PUT',
      url: `/api/tradinposts/${id}`,
      headers: here.headersOf('authenticated'),
      payload: { data: { images: [large.id] } },
    })
    expect(edited.statusCode).toBe(200)
    expect(await twinsOf(id)).toMatchObject([{ id: twin, same: ['picture_alike'] }])
  })

  it('names the kind of goods of a duplicate post without a picture', async () => {
    await forget()
    const category = await build(here.database, 'tradingpostcategories', { name: 'Livestock', kind: 'livestock' })
    const twin = await post('Gurvak melons', [], { tradingpostcategory: category })
    expect(await twinsOf(await post('Gurvak melons', []))).toMatchObject([
      { id: twin, same: ['title'], picture: null, kind: 'livestock' },
    ])
  })
})

describe('pictures that were stored without a hash', () => {
  const hashes = () =>
    here.database.query(sql<{ id: number; likeness: string | null }>`select id, likeness from uploads order by id`)
  const unreadable: number[] = []
  const stored = () => openStorage(readSettings({ DATA_DIR: here.dataDir }))
  const fillFrom = (storage: FileStorage) =>
    new LikenessFill(here.database, storage, (_error, id) => unreadable.push(id)).fill()
  const fill = () => fillFrom(stored())
  /** Makes a file store that fails to read the files that a test names. */
  const failing = (isBroken: (name: string) => boolean): FileStorage => {
    const storage = stored()
    const read: FileStorage['read'] = (name, range) =>
      isBroken(name) ? Promise.reject(new Error('EIO: i/o error, read')) : storage.read(name, range)
    return Object.assign(Object.create(storage) as FileStorage, { read })
  }

  it('computes a missing hash of a picture in the background, close to the hash of an upload', async () => {
    await forget()
    const [own, small] = [await sent(scene(0).jpeg({ quality: 95 })), await sent(scene(0).resize(300, 225).jpeg())]
    const twin = await post('Gurvak melons of this summer', [small.id])
    const id = await post('Gurvak melons, late', [own.id])
    await here.database.query(sql`update uploads set likeness = null where id = any(${[own.id, small.id]}::int[])`)
    expect(await twinsOf(id)).toEqual([])
    expect([await fill(), await fill()]).toEqual([2, 0])
    expect(await twinsOf(id)).toMatchObject([{ id: twin, same: ['picture_alike'] }])
  })

  it('tries only once to hash a picture with a missing file', async () => {
    const lost = await sent(scene(0).jpeg())
    const ofLost = here.stored().filter((name) => name.includes(String(lost.hash)))
    for (const name of ofLost) rmSync(here.pathOf(name))
    await here.database.query(sql`update uploads set likeness = null where id = ${lost.id}`)
    expect([await fill(), await fill()]).toEqual([1, 0])
    expect((await hashes()).find(({ id }) => id === lost.id)?.likeness).toBe('0'.repeat(16))
  })

  it('hashes pictures behind an unreadable one, which is marked and reported once', async () => {
    const [behind, broken] = [await sent(scene(0).jpeg()), await sent(scene(1).jpeg())]
    await here.database.query(sql`update uploads set likeness = null where id = any(${[behind.id, broken.id]}::int[])`)
    unreadable.length = 0
    const isBroken = (name: string) => name.includes(String(broken.hash))
    expect([await fillFrom(failing(isBroken)), await fillFrom(failing(isBroken))]).toEqual([2, 0])
    expect(unreadable).toEqual([broken.id])
    const likeness = new Map((await hashes()).map((one) => [one.id, one.likeness]))
    expect(likeness.get(broken.id)).toBe('0'.repeat(16))
    expect(likeness.get(behind.id)).not.toBe('0'.repeat(16))
  })

  it('leaves pictures without a hash unchanged while the store does not answer at all', async () => {
    const waiting = await sent(scene(2).jpeg())
    await here.database.query(sql`update uploads set likeness = null where id = ${waiting.id}`)
    await expect(fillFrom(failing(() => true))).rejects.toThrow('EIO')
    expect((await hashes()).find(({ id }) => id === waiting.id)?.likeness).toBeNull()
    expect(await fill()).toBe(1)
  })

  it('hashes pictures in batches, the newest first, and hides the hashes from everybody', async () => {
    await here.database.query(sql`
      insert into uploads (name, hash, url) select 'a', 'h' || n, '/uploads/h' || n from generate_series(1, 60) n`)
    expect([await fill(), await fill(), await fill()]).toEqual([50, 10, 0])
    const { body } = await here.ask('GET', '/uploads?pagination[pageSize]=100')
    expect(JSON.stringify(body)).not.toContain('likeness')
  })
})
