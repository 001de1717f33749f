import { randomUUID } from 'node:crypto'
import { decideAccess, type RoleType } from '@dala/model'
import { sql } from '../../db/sql.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { resourceNamed } from '../../resources/attributes.ts'
import { build, buildNews, buildTag } from '../../testing/factories.ts'
import { type SocketListener, disconnectAll, connectAs } from '../../testing/listening.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { eventually } from '../../testing/eventually.ts'

let address = ''
const people: Record<string, TestPerson> = {}
const here = startResourceApp(async (app) => {
  people.admin = await buildPerson(app, 'admin')
  people.owner = await buildPerson(app, 'owner')
  people.customer = await buildPerson(app, 'authenticated')
  people.consultant = await buildConsultant(app)
  address = await app.app.listen({ port: 0, host: '127.0.0.1' })
})
const person = (name: string): TestPerson => {
  const found = people[name]
  if (!found) throw new Error(name)
  return found
}
afterEach(disconnectAll)

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
async function join(who: string) {
  const { socket, ended }: SocketListener = await connectAs(address, { token: person(who).token })
  const changed = new Set<string>()
  const editors: EditorsUpdate[] = []
  socket.on('changed', ({ resources }: { resources: string[] }) => resources.forEach((name) => changed.add(name)))
  socket.on('editors', (update: EditorsUpdate) => editors.push(update))
  const edit = (payload: unknown): Promise<Answer> => socket.emitWithAck('editing', payload)
  const languages = () => editors.at(-1)?.people.map(({ id, locale }) => [id, locale])
  return { socket, ended, changed, editors, edit, languages }
}

describe('the event changed', () => {
  it('names the resource in the event changed, after the commit', async () => {
    const ear = await join('admin')
    await buildTag(here.database)
    await eventually(() => expect([...ear.changed]).toContain('tags'))
  })

  it('names accounts by both of their resources in the event changed', async () => {
    const ear = await join('owner')
    await buildPerson(here, 'authenticated')
    await eventually(() => expect([...ear.changed]).toEqual(expect.arrayContaining(['users', 'staff'])))
  })

  it('sends the event changed to every page except the one that made the change', async () => {
    const [ownPage, otherPage, admin] = [await join('owner'), await join('owner'), await join('admin')]
    const change = (page: string | undefined) => {
      const body = { data: { name: { en: 'A gender' }, code: randomUUID() } }
      return person('owner').ask('POST', '/genders', body, page === undefined ? {} : { 'x-socket-id': page })
    }
    expect((await change(ownPage.socket.id)).status).toBe(200)
    await eventually(() =>
      expect([otherPage.changed.has('genders'), admin.changed.has('genders')]).toEqual([true, true]),
    )
    // Events of one connection arrive in the order in which they were sent.
    await buildTag(here.database)
    await eventually(() => expect([...ownPage.changed]).toContain('tags'))
    expect([...ownPage.changed]).not.toContain('genders')
    await Promise.all([change(ownPage.socket.id), change(undefined)])
    await eventually(() => expect([...ownPage.changed]).toContain('genders'))
  })

  it('sends the event changed only to users who may list the resource', async () => {
    const isFor = (name: string, role: RoleType) =>
      decideAccess(resourceNamed(name).access, 'list', { role, isConsultant: false }) !== false
    expect([isFor('news', 'authenticated'), isFor('pricedates', 'authenticated')]).toContain(true)
    const hidden = ['users', 'consultations', 'statistics', 'roles'].find((name) => !isFor(name, 'authenticated'))
    const [customer, admin] = [await join('customer'), await join('admin')]
    if (!hidden) throw new Error('every list is for everybody')
    await here.database.transaction(async (trx) => {
      await trx.query(sql`select 1`)
      trx.changed(hidden)
      trx.changed('news')
    })
    const wire = resourceNamed(hidden).wire
    await eventually(() => expect([...admin.changed]).toEqual(expect.arrayContaining(['news', wire])))
    await eventually(() => expect([...customer.changed]).toContain('news'))
    expect([...customer.changed]).not.toContain(wire)
  })
})

describe('the event editors', () => {
  it('sends the editors of a record to all users who have the record open, in any language, until they leave', async () => {
    const news = await buildNews(here.database, { locale: 'ru', title: 'Урожай' })
    const { body } = await person('admin').ask('POST', `/news/${news}/localizations`, {
      locale: 'kaa',
      title: 'Zúráát',
    })
    const otherLanguageId = (body as { id: number }).id
    const [admin, owner] = [await join('admin'), await join('owner')]
    expect((await admin.edit({ resource: 'news', id: news, locale: 'ru' })).data).toEqual({ people: [] })
    const { data } = await owner.edit({ resource: 'news', id: otherLanguageId, locale: 'kaa' })
    expect(data?.people).toMatchObject([{ id: person('admin').id, locale: 'ru' }])
    await eventually(() => expect(admin.languages()).toEqual([[person('owner').id, 'kaa']]))
    // Each editor of a record receives the id by which they opened the record.
    expect(admin.editors.at(-1)).toMatchObject({ resource: 'news', id: news })

    await owner.edit({ resource: 'news', id: otherLanguageId, locale: 'uz' })
    await eventually(() => expect(admin.languages()).toEqual([[person('owner').id, 'uz']]))
    owner.socket.disconnect()
    await eventually(() => expect(admin.languages()).toEqual([]))
  })

  it('names the edited part in the event editors if it is a short text', async () => {
    const day = await build(here.database, 'pricedates', { date: '2026-03-09' })
    const [admin, owner] = [await join('admin'), await join('owner')]
    await admin.edit({ resource: 'pricedates', id: day, part: 'retail/1/2' })
    const { data } = await owner.edit({ resource: 'pricedates', id: day, part: 'x'.repeat(65) })
    expect(data?.people).toMatchObject([{ id: person('admin').id, part: 'retail/1/2' }])
    await eventually(() =>
      expect(admin.editors.at(-1)?.people.map((one) => Object.keys(one))).toEqual([['id', 'name', 'locale']]),
    )
  })

  it('ends the editing of a record when another record or none is opened', async () => {
    const [first, second] = [await buildTag(here.database), await buildTag(here.database)]
    const [admin, owner] = [await join('admin'), await join('owner')]
    await admin.edit({ resource: 'tags', id: first, locale: 'en' })
    await owner.edit({ resource: 'tags', id: first, locale: 'en' })
    await owner.edit({ resource: 'tags', id: second, locale: 'en' })
    await eventually(() => expect(admin.languages()).toEqual([]))
    await owner.edit({ resource: 'tags', id: first, locale: 'en' })
    await eventually(() => expect(admin.languages()).toHaveLength(1))
    expect((await owner.edit(null)).data).toBeNull()
    await eventually(() => expect(admin.languages()).toEqual([]))
  })

  it.each([
    ['a resource that is not there', { resource: 'nothing', id: 1 }, 404],
    ['a record that is not there', { resource: 'news', id: 999_999 }, 404],
    ['an id that is none', { resource: 'news', id: '1' }, 404],
    ['an id that no column holds', { resource: 'news', id: 2 ** 40 }, 404],
    ['a text', 'news', 400],
    ['a list', [], 400],
  ])('refuses the event editors for %s, and keeps the connection', async (_what, payload, status) => {
    const admin = await join('admin')
    expect((await admin.edit(payload)).error?.status).toBe(status)
    expect(admin.socket.connected).toBe(true)
  })

  it('refuses the event editors to users who may not read the record, and sends them none', async () => {
    const asker = person('admin').id
    const consultation = await build(here.database, 'consultations', { title: 'Leaves', question: 'Yellow?', asker })
    const [admin, colleague] = [await join('admin'), await join('consultant')]
    expect((await admin.edit({ resource: 'consultations', id: consultation })).error).toBeUndefined()
    expect((await colleague.edit({ resource: 'consultations', id: consultation })).error?.status).toBe(404)
    expect((await colleague.edit({ resource: 'list-of-nothing', id: consultation })).error?.status).toBe(404)
    expect([colleague.editors, admin.languages()]).toEqual([[], []])
  })

  it('refuses the event editors to users who only read the record, and to customers of the apps', async () => {
    const news = await buildNews(here.database)
    const [admin, consultant, customer] = [await join('admin'), await join('consultant'), await join('customer')]
    expect((await admin.edit({ resource: 'news', id: news, locale: 'en' })).error).toBeUndefined()
    for (const reader of [consultant, customer]) {
      expect((await person('consultant').ask('GET', `/news/${news}`)).status).toBe(200)
      expect(await reader.edit({ resource: 'news', id: news, locale: 'en' })).toMatchObject({
        data: null,
        error: { status: 403 },
      })
    }
    const own = await build(here.database, 'consultations', { question: 'Q', user: person('customer').id })
    expect((await customer.edit({ resource: 'consultations', id: own })).error?.status).toBe(403)
    expect([consultant.editors, customer.editors, admin.languages()]).toEqual([[], [], []])
  })

  it('refuses the event editors to a session that has ended since the last check', async () => {
    const someone = await buildPerson(here, 'admin')
    people.leaving = someone
    const ear = await join('leaving')
    const news = await buildNews(here.database)
    // The session of the test is deleted by a direct statement, so that the program does not notice it.
    await here.database.query(sql`delete from sessions where user_id = ${someone.id}`)
    ear.socket.emit('editing', { resource: 'news', id: news, locale: 'en' }, () => ear.changed.add('answered'))
    expect(await ear.ended).toBe('io server disconnect')
    expect([...ear.changed]).not.toContain('answered')
  })

  it('closes the connection on an unknown event', async () => {
    const admin = await join('admin')
    admin.socket.emit('writing', { resource: 'news', id: 1 })
    expect(await admin.ended).toBe('io server disconnect')
  })
})
