/** The logo and the colours of the organisation: chosen by owners, named in the page, and in use as a file. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { type OrganisationState, palettes } from '@dala/model'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { waitUntil } from '../../testing/eventually.ts'
import { drawFilm, drawImage, type FileRecord, openUploadApp, type UploadApp } from '../../testing/upload-app.ts'

let uploadApp: UploadApp
const page = '<!doctype html>\n<html lang="ru" data-palette="blueolympic"><head></head></html>\n'
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dala-panel-'))
  writeFileSync(join(folder, 'index.html'), page)
  writeFileSync(join(folder, 'index.html.br'), brotliCompressSync(page))
  uploadApp = await openUploadApp({}, folder)
})
afterAll(() => uploadApp.app.close())

const readState = async () =>
  ((await uploadApp.ask('GET', '/organisation', 'owner')).body as { data: OrganisationState }).data
async function put(values: object) {
  const { version } = await readState()
  const request = { method: 'PUT', url: '/api/organisation', headers: uploadApp.headersOf('owner') } as const
  const answer = await uploadApp.app.inject({ ...request, payload: { data: { version, values } } })
  return { status: answer.statusCode, body: answer.json<unknown>() }
}
const change = async (values: object) => expect((await put(values)).status).toBe(200)
const logoOf = async () => (await readState()).settings.find(({ key }) => key === 'logo')?.value

async function upload(
  bytes: Buffer,
  { name = 'mark.png', role = 'admin' }: { name?: string; role?: 'admin' | 'authenticated' } = {},
) {
  const { status, records } = await uploadApp.sendParts([{ bytes, name }], { role })
  expect(status).toBe(200)
  return records[0] as FileRecord
}
const picture = (width = 300, height = 200) => drawImage(width, height).png().toBuffer()

async function readPage(encoding = 'identity') {
  const headers = { accept: 'text/html', 'accept-encoding': encoding }
  const answer = await uploadApp.app.inject({ url: '/user/login', headers })
  expect(answer.statusCode).toBe(200)
  const isBrotli = answer.headers['content-encoding'] === 'br'
  return { isBrotli, text: (isBrotli ? brotliDecompressSync(answer.rawPayload) : answer.rawPayload).toString() }
}
const usesOf = async (id: number, role: 'owner' | 'admin' = 'owner') =>
  (await uploadApp.ask('GET', `/upload/files/${id}/uses`, role)).body
const unusedIds = async () => {
  const { body } = await uploadApp.ask('GET', '/upload/library?unused=true&pagination[pageSize]=100')
  return (body as { data: FileRecord[] }).data.map(({ id }) => id)
}

beforeEach(async () => {
  const stored = (await readState()).settings.filter(({ source }) => source === 'stored').map(({ key }) => [key, null])
  if (stored.length > 0) await change(Object.fromEntries(stored) as object)
})

describe('the logo', () => {
  test('is named in the page by its smallest copy, which everybody may read and store', async () => {
    expect(await readPage()).toEqual({ isBrotli: false, text: page })
    const file = await upload(await picture())
    await change({ logo: { id: file.id } })
    const address = file.formats?.thumbnail?.url ?? ''
    expect((await readPage()).text).toBe(page.replace('<html', `<html data-logo="${address}"`))
    expect(await readPage('br')).toEqual({ isBrotli: true, text: (await readPage()).text })
    const answer = await uploadApp.app.inject({ url: address })
    expect([answer.statusCode, answer.headers]).toMatchObject([
      200,
      {
        'content-type': 'image/png',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': `default-src 'none'; sandbox`,
      },
    ])
    await change({ logo: null })
    expect(await readPage('br')).toEqual({ isBrotli: true, text: page })
  })

  test('is its own address when it has no smaller copy', async () => {
    const file = await upload(await picture(60, 40))
    await change({ logo: { id: file.id } })
    expect((await readPage()).text).toContain(` data-logo="${file.url}"`)
  })

  test('is stored and shown in the history with the name of its file, whatever name was sent', async () => {
    const [first, second] = [await upload(await picture()), await upload(await picture(), { name: 'new.png' })]
    await change({ logo: { id: first.id, name: 'forged', url: 'https://example.org/x.png' } })
    expect(await logoOf()).toEqual({ id: first.id, name: 'mark.png', url: first.url })
    await change({ logo: { id: second.id } })
    expect((await readState()).history[0]).toMatchObject({
      key: 'logo',
      before: { name: 'mark.png' },
      after: { name: 'new.png' },
    })
  })

  test.each([
    ['a file that does not exist', () => Promise.resolve(2_000_000)],
    ['an animation', async () => (await upload(await drawFilm(2).gif().toBuffer(), { name: 'film.gif' })).id],
    [
      'a private file',
      async () => {
        const { id } = await upload(await picture())
        await uploadApp.database.query(sql`update uploads set private = true where id = ${id}`)
        return id
      },
    ],
    [
      'a document',
      async () => {
        const { id } = await upload(await picture())
        await uploadApp.database.query(sql`update uploads set mime = 'application/pdf' where id = ${id}`)
        return id
      },
    ],
    [
      'a picture of more than 2 MB',
      async () => {
        const { id } = await upload(await picture())
        await uploadApp.database.query(sql`update uploads set size = 2000.01 where id = ${id}`)
        return id
      },
    ],
  ])('is refused as %s', async (_file, makeFile) => {
    const { status, body } = await put({ logo: { id: await makeFile() } })
    expect([status, body]).toMatchObject([422, { error: { details: { errors: [{ path: ['logo'] }] } } }])
    expect(await logoOf()).toBeNull()
  })

  test('is a use of its file, which owners see and others only count, and is not removed as unused', async () => {
    const { id } = await upload(await picture())
    expect(await unusedIds()).toContain(id)
    await change({ logo: { id } })
    expect(await usesOf(id)).toEqual({
      data: [{ resource: 'organisation', id: 0, field: 'logo', name: null }],
      meta: { total: 1 },
    })
    expect(await usesOf(id, 'admin')).toEqual({ data: [], meta: { total: 1 } })
    expect(await unusedIds()).not.toContain(id)
    expect((await uploadApp.ask('DELETE', `/upload/files/${id}?if_unused=true`)).status).toBe(409)
    await change({ logo: null })
    expect(await unusedIds()).toContain(id)
    expect((await uploadApp.ask('DELETE', `/upload/files/${id}?if_unused=true`)).status).toBe(200)
  })

  test('leaves the page with its file, and returns with it', async () => {
    const { id } = await upload(await picture())
    await change({ logo: { id } })
    expect((await uploadApp.ask('DELETE', `/upload/files/${id}`)).status).toBe(200)
    await waitUntil(async () => expect((await readPage()).text).toBe(page))
    const trash = await uploadApp.ask('POST', `/uploads/${id}/restore`)
    expect([trash.status, trash.body]).toMatchObject([200, {}])
    await waitUntil(async () => expect((await readPage()).text).toContain('data-logo='))
  })

  test('follows a replacement of its picture by staff, which its uploader below staff may not make', async () => {
    const { id, formats } = await upload(await picture(), { role: 'authenticated' })
    await change({ logo: { id } })
    const replace = async (role: 'admin' | 'authenticated') =>
      uploadApp.sendParts([{ bytes: await picture(400, 300) }], { query: `?id=${id}`, role })
    expect((await replace('authenticated')).status).toBe(409)
    expect((await readPage()).text).toContain(` data-logo="${formats?.thumbnail?.url}"`)
    const { records } = await replace('admin')
    await waitUntil(async () =>
      expect((await readPage()).text).toContain(` data-logo="${records[0]?.formats?.thumbnail?.url}"`),
    )
  })
})

describe('the colours', () => {
  test('are named in the page for people who have not chosen any', async () => {
    await change({ palette: 'greenmoss', colour_mode: 'light' })
    expect((await readPage()).text).toBe(page.replace('<html', '<html data-theme="light.greenmoss"'))
    await change({ palette: null })
    expect((await readPage()).text).toContain(' data-theme="light.blueolympic"')
    await change({ colour_mode: null })
    expect((await readPage()).text).toBe(page)
  })

  test('are those of the pages of shared reports', async () => {
    const sharedPage = async () => (await uploadApp.app.inject({ url: '/api/statistics/shared/unknown' })).body
    expect(await sharedPage()).toContain('<html lang="en" data-palette="blueolympic">')
    await change({ palette: 'redruby' })
    expect(await sharedPage()).toContain('<html lang="en" data-palette="redruby">')
    const style = (await uploadApp.app.inject({ url: '/api/statistics/shared/page.css' })).body
    expect(palettes.filter((palette) => !style.includes(`[data-palette='${palette}']`))).toEqual([])
  })
})
