/**
 * Tests that the edit of a public trading post stays hidden on every route until it is approved (market §9,
 * line 7).
 */
import { unzipSync, strFromU8 } from 'fflate'
import { describe, expect, it } from 'vitest'
import reports from '../../seed/data/statistics.json' with { type: 'json' }
import { buildRecord, buildUpload } from '../../testing/factories.ts'
import { buildPerson, type TestPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const people: Record<string, TestPerson> = {}
const ids: Record<string, number> = {}
/** Values of the trading post's edit, which no other record has. */
const secret = { title: 'Unseen saffron', description: 'Unseen words', price: 7_654_321, phone: '+998 90 765 43 21' }
const traces = ['Unseen', '7654321', '7 654 321', '765 43 21']

const resourceApp = startResourceApp(async (app) => {
  const { database } = app
  for (const [name, role] of [
    ['admin', 'admin'],
    ['author', 'authenticated'],
    ['reader', 'authenticated'],
  ] as const)
    people[name] = await buildPerson(app, role, { language: 'en' })
  for (const report of reports.statistics) await buildRecord(database, 'statistics', report)
  ids.type = await buildRecord(database, 'tradingposttypes', { name: { en: 'T' }, code: 'selling' })
  ids.other = await buildRecord(database, 'tradingposttypes', { name: { en: 'O' }, code: 'purchase' })
  ids.product = await buildRecord(database, 'products', { name: 'Melon' })
  ids.approved = await buildUpload(database, { owner: people.author?.id })
  ids.picture = await buildUpload(database, { owner: people.author?.id, name: 'Unseen picture' })
  const draft = { title: 'Melons', description: 'Sweet', price: 5, phone: '+998 90 000 00 00', status: 'processed' }
  const links = { tradingposttype: ids.type, product: ids.product, images: [ids.approved], user: people.author?.id }
  ids.dearer = await buildRecord(database, 'tradinposts', { ...draft, ...links, title: 'Dearer', price: 9 })
  ids.post = await buildRecord(database, 'tradinposts', { ...draft, ...links })
})
const person = (name: string): TestPerson => {
  const foundPerson = people[name]
  if (!foundPerson) throw new Error(name)
  return foundPerson
}
const id = (name: string): number => ids[name] ?? 0
const edit = () =>
  person('author').ask('PUT', `/tradinposts/${id('post')}`, {
    data: { ...secret, images: [ids.picture], mainPhoto: ids.picture, tradingposttype: ids.other },
  })

const textOf = (body: unknown) => JSON.stringify(body)
const tracesFoundIn = (text: string) => traces.filter((trace) => text.includes(trace))

describe('an edit of a public post', () => {
  const readableRoutes: [door: string, path: () => string][] = [
    ['its direct address', () => `/tradinposts/${id('post')}`],
    ['everything populated', () => `/tradinposts/${id('post')}?populate=*`],
    [
      'links populated individually',
      () =>
        `/tradinposts/${id('post')}?populate[images]=*&populate[mainPhoto]=*&populate[tradingposttype]=*&populate[product]=*`,
    ],
    ['named fields', () => `/tradinposts/${id('post')}?fields[0]=title&fields[1]=price&fields[2]=phone`],
    ['its languages', () => `/tradinposts/${id('post')}?populate=localizations`],
    ['the list', () => '/tradinposts?populate=*&locale=all'],
    ['the list of one author', () => `/tradinposts?filters[user]=${person('author').id}&populate=*`],
    ['the search over everything', () => '/search?q=Unseen'],
    ['its history', () => `/tradinposts/${id('post')}/history`],
    ['the history of its title', () => `/tradinposts/${id('post')}/history?field=title`],
    ['the history of its pictures', () => `/tradinposts/${id('post')}/history?field=images`],
    ['the uses of its product', () => `/products/${id('product')}/uses`],
    ['the edit itself', () => `/tradinposts/${id('post')}/edit`],
    ['its decisions', () => `/tradinposts/${id('post')}/decisions`],
    ['its review', () => `/tradinposts/${id('post')}/review`],
    ['its duplicates', () => `/tradinposts/${id('post')}/duplicates`],
    ['the queue', () => '/tradinposts/queue'],
    ...reports.statistics.map(({ key }): [string, () => string] => [
      `statistics of ${key}`,
      () => `/statistics/${key}`,
    ]),
    ['the trash', () => '/trash'],
    ['the list of files', () => '/upload/files'],
    ['the library of files', () => '/upload/library'],
    ['the record of its picture', () => `/upload/files/${id('picture')}`],
    ['the uses of its picture', () => `/upload/files/${id('picture')}/uses`],
  ]
  it.each(readableRoutes)('hides an edit of a public post from a reader in %s', async (_door, path) => {
    await edit()
    const { status, body } = await person('reader').ask('GET', path())
    expect(status).toBeLessThan(500)
    expect(tracesFoundIn(textOf(body))).toEqual([])
  })

  // Staff see the edit as an edit beside the trading post, but never as values of the post.
  const staffNames = new Set([
    'its direct address',
    'everything populated',
    'links populated individually',
    'named fields',
    'its languages',
    'the list',
    'the list of one author',
    'the search over everything',
    'its history',
    'the history of its title',
    'the history of its pictures',
    'the uses of its product',
    ...reports.statistics.map(({ key }) => `statistics of ${key}`),
    'the trash',
  ])
  it.each(readableRoutes.filter(([door]) => staffNames.has(door)))(
    'hides an edit of a public post from staff in %s',
    async (_door, path) => {
      await edit()
      const { status, body } = await person('admin').ask('GET', path())
      expect(status).toBe(200)
      expect(tracesFoundIn(textOf(body))).toEqual([])
    },
  )

  const listQueries = [
    '_q=Unseen',
    '_q=7654321',
    '_q=765',
    'filters[title][$containsi]=unseen',
    'filters[description][$startsWith]=Unseen',
    'filters[price]=7654321',
    'filters[price][$gt]=7000000',
    'filters[phone][$contains]=765',
  ]
  it.each([
    ...listQueries,
    ...['images', 'mainPhoto'].map((field) => `filters[${field}][name]=Unseen%20picture`),
    'filters[tradingposttype][code]=purchase',
  ])('finds no edit of a public post in a list by %s', async (question) => {
    await edit()
    for (const personName of ['reader', 'admin']) {
      const { status, body } = await person(personName).ask('GET', `/tradinposts?${question}`)
      expect([personName, status, (body as { data: object[] }).data]).toEqual([personName, 200, []])
    }
  })

  it.each(['price', 'title'])('sorts a list by the public %s of a post with an edit', async (field) => {
    await edit()
    const { body } = await person('reader').ask('GET', `/tradinposts?sort=${field}:desc`)
    const order = (body as { data: { id: number }[] }).data.map((listedPost) => listedPost.id)
    expect(order).toEqual(field === 'price' ? [id('dearer'), id('post')] : [id('post'), id('dearer')])
  })

  it.each(['csv', 'xlsx'])('exports no edit of a public post in a %s file, whoever exports it', async (format) => {
    await edit()
    for (const personName of ['reader', 'author', 'admin']) {
      const answer = await resourceApp.app.inject({
        method: 'POST',
        url: '/api/export',
        headers: { authorization: `Bearer ${person(personName).token}` },
        payload: {
          data: {
            resource: 'tradinposts',
            format,
            columns: ['title', 'description', 'price', 'phone', 'images', 'mainPhoto', 'tradingposttype'],
          },
        },
      })
      expect(answer.statusCode).toBe(200)
      const text =
        format === 'csv'
          ? answer.body
          : Object.values(unzipSync(answer.rawPayload))
              .map((filePart) => strFromU8(filePart))
              .join('\n')
      expect(text).toContain('Melons')
      expect([personName, tracesFoundIn(text)]).toEqual([personName, []])
    }
  })
})
