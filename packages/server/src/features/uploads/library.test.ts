import { createHash } from 'node:crypto'
import { locales } from '@dala/model'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { buildRecord, buildNews, buildUpload } from '../../testing/factories.ts'
import { drawImage, type FileRecord, openUploadApp, type UploadApp } from '../../testing/upload-app.ts'

let uploadApp: UploadApp
let png: Buffer
beforeAll(async () => {
  uploadApp = await openUploadApp()
  png = await drawImage(20, 10).png().toBuffer()
})
afterAll(() => uploadApp.app.close())

type Role = 'owner' | 'admin' | 'authenticated'

async function uploadFile(
  fileDetails: object = {},
  role: Role = 'admin',
  query = '',
  bytes = png,
): Promise<FileRecord> {
  const answer = await uploadApp.sendParts([{ bytes }], {
    texts: { fileInfo: JSON.stringify(fileDetails) },
    role,
    query,
  })
  expect([answer.status, answer.body]).toEqual([200, answer.body])
  const [record] = answer.records
  if (!record) throw new Error('No record')
  return record
}
const refuseInfo = async (fileDetails: object, query = '') =>
  (
    await uploadApp.sendParts(query === '' ? [{ bytes: png }] : [], {
      texts: { fileInfo: JSON.stringify(fileDetails) },
      query,
    })
  ).status

interface Library {
  data: FileRecord[]
  meta: {
    pagination: { page: number; pageSize: number; pageCount: number; total: number }
    originals: Record<string, string>
  }
}
async function library(query: string, role: Role = 'admin'): Promise<Library> {
  const { status, body } = await uploadApp.ask('GET', `/upload/library?${query}`, role)
  expect([status, body]).toEqual([200, body])
  return body as Library
}
const idsOf = async (query: string) => (await library(`pagination[pageSize]=100&${query}`)).data.map(({ id }) => id)

async function post(url: string, data: unknown, role: Role = 'admin') {
  const headers = uploadApp.headersOf(role)
  const answer = await uploadApp.app.inject({ method: 'POST', url: `/api/upload/${url}`, headers, payload: { data } })
  return { status: answer.statusCode, body: answer.json<unknown>() }
}
const usesOf = (id: number, role: Role = 'admin') => uploadApp.ask('GET', `/upload/files/${id}/uses`, role)
const readFile = async (id: number) => (await uploadApp.ask('GET', `/upload/files/${id}`)).body as FileRecord

describe('the record of a file', () => {
  test('stores the hash of the received bytes, at an upload and at a replacement', async () => {
    const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
    const otherPicture = await drawImage(31, 17).jpeg().toBuffer()
    const { id, sha256 } = await uploadFile()
    expect(sha256).toBe(sha(png))
    expect(await idsOf(`filters[sha256][$eq]=${sha(png)}`)).toContain(id)
    const replacedAnswer = await uploadApp.sendParts([{ bytes: otherPicture }], { query: `?id=${id}` })
    expect(replacedAnswer.body).toMatchObject({ id, sha256: sha(otherPicture), width: 31 })
    const rawAnswer = await uploadApp.app.inject({
      method: 'POST',
      url: '/api/upload?name=raw.png',
      headers: { ...uploadApp.headersOf('admin'), 'content-type': 'image/png' },
      payload: png,
    })
    expect(rawAnswer.json()).toMatchObject([{ sha256: sha(png) }])
  })

  test('does not find a file by its hash with `_q`, in any list', async () => {
    const { id, sha256 } = await uploadFile()
    const hashPart = String(sha256).slice(3, 40)
    expect(await idsOf(`_q=${hashPart}`)).toEqual([])
    expect((await uploadApp.ask('GET', `/upload/files?_q=${hashPart}`)).body).toEqual([])
    expect(
      (await uploadApp.ask('GET', `/upload/files?filters[sha256]=${String(sha256)}&limit=100`)).body,
    ).toContainEqual(expect.objectContaining({ id }))
  })

  test('stores the original and the crop of a file, and clears the original once it is deleted', async () => {
    const original = await uploadFile()
    const crop = { preset: '4x3', rotate: 90, flip: { horizontal: true } }
    const croppedPicture = await uploadFile({ original: original.id, crop })
    expect(croppedPicture).toMatchObject({ original: original.id, crop })
    expect((await library(`filters[id]=${croppedPicture.id}`)).meta.originals).toEqual({
      [croppedPicture.id]: original.name,
    })
    expect((await uploadApp.ask('GET', `/upload/files?filters[id]=${croppedPicture.id}`)).body).toEqual([
      croppedPicture,
    ])
    expect((await usesOf(original.id)).body).toEqual({
      data: [{ resource: 'uploads', id: croppedPicture.id, field: 'original', name: 'field.png' }],
      meta: { total: 1 },
    })
    expect((await uploadApp.ask('DELETE', `/upload/files/${original.id}?if_unused=true`)).status).toBe(409)
    expect((await uploadApp.ask('DELETE', `/upload/files/${original.id}`)).status).toBe(200)
    expect(await readFile(croppedPicture.id)).toMatchObject({ original: null, crop })
  })

  test('drops original and crop when a picture is replaced, unless the request names them', async () => {
    const original = await uploadFile()
    const { id } = await uploadFile({ original: original.id, crop: { x: 1 } })
    expect(await uploadFile({ original: original.id, crop: { x: 2 } }, 'admin', `?id=${id}`)).toMatchObject({
      original: original.id,
      crop: { x: 2 },
    })
    expect(await uploadFile({}, 'admin', `?id=${id}`)).toMatchObject({ id, original: null, crop: null })
  })

  test.each([
    ['an unknown original', { original: 2_000_000 }],
    ['an original that is no id', { original: 'x' }],
    ['a crop of more than 2 KB', { crop: { points: 'x'.repeat(2_050) } }],
    ['a crop that is no object', { crop: 'all of it' }],
    ['a point outside the picture', { focal: { x: 1.01, y: 0 } }],
    ['a point left of the picture', { focal: { x: 0, y: -0.1 } }],
    ['half a point', { focal: { x: 0.5 } }],
    ['a point of texts', { focal: { x: '0.5', y: '0.5' } }],
    ['a list instead of a point', { focal: [0.5, 0.5] }],
    ['a point with a third coordinate', { focal: { x: 0.5, y: 0.5, z: 0 } }],
  ])('refuses %s for a file, and stores nothing', async (_what, fileDetails) => {
    const stateBefore = [uploadApp.stored(), (await library('')).meta.pagination.total]
    expect(await refuseInfo(fileDetails)).toBe(400)
    expect([uploadApp.stored(), (await library('')).meta.pagination.total]).toEqual(stateBefore)
  })

  test('refuses a file itself and its own cut as the original of that file', async () => {
    const { id } = await uploadFile()
    const croppedPicture = await uploadFile({ original: id })
    expect(await refuseInfo({ original: id }, `?id=${id}`)).toBe(400)
    expect(await refuseInfo({ original: croppedPicture.id }, `?id=${id}`)).toBe(400)
    expect(await readFile(id)).toMatchObject({ original: null })
  })
})

describe('GET /upload/library', () => {
  test('returns pages of the library with flat records, like the list of files', async () => {
    const folder = 'Pages'
    const ids = [await uploadFile({ folder }), await uploadFile({ folder }), await uploadFile({ folder })].map(
      ({ id }) => id,
    )
    const { data, meta } = await library(`filters[folder]=${folder}&pagination[page]=2&pagination[pageSize]=2&sort=id`)
    expect(meta).toEqual({ originals: {}, pagination: { page: 2, pageSize: 2, pageCount: 2, total: 3 } })
    expect(data).toEqual([await readFile(ids[2] ?? 0)])
    expect((await library(`filters[folder]=${folder}`, 'authenticated')).data).toEqual([])
    await buildNews(uploadApp.database, { gallery: ids.slice(0, 2) })
    expect((await library(`filters[folder]=${folder}`, 'authenticated')).data).toHaveLength(2)
  })

  test('searches names and alternative texts by `_q` in every language, in any alphabet', async () => {
    const namedFile = await uploadFile({ name: 'Пахта майдони.png' })
    const describedFile = await uploadFile({ alt: { kaa: 'Paxta atızı' } })
    const captionedFile = await uploadFile({ captions: { en: 'paxta' }, folder: 'paxta' })
    const foundIds = await idsOf('_q=PAXTA')
    expect(foundIds).toEqual(expect.arrayContaining([namedFile.id, describedFile.id]))
    expect(foundIds).not.toContain(captionedFile.id)
    expect(await idsOf('_q=png%25')).toEqual([])
  })

  test('filters files by type, size and shape', async () => {
    const wideFile = await uploadFile({ folder: 'Shapes' }, 'admin', '', await drawImage(900, 100).jpeg().toBuffer())
    const smallFile = await uploadFile({ folder: 'Shapes' })
    const findIds = (query: string) => idsOf(`filters[folder]=Shapes&${query}`)
    expect(await findIds('filters[mime]=image/jpeg')).toEqual([wideFile.id])
    expect(await findIds('filters[width][$gte]=900')).toEqual([wideFile.id])
    expect(await findIds(`filters[size][$lt]=${String(wideFile.size)}`)).toEqual([smallFile.id])
  })

  test('finds files without a text in a language by `missing_alt`', async () => {
    const folder = 'Alt'
    const silentFile = await uploadFile({ folder })
    const english = await uploadFile({ folder, alternativeText: 'A field' })
    const blankAltFile = await uploadFile({ folder, alt: { ru: '  ', kaa: 'Atız' } })
    const describedFile = await uploadFile({ folder, alt: 'Dala' })
    const findMissingAlt = (locale: string) => idsOf(`filters[folder]=${folder}&missing_alt=${locale}&sort=id`)
    expect(await findMissingAlt('en')).toEqual([silentFile.id, blankAltFile.id])
    expect(await findMissingAlt('ru')).toEqual([silentFile.id, english.id, blankAltFile.id])
    expect(await findMissingAlt('kaa')).toEqual([silentFile.id, english.id])
    expect(await findMissingAlt('uz')).not.toContain(describedFile.id)
  })

  test.each(['unused=maybe', 'missing_alt=fr', 'filters[nothing]=1', 'sort=id:up', 'pagination[page]=x'])(
    'refuses the query %s of the library',
    async (query) => {
      expect((await uploadApp.ask('GET', `/upload/library?${query}`)).status).toBe(400)
    },
  )

  test('finds by `unused` the same files as a recount over random links', async () => {
    let state = 20_261_122
    const drawNumber = (upperBound: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 2 ** 32) * upperBound)
    }
    const files: number[] = []
    for (let count = 0; count < 24; count += 1) files.push(await buildUpload(uploadApp.database, { folder: 'Random' }))
    const drawFile = () => files[drawNumber(files.length)] ?? 0
    for (let roundNumber = 0; roundNumber < 6; roundNumber += 1) {
      const language = locales[drawNumber(4)] ?? 'en'
      await buildNews(
        uploadApp.database,
        { image: drawFile(), gallery: [...new Set([drawFile(), drawFile()])] },
        language,
      )
      if (roundNumber % 2 === 0) await buildRecord(uploadApp.database, 'sliders', { image: drawFile() })
      const croppedPicture = await uploadFile({ folder: 'Random', original: drawFile() })
      files.push(croppedPicture.id)
      const countedFiles = await Promise.all(
        files.map(async (id) => ({ id, total: ((await usesOf(id)).body as { meta: { total: number } }).meta.total })),
      )
      const freeIds = countedFiles.filter(({ total }) => total === 0).map(({ id }) => id)
      const { data, meta } = await library('unused=true&filters[folder]=Random&sort=id&pagination[pageSize]=100')
      expect(data.map(({ id }) => id)).toEqual(freeIds)
      expect(meta.pagination.total).toBe(freeIds.length)
    }
    expect(await idsOf('unused=false&filters[folder]=Random')).toHaveLength(files.length)
  })
})

test('counts the files of the caller, with the most that they may have', async () => {
  const usedBytes = async (role: Role) => {
    const { body } = await uploadApp.ask('GET', '/upload/usage', role)
    return (body as { data: Record<string, { used: number; most: number }> }).data
  }
  const bytesBefore = await usedBytes('authenticated')
  await uploadFile({}, 'authenticated')
  const video = { owner: uploadApp.people.authenticated, ext: '.mp4', mime: 'video/mp4', size: 2_000 }
  await buildUpload(uploadApp.database, video)
  await uploadFile({}, 'owner')
  const bytesAfter = await usedBytes('authenticated')
  expect(bytesAfter.files).toEqual({ used: (bytesBefore.files?.used ?? 0) + 2, most: 5_000 })
  expect(bytesAfter.video_bytes).toEqual({
    used: (bytesBefore.video_bytes?.used ?? 0) + 2_000_000,
    most: 51_200 * 1_048_576,
  })
  expect(bytesAfter.bytes?.most).toBe(500 * 1_048_576)
  expect(bytesAfter.bytes?.used).toBeGreaterThan(bytesBefore.bytes?.used ?? 0)
})

describe('GET /upload/folders', () => {
  test('lists normalised folders with their counts, files without a folder first', async () => {
    for (const folder of [' Market / Cotton ', 'Market/Cotton/', 'Market', 'Ёлки', 'Egat', '/ /'])
      await uploadFile({ folder })
    const { body } = await uploadApp.ask('GET', '/upload/folders')
    const { data } = body as { data: { folder: string | null; count: number }[] }
    expect(data[0]).toEqual({
      folder: null,
      count: (await library('filters[folder][$null]=true')).meta.pagination.total,
    })
    const ownFolders = data.filter(({ folder }) => /Market|Ёлки|Egat/.test(folder ?? ''))
    expect(ownFolders).toHaveLength(4)
    expect(ownFolders).toEqual(
      expect.arrayContaining([
        { folder: 'Market', count: 1 },
        { folder: 'Market/Cotton', count: 2 },
      ]),
    )
  })
})

describe('GET /upload/files/:id/uses', () => {
  test('lists the uses of a file that the caller may read, in the caller’s language, and counts all', async () => {
    const { id } = await uploadFile()
    const newsId = await buildNews(uploadApp.database, { image: id, title: 'Cotton' })
    const slider = await buildRecord(uploadApp.database, 'sliders', { image: id, title: 'Hello' })
    const { body } = await usesOf(id)
    expect(body).toMatchObject({ meta: { total: 2 } })
    expect((body as { data: unknown[] }).data).toEqual(
      expect.arrayContaining([
        { resource: 'news', id: newsId, field: 'image', name: 'Cotton' },
        expect.objectContaining({ resource: 'sliders', id: slider, field: 'image' }),
      ]),
    )
  })

  test('lists a hundred uses of a file and their total', async () => {
    const { id } = await uploadFile()
    for (let count = 0; count < 101; count += 1) await buildUpload(uploadApp.database, { original: id })
    const { body } = await usesOf(id)
    const { data, meta } = body as { data: unknown[]; meta: { total: number } }
    expect([data.length, meta.total]).toEqual([100, 101])
  })

  test('returns no uses of an unused file and 404 for an unknown one', async () => {
    expect((await usesOf((await uploadFile()).id)).body).toEqual({ data: [], meta: { total: 0 } })
    expect((await usesOf(2_000_000)).status).toBe(404)
    expect((await uploadApp.ask('GET', '/upload/files/x/uses')).status).toBe(404)
  })

  test('runs one statement for each read of the library', async () => {
    const { id } = await uploadFile()
    for (const path of [
      `/upload/files/${id}/uses`,
      '/upload/library?unused=true&_q=x&missing_alt=uz',
      '/upload/folders',
    ]) {
      await uploadApp.ask('GET', path)
      const seenNames: string[] = []
      const end = uploadApp.database.onStatement((sql) => seenNames.push(sql))
      await uploadApp.ask('GET', path)
      end()
      expect(seenNames.filter((sql) => /"uploads"/.test(sql))).toHaveLength(1)
    }
  })
})

describe('POST /upload/move', () => {
  let files: number[]
  beforeEach(async () => {
    files = [(await uploadFile({ folder: 'Old' })).id, (await uploadFile({ folder: 'Old' })).id]
  })
  const foldersOf = () => Promise.all(files.map(async (id) => (await readFile(id)).folder))

  it('moves all files into a folder, or out of it', async () => {
    expect(await post('move', { ids: files, folder: ' New / Year ' })).toEqual({
      status: 200,
      body: { data: { moved: files } },
    })
    expect(await foldersOf()).toEqual(['New/Year', 'New/Year'])
    expect((await post('move', { ids: files, folder: null })).status).toBe(200)
    expect(await foldersOf()).toEqual([null, null])
  })

  it('moves no files when a file is unknown or belongs to somebody else', async () => {
    expect((await post('move', { ids: [...files, 2_000_000], folder: 'New' })).status).toBe(404)
    const ownFile = await uploadFile({}, 'authenticated')
    expect((await post('move', { ids: [ownFile.id, ...files], folder: 'New' }, 'authenticated')).status).toBe(404)
    await buildNews(uploadApp.database, { gallery: files })
    expect((await post('move', { ids: [ownFile.id, ...files], folder: 'New' }, 'authenticated')).status).toBe(403)
    expect(await foldersOf()).toEqual(['Old', 'Old'])
    expect(await readFile(ownFile.id)).toMatchObject({ folder: null })
    expect((await post('move', { ids: [ownFile.id], folder: 'New' }, 'authenticated')).status).toBe(200)
  })

  it.each([
    ['no ids', { folder: 'New' }],
    ['an empty list', { ids: [], folder: 'New' }],
    ['texts instead of ids', { ids: ['x'], folder: 'New' }],
    ['101 ids', { ids: Array.from({ length: 101 }, (_, index) => index + 1), folder: 'New' }],
    ['no folder', { ids: [1] }],
    ['a folder that is no text', { ids: [1], folder: 7 }],
    ['a folder of 256 letters', { ids: [1], folder: 'x'.repeat(256) }],
  ])('refuses to move files with %s', async (_what, data) => {
    expect((await post('move', data)).status).toBe(422)
  })
})

describe('POST /upload/remove', () => {
  it('removes the unused files of a request and lists the used files with their uses', async () => {
    const [freeFile, usedFile] = [await uploadFile(), await uploadFile({ name: 'used.png' })]
    const newsId = await buildNews(uploadApp.database, { gallery: [usedFile.id], title: 'Harvest' })
    expect(await post('remove', { ids: [usedFile.id, freeFile.id, freeFile.id] })).toEqual({
      status: 200,
      body: {
        data: {
          removed: [freeFile.id],
          refused: [
            {
              id: usedFile.id,
              name: 'used.png',
              uses: [{ resource: 'news', id: newsId, field: 'gallery', name: 'Harvest' }],
            },
          ],
        },
      },
    })
    expect((await uploadApp.ask('GET', `/upload/files/${freeFile.id}`)).status).toBe(404)
    expect((await uploadApp.app.inject({ url: freeFile.url })).statusCode).toBe(404)
    expect((await uploadApp.app.inject({ url: usedFile.url })).statusCode).toBe(200)
  })

  it('removes an original together with its cuts, and keeps an original whose cuts stay', async () => {
    const original = await uploadFile()
    const croppedPicture = await uploadFile({ original: original.id })
    const repeatedCut = await uploadFile({ original: croppedPicture.id })
    expect(await post('remove', { ids: [original.id, croppedPicture.id] })).toMatchObject({
      body: { data: { removed: [], refused: [{ id: original.id }, { id: croppedPicture.id }] } },
    })
    const ids = [original.id, croppedPicture.id, repeatedCut.id]
    expect(await post('remove', { ids })).toEqual({ status: 200, body: { data: { removed: ids, refused: [] } } })
  })

  it.each(['POST /upload/remove', 'DELETE ?if_unused=true'])(
    'lets %s and a concurrent link of a file never both succeed',
    async (route) => {
      for (let roundNumber = 0; roundNumber < 8; roundNumber += 1) {
        const { id } = await uploadFile()
        const removeFile = async () => {
          if (route.startsWith('DELETE'))
            return (await uploadApp.ask('DELETE', `/upload/files/${id}?if_unused=true`)).status === 200
          const { body } = await post('remove', { ids: [id] })
          return (body as { data: { removed: number[] } }).data.removed.length === 1
        }
        const link = () =>
          buildNews(uploadApp.database, { image: id })
            .then(() => true)
            .catch(() => false)
        const bothAnswers = await Promise.all(roundNumber % 2 === 0 ? [removeFile(), link()] : [link(), removeFile()])
        expect(bothAnswers.filter(Boolean)).toHaveLength(1)
      }
    },
  )

  it('removes no files when a file is unknown or belongs to somebody else', async () => {
    const [staffs, ownFile] = [await uploadFile(), await uploadFile({}, 'authenticated')]
    expect((await post('remove', { ids: [staffs.id, 2_000_000] })).status).toBe(404)
    expect((await post('remove', { ids: [ownFile.id, staffs.id] }, 'authenticated')).status).toBe(404)
    await buildNews(uploadApp.database, { image: staffs.id })
    expect((await post('remove', { ids: [ownFile.id, staffs.id] }, 'authenticated')).status).toBe(403)
    for (const { id } of [staffs, ownFile]) expect((await uploadApp.ask('GET', `/upload/files/${id}`)).status).toBe(200)
    expect((await post('remove', { ids: [ownFile.id] }, 'authenticated')).status).toBe(200)
    expect((await post('remove', { ids: [] })).status).toBe(422)
  })
})

test('keeps the id of a replaced file, so that every use shows the new picture', async () => {
  const { id, url } = await uploadFile()
  const newsId = await buildNews(uploadApp.database, { image: id, gallery: [id] })
  const replacedFile = await uploadFile({}, 'admin', `?id=${id}`, await drawImage(33, 11).png().toBuffer())
  expect(replacedFile).toMatchObject({ id, width: 33 })
  expect(replacedFile.url).not.toBe(url)
  const shownFile = { id, attributes: { url: replacedFile.url, width: 33 } }
  expect((await uploadApp.ask('GET', `/news/${newsId}?populate=*`)).body).toMatchObject({
    data: { attributes: { image: { data: shownFile }, gallery: { data: [shownFile] } } },
  })
  expect((await usesOf(id)).body).toMatchObject({ meta: { total: 2 } })
})

test.each([
  ['GET', '/upload/library'],
  ['GET', '/upload/folders'],
  ['GET', '/upload/usage'],
  ['GET', '/upload/files/1/uses'],
  ['POST', '/upload/move'],
  ['POST', '/upload/remove'],
] as const)('requires a session for %s %s', async (method, url) => {
  expect((await uploadApp.ask(method, url, 'public')).status).toBe(401)
})
