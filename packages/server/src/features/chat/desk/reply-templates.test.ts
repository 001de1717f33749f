import { sql } from '../../../db/sql.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { type DeskPerson, startDesk } from '../../../testing/desk.ts'

const testDesk = startDesk()
beforeEach(() => testDesk.app.database.query(sql`delete from replytemplates`))

const draft = (otherFields: object = {}) => ({
  title: 'Greeting',
  text: 'Hello, {{customer_name}}!',
  locale: 'en',
  ...otherFields,
})
const makeTemplate = async (callerName: DeskPerson, otherFields: object = {}) => {
  const { status, body } = await testDesk.ask(callerName, 'POST', '/replytemplates', draft(otherFields))
  if (status !== 200) throw new Error(JSON.stringify(body))
  return (body.data as { id: number }).id
}
const titles = async (callerName: DeskPerson) => {
  const { body } = await testDesk.ask(callerName, 'GET', '/replytemplates?sort=title&locale=all')
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
    const id = await makeTemplate('consultant', { scope: 'shared', author: testDesk.person('admin').id })
    const { body } = await testDesk.ask('consultant', 'GET', `/replytemplates/${id}?populate=author`)
    expect(body.data).toMatchObject({
      attributes: { scope: 'mine', author: { data: { id: testDesk.person('consultant').id } } },
    })
    expect((await testDesk.ask('consultant', 'PUT', `/replytemplates/${id}`, { scope: 'shared' })).status).toBe(200)
    expect(await titles('colleague')).toEqual([])
  })
  it('refuses to change, delete or translate reply templates of others', async () => {
    const [ownTemplate, sharedTemplate] = [
      await makeTemplate('consultant'),
      await makeTemplate('admin', { scope: 'shared' }),
    ]
    const russian = { locale: 'ru', title: 'Привет', text: 'Здравствуйте!' }
    const translateTemplate = (callerName: DeskPerson, id: number) =>
      testDesk.ask(callerName, 'POST', `/replytemplates/${id}/localizations`, russian)
    expect((await testDesk.app.app.inject({ url: '/api/replytemplates' })).statusCode).toBe(401)
    for (const [callerName, id, status] of [
      ['consultant', sharedTemplate, 404],
      ['colleague', ownTemplate, 404],
      ['customer', ownTemplate, 403],
      ['admin', ownTemplate, 404],
    ] as const) {
      expect((await testDesk.ask(callerName, 'PUT', `/replytemplates/${id}`, { title: 'X' })).status).toBe(status)
      expect((await testDesk.ask(callerName, 'DELETE', `/replytemplates/${id}`)).status).toBe(status)
    }
    expect((await testDesk.ask('customer', 'GET', '/replytemplates')).status).toBe(403)
    expect((await testDesk.ask('customer', 'POST', '/replytemplates', draft())).status).toBe(403)
    const answer = await testDesk
      .person('consultant')
      .ask('POST', `/replytemplates/${ownTemplate}/localizations`, russian)
    expect(answer.status).toBe(200)
    expect((await translateTemplate('consultant', sharedTemplate)).status).toBe(404)
    expect((await testDesk.ask('admin', 'PUT', `/replytemplates/${sharedTemplate}`, { title: 'Better' })).status).toBe(
      200,
    )
    expect((await testDesk.ask('consultant', 'DELETE', `/replytemplates/${ownTemplate}`)).status).toBe(200)
  })
  it.each([
    [{ title: '' }, 'title'],
    [{ text: '' }, 'text'],
    [{ text: 'я'.repeat(4_001) }, 'text'],
  ])('refuses the reply template %j', async (otherFields, field) => {
    const { status, body } = await testDesk.ask('consultant', 'POST', '/replytemplates', draft(otherFields))
    expect([status, body.error]).toMatchObject([400, { details: { errors: [{ path: [field] }] } }])
  })
})

describe('notification settings of the chat', () => {
  it('lets users set only their own notifications of the chat', async () => {
    const me = testDesk.person('consultant').id
    const notificationChoices = { chat_notify: 'none', quiet_from: '22:00', quiet_to: '07:30' }
    const { status, body } = await testDesk.person('consultant').ask('PUT', `/users/${me}`, notificationChoices)
    expect([status, body]).toMatchObject([200, notificationChoices])
    expect(
      (await testDesk.person('consultant').ask('PUT', `/users/${testDesk.person('admin').id}`, notificationChoices))
        .status,
    ).toBe(404)
  })
  it.each(['25:00', '7:30', '22:60', 'late'])(
    'refuses the hour %j in the notification settings of the chat',
    async (quiet_from) => {
      const me = testDesk.person('consultant').id
      expect(await testDesk.person('consultant').ask('PUT', `/users/${me}`, { quiet_from })).toMatchObject({
        status: 400,
        body: {
          error: { details: { errors: [{ path: ['quiet_from'], message: 'quiet_from must be a time like 22:00' }] } },
        },
      })
    },
  )
})
