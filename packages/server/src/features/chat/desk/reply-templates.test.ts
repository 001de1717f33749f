import { sql } from '../../../db/sql.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { type DeskPerson, startDesk } from '../../../testing/desk.ts'

const desk = startDesk()
beforeEach(() => desk.app.database.query(sql`delete from replytemplates`))

const draft = (more: object = {}) => ({ title: 'Greeting', text: 'Hello, {{customer_name}}!', locale: 'en', ...more })
const makeTemplate = async (who: DeskPerson, more: object = {}) => {
  const { status, body } = await desk.ask(who, 'POST', '/replytemplates', draft(more))
  if (status !== 200) throw new Error(JSON.stringify(body))
  return (body.data as { id: number }).id
}
const titles = async (who: DeskPerson) => {
  const { body } = await desk.ask(who, 'GET', '/replytemplates?sort=title&locale=all')
  return (body.data as { attributes: { title: string } }[]).map(({ attributes }) => attributes.title)
}

describe('reply templates', () => {
  it('shows reply templates to their author and, when shared, to the whole desk', async () => {
    await makeTemplate('consultant', { title: 'Mine' })
    await makeTemplate('admin', { title: 'Of the admin' })
    await makeTemplate('admin', { title: 'Shared', scope: 'shared' })
    expect(await titles('consultant')).toEqual(['Mine', 'Shared'])
    expect(await titles('colleague')).toEqual(['Shared'])
    expect(await titles('admin')).toEqual(['Of the admin', 'Shared'])
    expect(await titles('owner')).toEqual(['Shared'])
  })
  it('keeps the author of a reply template, whatever a body contains, and lets no consultant share one', async () => {
    const id = await makeTemplate('consultant', { scope: 'shared', author: desk.person('admin').id })
    const { body } = await desk.ask('consultant', 'GET', `/replytemplates/${id}?populate=author`)
    expect(body.data).toMatchObject({
      attributes: { scope: 'mine', author: { data: { id: desk.person('consultant').id } } },
    })
    expect((await desk.ask('consultant', 'PUT', `/replytemplates/${id}`, { scope: 'shared' })).status).toBe(200)
    expect(await titles('colleague')).toEqual([])
  })
  it('refuses to change, delete or translate reply templates of others', async () => {
    const [own, shared] = [await makeTemplate('consultant'), await makeTemplate('admin', { scope: 'shared' })]
    const russian = { locale: 'ru', title: 'Привет', text: 'Здравствуйте!' }
    const translateTemplate = (who: DeskPerson, id: number) =>
      desk.ask(who, 'POST', `/replytemplates/${id}/localizations`, russian)
    expect((await desk.app.app.inject({ url: '/api/replytemplates' })).statusCode).toBe(401)
    for (const [who, id, status] of [
      ['consultant', shared, 404],
      ['colleague', own, 404],
      ['customer', own, 403],
      ['admin', own, 404],
    ] as const) {
      expect((await desk.ask(who, 'PUT', `/replytemplates/${id}`, { title: 'X' })).status).toBe(status)
      expect((await desk.ask(who, 'DELETE', `/replytemplates/${id}`)).status).toBe(status)
    }
    expect((await desk.ask('customer', 'GET', '/replytemplates')).status).toBe(403)
    expect((await desk.ask('customer', 'POST', '/replytemplates', draft())).status).toBe(403)
    const answer = await desk.person('consultant').ask('POST', `/replytemplates/${own}/localizations`, russian)
    expect(answer.status).toBe(200)
    expect((await translateTemplate('consultant', shared)).status).toBe(404)
    expect((await desk.ask('admin', 'PUT', `/replytemplates/${shared}`, { title: 'Better' })).status).toBe(200)
    expect((await desk.ask('consultant', 'DELETE', `/replytemplates/${own}`)).status).toBe(200)
  })
  it.each([
    [{ title: '' }, 'title'],
    [{ text: '' }, 'text'],
    [{ text: 'я'.repeat(4_001) }, 'text'],
  ])('refuses the reply template %j', async (more, field) => {
    const { status, body } = await desk.ask('consultant', 'POST', '/replytemplates', draft(more))
    expect([status, body.error]).toMatchObject([400, { details: { errors: [{ path: [field] }] } }])
  })
})

describe('notification settings of the chat', () => {
  it('lets users set only their own notifications of the chat', async () => {
    const me = desk.person('consultant').id
    const own = { chat_notify: 'none', quiet_from: '22:00', quiet_to: '07:30' }
    const { status, body } = await desk.person('consultant').ask('PUT', `/users/${me}`, own)
    expect([status, body]).toMatchObject([200, own])
    expect((await desk.person('consultant').ask('PUT', `/users/${desk.person('admin').id}`, own)).status).toBe(404)
  })
  it.each(['25:00', '7:30', '22:60', 'late'])(
    'refuses the hour %j in the notification settings of the chat',
    async (quiet_from) => {
      const me = desk.person('consultant').id
      expect(await desk.person('consultant').ask('PUT', `/users/${me}`, { quiet_from })).toMatchObject({
        status: 400,
        body: {
          error: { details: { errors: [{ path: ['quiet_from'], message: 'quiet_from must be a time like 22:00' }] } },
        },
      })
    },
  )
})
