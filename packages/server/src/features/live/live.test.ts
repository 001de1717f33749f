import { randomUUID } from 'node:crypto'
import { decideAccess, type RoleType } from '@dala/model'
import { sql } from '../../db/sql.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { resourceNamed } from '../../resources/attributes.ts'
import { buildRecord, buildNews, buildTag } from '../../testing/factories.ts'
import { type SocketListener, disconnectSockets, connectSocket } from '../../testing/listening.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { waitUntil } from '../../testing/eventually.ts'

let address = ''
const people: Record<string, TestPerson> = {}
const resourceApp = startResourceApp(async (app) => {
  people.admin = await buildPerson(app, 'admin')
  people.owner = await buildPerson(app, 'owner')
  people.customer = await buildPerson(app, 'authenticated')
  people.consultant = await buildConsultant(app)
  address = await app.app.listen({ port: 0, host: '127.0.0.1' })
})
const person = (name: string): TestPerson => {
  const foundPerson = people[name]
  if (!foundPerson) throw new Error(name)
  return foundPerson
}
afterEach(disconnectSockets)

interface Answer {
  data: { people: { id: number; name: string; locale: string | null }[] } | null
  error?: { status: number; code?: string }
}
interface EditorsUpdate {
  resource: string
  id: number
  people: { id: number; locale: string | null }[]
}

/** Connects a client that records the events it receives. */
async function joinRecord(userName: string) {
  const { socket, endedSignal }: SocketListener = await connectSocket(address, { token: person(userName).token })
  const changedTables = new Set<string>()
  const editors: EditorsUpdate[] = []
  socket.on('changed', ({ resources }: { resources: string[] }) => resources.forEach((name) => changedTables.add(name)))
  socket.on('editors', (update: EditorsUpdate) => editors.push(update))
  const edit = (payload: unknown): Promise<Answer> => socket.emitWithAck('editing', payload)
  const languages = () => editors.at(-1)?.people.map(({ id, locale }) => [id, locale])
  return { socket, ended: endedSignal, changed: changedTables, editors, edit, languages }
}

describe('the event changed', () => {
  it('names the resource in the event changed, after the commit', async () => {
    const ear = await joinRecord('admin')
    await buildTag(resourceApp.database)
    await waitUntil(() => expect([...ear.changed]).toContain('tags'))
  })

  it('names accounts by both of their resources in the event changed', async () => {
    const ear = await joinRecord('owner')
    await buildPerson(resourceApp, 'authenticated')
    await waitUntil(() => expect([...ear.changed]).toEqual(expect.arrayContaining(['users', 'staff'])))
  })

  it('sends the event changed to every page except the one that made the change', async () => {
    const [ownPage, otherPage, admin] = [
      await joinRecord('owner'),
      await joinRecord('owner'),
      await joinRecord('admin'),
    ]
    const change = (page: string | undefined) => {
      const body = { data: { name: { en: 'A gender' }, code: randomUUID() } }
      return person('owner').ask('POST', '/genders', body, page === undefined ? {} : { 'x-socket-id': page })
    }
    expect((await change(ownPage.socket.id)).status).toBe(200)
    await waitUntil(() =>
      expect([otherPage.changed.has('genders'), admin.changed.has('genders')]).toEqual([true, true]),
    )
    // Events of one connection arrive in the order in which they were sent.
    await buildTag(resourceApp.database)
    await waitUntil(() => expect([...ownPage.changed]).toContain('tags'))
    expect([...ownPage.changed]).not.toContain('genders')
    await Promise.all([change(ownPage.socket.id), change(undefined)])
    await waitUntil(() => expect([...ownPage.changed]).toContain('genders'))
  })

  it('sends the event changed only to users who may list the resource', async () => {
    const isShownTo = (name: string, role: RoleType) =>
      decideAccess(resourceNamed(name).access, 'list', { role, isConsultant: false }) !== false
    expect([isShownTo('news', 'authenticated'), isShownTo('pricedates', 'authenticated')]).toContain(true)
    const hiddenName = ['users', 'consultations', 'statistics', 'roles'].find(
      (name) => !isShownTo(name, 'authenticated'),
    )
    const [customer, admin] = [await joinRecord('customer'), await joinRecord('admin')]
    if (!hiddenName) throw new Error('every list is for everybody')
    await resourceApp.database.transaction(async (trx) => {
      await trx.query(sql`select 1`)
      trx.changed(hiddenName)
      trx.changed('news')
    })
    const wire = resourceNamed(hiddenName).wire
    await waitUntil(() => expect([...admin.changed]).toEqual(expect.arrayContaining(['news', wire])))
    await waitUntil(() => expect([...customer.changed]).toContain('news'))
    expect([...customer.changed]).not.toContain(wire)
  })
})

describe('the event editors', () => {
  it('sends the editors of a record to all users who have the record open, in any language, until they leave', async () => {
    const newsId = await buildNews(resourceApp.database, { locale: 'ru', title: 'Урожай' })
    const { body } = await person('admin').ask('POST', `/news/${newsId}/localizations`, {
      locale: 'kaa',
      title: 'Zúráát',
    })
    const otherLanguageId = (body as { id: number }).id
    const [admin, owner] = [await joinRecord('admin'), await joinRecord('owner')]
    expect((await admin.edit({ resource: 'news', id: newsId, locale: 'ru' })).data).toEqual({ people: [] })
    const { data } = await owner.edit({ resource: 'news', id: otherLanguageId, locale: 'kaa' })
    expect(data?.people).toMatchObject([{ id: person('admin').id, locale: 'ru' }])
    await waitUntil(() => expect(admin.languages()).toEqual([[person('owner').id, 'kaa']]))
    // Each editor of a record receives the id by which they opened the record.
    expect(admin.editors.at(-1)).toMatchObject({ resource: 'news', id: newsId })

    await owner.edit({ resource: 'news', id: otherLanguageId, locale: 'uz' })
    await waitUntil(() => expect(admin.languages()).toEqual([[person('owner').id, 'uz']]))
    owner.socket.disconnect()
    await waitUntil(() => expect(admin.languages()).toEqual([]))
  })

  it('names the edited part in the event editors if it is a short text', async () => {
    const day = await buildRecord(resourceApp.database, 'pricedates', { date: '2026-03-09' })
    const [admin, owner] = [await joinRecord('admin'), await joinRecord('owner')]
    await admin.edit({ resource: 'pricedates', id: day, part: 'retail/1/2' })
    const { data } = await owner.edit({ resource: 'pricedates', id: day, part: 'x'.repeat(65) })
    expect(data?.people).toMatchObject([{ id: person('admin').id, part: 'retail/1/2' }])
    await waitUntil(() =>
      expect(admin.editors.at(-1)?.people.map((presentEditor) => Object.keys(presentEditor))).toEqual([
        ['id', 'name', 'locale'],
      ]),
    )
  })

  it('ends the editing of a record when another record or none is opened', async () => {
    const [firstTag, secondTag] = [await buildTag(resourceApp.database), await buildTag(resourceApp.database)]
    const [admin, owner] = [await joinRecord('admin'), await joinRecord('owner')]
    await admin.edit({ resource: 'tags', id: firstTag, locale: 'en' })
    await owner.edit({ resource: 'tags', id: firstTag, locale: 'en' })
    await owner.edit({ resource: 'tags', id: secondTag, locale: 'en' })
    await waitUntil(() => expect(admin.languages()).toEqual([]))
    await owner.edit({ resource: 'tags', id: firstTag, locale: 'en' })
    await waitUntil(() => expect(admin.languages()).toHaveLength(1))
    expect((await owner.edit(null)).data).toBeNull()
    await waitUntil(() => expect(admin.languages()).toEqual([]))
  })

  it.each([
    ['a resource that is not there', { resource: 'nothing', id: 1 }, 404],
    ['a record that is not there', { resource: 'news', id: 999_999 }, 404],
    ['an id that is none', { resource: 'news', id: '1' }, 404],
    ['an id that no column holds', { resource: 'news', id: 2 ** 40 }, 404],
    ['a text', 'news', 400],
    ['a list', [], 400],
  ])('refuses the event editors for %s, and keeps the connection', async (_what, payload, status) => {
    const admin = await joinRecord('admin')
    expect((await admin.edit(payload)).error?.status).toBe(status)
    expect(admin.socket.connected).toBe(true)
  })

  it('refuses the event editors to users who may not read the record, and sends them none', async () => {
    const asker = person('admin').id
    const consultation = await buildRecord(resourceApp.database, 'consultations', {
      title: 'Leaves',
      question: 'Yellow?',
      asker,
    })
    const [admin, colleague] = [await joinRecord('admin'), await joinRecord('consultant')]
    expect((await admin.edit({ resource: 'consultations', id: consultation })).error).toBeUndefined()
    expect((await colleague.edit({ resource: 'consultations', id: consultation })).error?.status).toBe(404)
    expect((await colleague.edit({ resource: 'list-of-nothing', id: consultation })).error?.status).toBe(404)
    expect([colleague.editors, admin.languages()]).toEqual([[], []])
  })

  it('refuses the event editors to users who only read the record, and to customers of the apps', async () => {
    const newsId = await buildNews(resourceApp.database)
    const [admin, consultant, customer] = [
      await joinRecord('admin'),
      await joinRecord('consultant'),
      await joinRecord('customer'),
    ]
    expect((await admin.edit({ resource: 'news', id: newsId, locale: 'en' })).error).toBeUndefined()
    for (const reader of [consultant, customer]) {
      expect((await person('consultant').ask('GET', `/news/${newsId}`)).status).toBe(200)
      expect(await reader.edit({ resource: 'news', id: newsId, locale: 'en' })).toMatchObject({
        data: null,
        error: { status: 403 },
      })
    }
    const ownQuestion = await buildRecord(resourceApp.database, 'consultations', {
      question: 'Q',
      user: person('customer').id,
    })
    expect((await customer.edit({ resource: 'consultations', id: ownQuestion })).error?.status).toBe(403)
    expect([consultant.editors, customer.editors, admin.languages()]).toEqual([[], [], []])
  })

  it('refuses the event editors to a session that has ended since the last check', async () => {
    const otherAdmin = await buildPerson(resourceApp, 'admin')
    people.leaving = otherAdmin
    const ear = await joinRecord('leaving')
    const newsId = await buildNews(resourceApp.database)
    // The session of the test is deleted by a direct statement, so that the program does not notice it.
    await resourceApp.database.query(sql`delete from sessions where user_id = ${otherAdmin.id}`)
    ear.socket.emit('editing', { resource: 'news', id: newsId, locale: 'en' }, () => ear.changed.add('answered'))
    expect(await ear.ended).toBe('io server disconnect')
    expect([...ear.changed]).not.toContain('answered')
  })

  it('closes the connection on an unknown event', async () => {
    const admin = await joinRecord('admin')
    admin.socket.emit('writing', { resource: 'news', id: 1 })
    expect(await admin.ended).toBe('io server disconnect')
  })
})
