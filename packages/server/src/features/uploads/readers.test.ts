import { resources } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { inboundLinks } from '../../db/schema.ts'
import { buildRecord, buildNews, buildUpload } from '../../testing/factories.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

/** Callers in the test that read files; the stranger is a farmer without any relation to the others. */
type Who = 'farmer' | 'stranger' | 'consultant' | 'colleague' | 'admin'
const askerNames = ['farmer', 'stranger', 'consultant', 'colleague', 'admin'] as const
const people: Partial<Record<Who, TestPerson>> = {}
const person = (personName: Who): TestPerson => {
  const foundPerson = people[personName]
  if (!foundPerson) throw new Error(personName)
  return foundPerson
}

/** Files by kind, with the callers who may read each. Names begin alike, so that one search finds all. */
const readers = {
  'own upload': ['farmer', 'admin'],
  passport: ['admin'],
  'picture of a question': ['farmer', 'consultant', 'admin'],
  'attachment of a question': ['farmer', 'consultant', 'admin'],
  'picture of a hidden company': ['admin'],
  'picture of an unread post': ['farmer', 'admin'],
  'picture of news': askerNames,
  'avatar of a consultant': askerNames,
  'uncut picture of news': ['admin'],
} satisfies Record<string, readonly Who[]>
type Kind = keyof typeof readers
const kinds = Object.keys(readers) as Kind[]
const nameOf = (kind: Kind) => `zebra ${kind}`
const ids = new Map<Kind, number>()
const idOf = (kind: Kind) => ids.get(kind) ?? 0
const company = { companyName: 'Zeb', address: 'Nukus', active: true }
const holderIds: Record<string, number> = {}

const resourceApp = startResourceApp(async (app) => {
  people.farmer = await buildPerson(app, 'authenticated')
  people.stranger = await buildPerson(app, 'authenticated')
  people.consultant = await buildConsultant(app)
  people.colleague = await buildConsultant(app)
  people.admin = await buildPerson(app, 'admin')
  const { database } = app
  const ownKinds = new Set<Kind>(['own upload', 'picture of a question', 'picture of an unread post'])
  for (const kind of kinds) {
    const draft = {
      name: nameOf(kind),
      folder: nameOf(kind),
      ...(ownKinds.has(kind) && { owner: person('farmer').id }),
    }
    ids.set(kind, await buildUpload(database, draft))
  }
  const directions = [await buildRecord(database, 'directions', { name: 'Crops' })]
  holderIds.company = await buildRecord(database, 'companies', { ...company, directions, passport: idOf('passport') })
  await buildRecord(database, 'companies', {
    ...company,
    directions,
    active: false,
    logo: idOf('picture of a hidden company'),
  })
  holderIds.question = await buildRecord(database, 'consultations', {
    question: 'Why?',
    user: person('farmer').id,
    consultant: person('consultant').id,
    image: idOf('picture of a question'),
    attachments: [idOf('attachment of a question')],
  })
  const newsPicture = idOf('picture of news')
  holderIds.news = await buildNews(database, { image: newsPicture, gallery: [newsPicture] })
  holderIds.cut = await buildUpload(database, { name: 'cut', original: idOf('uncut picture of news') })
  await buildNews(database, { image: holderIds.cut })
  holderIds.type = await buildRecord(database, 'tradingposttypes', { name: { en: 'Sale' }, code: 'selling' })
  await buildRecord(database, 'tradinposts', {
    title: 'Wheat',
    tradingposttype: holderIds.type,
    user: person('farmer').id,
    status: 'on_hold',
    mainPhoto: idOf('picture of an unread post'),
  })
  await buildRecord(database, 'users', {
    username: 'pictured',
    email: 'pictured@example.org',
    password: 'Harvest-2026',
    role: 1,
    is_consultant: true,
    avatar: idOf('avatar of a consultant'),
  })
})

/** Returns the kinds of files whose marker a text contains. */
const findKinds = (text: string) =>
  kinds.filter((kind) => text.includes(`"${nameOf(kind)}"`) || text.includes(`;${nameOf(kind)}`))
const readableKinds = (askerName: Who) => kinds.filter((kind) => (readers[kind] as readonly Who[]).includes(askerName))
const pageQuery = 'pagination[pageSize]=100'

describe.each(askerNames)('files, requested by %s', (askerName) => {
  it.each([
    ['GET /api/uploads', `/uploads?${pageQuery}&filters[name][$startsWith]=zebra`],
    ['GET /api/uploads with a search', `/uploads?${pageQuery}&_q=zebra`],
    ['GET /api/uploads with everything populated', `/uploads?${pageQuery}&filters[name][$startsWith]=zebra&populate=*`],
    ['GET /api/upload/files', '/upload/files?filters[name][$startsWith]=zebra'],
    ['GET /api/upload/library', `/upload/library?${pageQuery}&_q=zebra`],
    ['GET /api/upload/folders', '/upload/folders'],
  ])('lists in %s files that the caller owns or a readable record shows', async (_door, url) => {
    const { status, body } = await person(askerName).ask('GET', url)
    expect(status).toBe(200)
    expect(findKinds(JSON.stringify(body))).toEqual(readableKinds(askerName))
  })

  it('counts readable files in the pagination of lists', async () => {
    for (const url of [`/uploads?${pageQuery}&_q=zebra`, `/upload/library?${pageQuery}&_q=zebra`]) {
      const { body } = await person(askerName).ask('GET', url)
      expect(body).toMatchObject({ meta: { pagination: { total: readableKinds(askerName).length } } })
    }
  })

  it('finds no unreadable files by GET /api/search', async () => {
    const { body } = await person(askerName).ask('GET', '/search?q=zebra')
    expect(findKinds(JSON.stringify(body)).filter((kind) => !readableKinds(askerName).includes(kind))).toEqual([])
  })

  it('exports readable files by POST /api/export', async () => {
    const draft = {
      resource: 'uploads',
      format: 'csv',
      language: 'en',
      timeZone: 'Asia/Tashkent',
      columns: ['size', 'name'],
    }
    const answer = await resourceApp.app.inject({
      method: 'POST',
      url: '/api/export',
      headers: { authorization: `Bearer ${person(askerName).token}` },
      payload: { data: { ...draft, query: { _q: 'zebra' } } },
    })
    expect(answer.statusCode).toBe(200)
    expect(findKinds(answer.body).toSorted()).toEqual(readableKinds(askerName).toSorted())
  })

  it.each(kinds)('returns a file of the kind “%s” only to its readers, by every address of that file', async (kind) => {
    const expectedStatus = readableKinds(askerName).includes(kind) ? 200 : 404
    const id = idOf(kind)
    for (const url of [
      `/uploads/${id}`,
      `/upload/files/${id}`,
      `/upload/files/${id}/uses`,
      `/upload/files/${id}/address`,
    ]) {
      const { status } = await person(askerName).ask('GET', url)
      expect([url, status]).toEqual([url, expectedStatus])
    }
  })

  it('limits the library to own files by `mine`', async () => {
    const { body } = await person(askerName).ask('GET', `/upload/library?${pageQuery}&_q=zebra&mine=true`)
    expect(findKinds(JSON.stringify(body))).toEqual(
      askerName === 'farmer' ? ['own upload', 'picture of a question', 'picture of an unread post'] : [],
    )
  })

  it('responds to an unreadable file as to an unknown file', async () => {
    for (const path of ['/uploads/ID', '/upload/files/ID', '/upload/files/ID/uses', '/upload/files/ID/address']) {
      const missingAnswer = await person(askerName).ask('GET', path.replace('ID', '2000000'))
      for (const kind of kinds.filter((fileKind) => !readableKinds(askerName).includes(fileKind))) {
        const { status, body } = await person(askerName).ask('GET', path.replace('ID', String(idOf(kind))))
        expect([status, body]).toEqual([missingAnswer.status, missingAnswer.body])
      }
    }
  })

  it('neither removes nor changes unreadable files', async () => {
    for (const kind of kinds.filter((fileKind) => !readableKinds(askerName).includes(fileKind))) {
      const ask: TestPerson['ask'] = (...call) => person(askerName).ask(...call)
      expect((await ask('DELETE', `/upload/files/${idOf(kind)}`)).status).toBe(404)
      expect((await ask('POST', '/upload/move', { data: { ids: [idOf(kind)], folder: 'x' } })).status).toBe(404)
      expect((await ask('POST', '/upload/remove', { data: { ids: [idOf(kind)] } })).status).toBe(404)
    }
  })
})

describe('files in records below staff', () => {
  const card = resources.uploads.card ?? []

  it('populates pictures without their owner, folder, hash and original below staff', async () => {
    for (const personName of ['farmer', 'colleague'] as const) {
      const { body } = await person(personName).ask(
        'GET',
        `/news/${holderIds.news}?populate[image][populate]=*&populate[gallery]=true`,
      )
      const { attributes } = (body as { data: { attributes: Record<string, { data: unknown }> } }).data
      const picture = attributes.image?.data as { attributes: Record<string, unknown> }
      expect(picture.attributes).toMatchObject({ name: nameOf('picture of news'), url: expect.any(String) as string })
      expect(Object.keys(picture.attributes).toSorted()).toEqual([...card].toSorted())
      expect(attributes.gallery?.data).toHaveLength(1)
    }
  })

  it.each(['owner', 'sha256', 'folder', 'original', 'crop'])(
    'refuses conditions on the %s of a picture below staff',
    async (field) => {
      const value = field === 'owner' || field === 'original' ? '[id][$notNull]=true' : '[$notNull]=true'
      const { status } = await person('stranger').ask('GET', `/news?filters[image][${field}]${value}`)
      expect(status).toBe(400)
      expect((await person('stranger').ask('GET', `/news?sort=image.${field}`)).status).toBe(400)
      expect((await person('admin').ask('GET', `/news?filters[image][${field}]${value}`)).status).toBe(200)
    },
  )

  it('refuses conditions on a field that the caller may not read, as on an unknown one', async () => {
    for (const field of ['passport', 'patent']) {
      const { status } = await person('stranger').ask('GET', `/companies?filters[${field}][name][$contains]=zebra`)
      expect(status).toBe(400)
    }
    const { body } = await person('stranger').ask('GET', '/companies?populate=*')
    expect(findKinds(JSON.stringify(body))).toEqual([])
  })

  it('shows neither the owner of a file nor its original below staff', async () => {
    const { stranger, admin } = people
    expect((await stranger?.ask('GET', '/uploads?filters[owner][username][$contains]=some'))?.status).toBe(400)
    expect((await stranger?.ask('GET', '/uploads?filters[original][name][$contains]=zebra'))?.status).toBe(400)
    expect((await stranger?.ask('GET', `/upload/files/${holderIds.cut}`))?.body).toMatchObject({ original: null })
    expect((await admin?.ask('GET', `/upload/files/${holderIds.cut}`))?.body).toMatchObject({
      original: idOf('uncut picture of news'),
    })
  })
})

describe('GET /api/upload/files/:id/uses', () => {
  it('counts uses of a file that the caller may not read without naming them', async () => {
    const file = await buildUpload(resourceApp.database, { name: 'shared' })
    const newsId = await buildNews(resourceApp.database, { image: file, title: 'Cotton' })
    await buildNews(resourceApp.database, { image: file, title: 'Draft', active: false })
    await buildRecord(resourceApp.database, 'consultations', {
      question: 'Why?',
      user: person('farmer').id,
      image: file,
    })
    const { body } = await person('stranger').ask('GET', `/upload/files/${file}/uses`)
    expect(body).toEqual({
      data: [{ resource: 'news', id: newsId, field: 'image', name: 'Cotton' }],
      meta: { total: 3 },
    })
    const { body: fullBody } = await person('admin').ask('GET', `/upload/files/${file}/uses`)
    expect((fullBody as { data: unknown[] }).data).toHaveLength(3)
  })

  it('names no field with limited readers among the uses of a file', async () => {
    const { body } = await person('admin').ask('GET', `/upload/files/${idOf('passport')}/uses`)
    expect(body).toMatchObject({ data: [{ resource: 'companies', id: holderIds.company, field: 'passport' }] })
    const ownFile = await buildUpload(resourceApp.database, { owner: person('farmer').id })
    const directions = [await buildRecord(resourceApp.database, 'directions', { name: 'More crops' })]
    await buildRecord(resourceApp.database, 'companies', { ...company, directions, patent: ownFile })
    expect((await person('farmer').ask('GET', `/upload/files/${ownFile}/uses`)).body).toEqual({
      data: [],
      meta: { total: 1 },
    })
  })
})

describe('links in request bodies', () => {
  const post = (draft: object) => ({ data: { title: 'Wheat', tradingposttype: holderIds.type, ...draft } })

  it('links own and shown files of a request body, and responds to other files as to unknown ids', async () => {
    const ask: TestPerson['ask'] = (...call) => person('farmer').ask(...call)
    for (const kind of ['own upload', 'picture of news'] as const)
      expect([kind, (await ask('POST', '/tradinposts', post({ mainPhoto: idOf(kind) }))).status]).toEqual([kind, 200])
    const unknownAnswer = await ask('POST', '/tradinposts', post({ mainPhoto: 2_000_000 }))
    expect(unknownAnswer.status).toBe(400)
    for (const kind of ['passport', 'picture of a hidden company', 'uncut picture of news'] as const) {
      const refusedAnswer = await ask('POST', '/tradinposts', post({ mainPhoto: idOf(kind) }))
      expect([refusedAnswer.status, refusedAnswer.body]).toEqual([unknownAnswer.status, unknownAnswer.body])
      expect((await ask('POST', '/tradinposts', post({ images: [idOf(kind)] }))).status).toBe(400)
    }
  })

  it('links shown records of a request body, and responds to hidden records as to unknown ids', async () => {
    const ask: TestPerson['ask'] = (...call) => person('farmer').ask(...call)
    const [shownProduct, hiddenProduct] = [
      await buildRecord(resourceApp.database, 'products', { name: 'Rice', active: true }),
      await buildRecord(resourceApp.database, 'products', { name: 'Secret', active: false }),
    ]
    expect((await ask('POST', '/tradinposts', post({ product: shownProduct }))).status).toBe(200)
    const [hiddenAnswer, unknownIdAnswer] = [
      await ask('POST', '/tradinposts', post({ product: hiddenProduct })),
      await ask('POST', '/tradinposts', post({ product: 2_000_000 })),
    ]
    expect([hiddenAnswer.status, hiddenAnswer.body]).toEqual([400, unknownIdAnswer.body])
  })

  it('keeps a link when a whole record is sent back although its target was hidden since', async () => {
    const product = await buildRecord(resourceApp.database, 'products', { name: 'Barley', active: true })
    const ask: TestPerson['ask'] = (...call) => person('farmer').ask(...call)
    const { body } = await ask('POST', '/tradinposts', post({ product }))
    const { id } = (body as { data: { id: number } }).data
    await person('admin').ask('PUT', `/products/${product}`, { data: { active: false } })
    expect((await ask('PUT', `/tradinposts/${id}`, post({ product, title: 'More wheat' }))).status).toBe(200)
  })

  it('refuses files of others as the original of an upload', async () => {
    const ask: TestPerson['ask'] = (...call) => person('stranger').ask(...call)
    const ownFile = await buildUpload(resourceApp.database, { owner: person('stranger').id })
    for (const original of [idOf('own upload'), 2_000_000]) {
      const { status } = await ask('POST', `/upload?id=${ownFile}`, { fileInfo: { original } })
      expect([original, status]).toEqual([original, 400])
    }
  })

  it('lets staff link all files', async () => {
    const { status } = await person('admin').ask('POST', '/news', { data: { title: 'N', image: idOf('own upload') } })
    expect(status).toBe(200)
  })
})

it('covers every field that links to files', () => {
  const fields = inboundLinks(resources.uploads, resources).map(({ resource, field }) => `${resource.name}.${field}`)
  expect(fields).toEqual(expect.arrayContaining(['companies.passport', 'consultations.image', 'users.avatar']))
})
