import type { RoleType } from '@dala/model'
import { sql } from '../db/sql.ts'
import { describe, expect, it } from 'vitest'
import { buildRole } from '../testing/factories.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../testing/people.ts'
import { startResourceApp } from '../testing/resource-app.ts'

const resourceApp = startResourceApp()
interface SingleView {
  data: { id: number; attributes: Record<string, unknown> }
}
const signedIn = ['owner', 'super-admin', 'admin', 'authenticated'] as const

const createView = async (callerRole: RoleType, draft: Record<string, unknown>) => {
  const { status, body } = await resourceApp.ask(
    'POST',
    '/list-views',
    { data: { screen: 'news', ...draft } },
    callerRole,
  )
  expect([draft, status]).toEqual([draft, 200])
  return (body as SingleView).data
}
const readers = async (id: number) => {
  const seenRoles: RoleType[] = []
  for (const role of signedIn)
    if ((await resourceApp.ask('GET', `/list-views/${id}`, undefined, role)).status === 200) seenRoles.push(role)
  return seenRoles
}
const change = async (id: number, callerRole: RoleType, data: object) =>
  (await resourceApp.ask('PUT', `/list-views/${id}`, { data }, callerRole)).status

describe('a saved view', () => {
  it('shows a saved view only to its owner until it is shared with a role, then to that and higher roles', async () => {
    const { id } = await createView('admin', { name: 'Mine', state: { search: { q: 'a' }, columns: ['title'] } })
    expect(await readers(id)).toEqual(['admin'])
    expect(await change(id, 'admin', { role: await buildRole(resourceApp.database, 'admin') })).toBe(200)
    expect(await readers(id)).toEqual(['owner', 'super-admin', 'admin'])
    expect(await change(id, 'admin', { role: await buildRole(resourceApp.database, 'authenticated') })).toBe(200)
    expect(await readers(id)).toEqual([...signedIn])
    expect(await change(id, 'admin', { role: null })).toBe(200)
    expect(await readers(id)).toEqual(['admin'])
  })
  it('lets a user share a saved view with roles up to their own, by any write', async () => {
    const [higherRole, ownRole] = [
      await buildRole(resourceApp.database, 'super-admin'),
      await buildRole(resourceApp.database, 'admin'),
    ]
    const { id } = await createView('admin', { name: 'Up to me', role: ownRole })
    const refusedAnswer = { status: 403, body: { error: { code: 'view.rank' } } }
    expect(await resourceApp.ask('PUT', `/list-views/${id}`, { data: { role: higherRole } })).toMatchObject(
      refusedAnswer,
    )
    const draft = { name: 'Above me', screen: 'news', role: higherRole }
    expect(await resourceApp.ask('POST', '/list-views', { data: draft })).toMatchObject(refusedAnswer)
    const consultant = await buildConsultant(resourceApp)
    expect(await consultant.ask('POST', '/list-views', { data: { ...draft, role: ownRole } })).toMatchObject(
      refusedAnswer,
    )
    expect(await readers(id)).toEqual(['owner', 'super-admin', 'admin'])
    expect(await resourceApp.read('/list-views?filters[name]=Above me')).toMatchObject({ data: [] })
    expect(await change(id, 'owner', { role: higherRole })).toBe(200)
  })
  it('makes a saved view the standard of a role only when staff set it', async () => {
    const role = await buildRole(resourceApp.database, 'authenticated')
    const draft = { name: 'For all', screen: 'news', role, role_standard: true }
    const consultant = await buildConsultant(resourceApp)
    const createdView = (await consultant.ask('POST', '/list-views', { data: draft })).body as SingleView
    expect(createdView.data.attributes).toMatchObject({ role_standard: false })
    await consultant.ask('PUT', `/list-views/${createdView.data.id}`, { data: { role_standard: true } })
    expect(await resourceApp.read(`/list-views/${createdView.data.id}`)).toMatchObject({
      data: { attributes: { role_standard: false } },
    })
    expect((await createView('admin', draft)).attributes).toMatchObject({ role_standard: true })
  })
  it('notifies a reader once a day of a shared view, however often it is shared again', async () => {
    const admin = await buildPerson(resourceApp, 'admin')
    const role = await buildRole(resourceApp.database, 'admin')
    const { id } = await createView('owner', { name: 'Again and again', role })
    for (const nextRole of [null, role, null, role]) expect(await change(id, 'owner', { role: nextRole })).toBe(200)
    const noticesOfView = async () =>
      ((await admin.ask('GET', '/notices')).body as { data: { address: string }[] }).data.filter(
        ({ address }) => address === `/news?view=${id}`,
      ).length
    expect(await noticesOfView()).toBe(1)
    await resourceApp.database.query(sql`update notices set created_at = created_at - interval '25 hours'`)
    for (const nextRole of [null, role]) expect(await change(id, 'owner', { role: nextRole })).toBe(200)
    expect(await noticesOfView()).toBe(2)
  })
  it('notifies staff and consultants once when a saved view is shared with them, and nobody else', async () => {
    const [customer, consultant, admin] = [
      await buildPerson(resourceApp, 'authenticated'),
      await buildConsultant(resourceApp),
      await buildPerson(resourceApp, 'admin'),
    ]
    const noticesOf = async (person: TestPerson) => {
      const { body } = await person.ask('GET', '/notices')
      return (body as { data: { kind: string; params: object; address: string }[] }).data
    }
    const { id } = await createView('owner', { name: 'Dry districts', screen: 'settings/districts' })
    expect(await noticesOf(admin)).toEqual([])
    const role = await buildRole(resourceApp.database, 'authenticated')
    expect(await change(id, 'owner', { role })).toBe(200)
    expect(await change(id, 'owner', { role, name: 'Dry districts of today' })).toBe(200)
    const notice = { kind: 'view.shared', params: { name: 'Dry districts' }, address: `/settings/districts?view=${id}` }
    expect(await noticesOf(admin)).toMatchObject([notice])
    expect(await noticesOf(consultant)).toMatchObject([notice])
    expect(await noticesOf(customer)).toEqual([])
    const ownerNotices = (await resourceApp.ask('GET', '/notices', undefined, 'owner')).body as {
      data: { address: string }[]
    }
    expect(ownerNotices.data.filter(({ address }) => address === notice.address)).toEqual([])
    expect((await resourceApp.ask('DELETE', `/list-views/${id}`, undefined, 'owner')).status).toBe(200)
  })
  it('sets the owner of a saved view to its creator, whatever a body contains', async () => {
    const { id } = await createView('authenticated', { name: 'N', owner: resourceApp.people.admin })
    expect(await readers(id)).toEqual(['authenticated'])
    expect(await change(id, 'authenticated', { owner: resourceApp.people.admin })).toBe(200)
    expect(await readers(id)).toEqual(['authenticated'])
  })
  it('lets the owner change and delete a saved view, and administrators when it is shared', async () => {
    const sharedView = await createView('owner', {
      name: 'S',
      role: await buildRole(resourceApp.database, 'authenticated'),
    })
    const ownerView = await createView('owner', { name: 'O' })
    expect(await change(sharedView.id, 'authenticated', { name: 'X' })).toBe(404)
    expect((await resourceApp.ask('DELETE', `/list-views/${sharedView.id}`, undefined, 'authenticated')).status).toBe(
      404,
    )
    expect(await change(ownerView.id, 'admin', { name: 'X' })).toBe(404)
    expect(await change(sharedView.id, 'admin', { name: 'X' })).toBe(200)
    expect((await resourceApp.ask('DELETE', `/list-views/${sharedView.id}`, undefined, 'admin')).status).toBe(200)
    expect((await resourceApp.ask('DELETE', `/list-views/${ownerView.id}`, undefined, 'owner')).status).toBe(200)
  })
  it('lets consultants share a saved view, but not customers', async () => {
    const role = await buildRole(resourceApp.database, 'authenticated')
    const [customer, consultant] = [await buildPerson(resourceApp, 'authenticated'), await buildConsultant(resourceApp)]
    for (const [viewReader, isShared] of [
      [customer, false],
      [consultant, true],
    ] as const) {
      const { body } = await viewReader.ask('POST', '/list-views', { data: { name: 'Pinned', screen: 'news', role } })
      const { id } = (body as SingleView).data
      expect((await viewReader.ask('PUT', `/list-views/${id}`, { data: { role, pinned: true } })).status).toBe(200)
      expect((await resourceApp.ask('GET', `/list-views/${id}`)).status).toBe(isShared ? 200 : 404)
    }
  })
  it('shows no saved view in the lists, counts and filters of other users', async () => {
    await createView('owner', { name: 'Secret plans' })
    for (const query of ['filters[name][$contains]=Secret', '_q=secret', 'filters[owner][username]=owner']) {
      const { body } = await resourceApp.ask('GET', `/list-views?${query}`, undefined, 'authenticated')
      expect([query, body]).toMatchObject([query, { data: [], meta: { pagination: { total: 0 } } }])
    }
  })
  it.each<[string, unknown, number]>([
    ['all its keys', { search: {}, columns: [], widths: {}, density: 'compact', mode: 'list', group: null }, 200],
    ['no value', null, 200],
    ['16 KB', { search: { q: 'a'.repeat(16_384 - '{"search":{"q":""}}'.length) } }, 200],
    ['more than 16 KB', { search: { q: 'a'.repeat(16_385 - '{"search":{"q":""}}'.length) } }, 400],
    ['more than 16 KB of long letters', { search: { q: 'ж'.repeat(8_300) } }, 400],
    ['an unknown key', { search: {}, script: 'x' }, 400],
    ['a list', [], 400],
    ['a text', 'x', 400],
    ['a number', 1, 400],
  ])('accepts or refuses %s as the state of a saved view', async (_what, state, expected) => {
    const { status, body } = await resourceApp.ask('POST', '/list-views', {
      data: { name: 'N', screen: 'news', state },
    })
    const expectedErrors = [{ path: ['state'] }]
    expect([status, body]).toMatchObject([
      expected,
      expected === 200 ? {} : { error: { details: { errors: expectedErrors } } },
    ])
  })
  it('deletes a saved view with the account of its owner', async () => {
    const { body } = await resourceApp.ask('POST', '/users', {
      username: 'leaving',
      email: 'leaving@example.org',
      password: 'Harvest-2026',
      role: await buildRole(resourceApp.database, 'authenticated'),
    })
    const { id } = body as { id: number }
    const signedAnswer = await resourceApp.app.inject({
      method: 'POST',
      url: '/api/auth/local',
      payload: { identifier: 'leaving', password: 'Harvest-2026' },
    })
    const createdAnswer = await resourceApp.app.inject({
      method: 'POST',
      url: '/api/list-views',
      headers: { authorization: `Bearer ${signedAnswer.json<{ jwt: string }>().jwt}` },
      payload: { data: { name: 'V', screen: 'news', role: await buildRole(resourceApp.database, 'authenticated') } },
    })
    const view = createdAnswer.json<SingleView>().data.id
    expect((await resourceApp.ask('DELETE', `/users/${id}`)).status).toBe(200)
    expect((await resourceApp.ask('GET', `/list-views/${view}`)).status).toBe(404)
  })
})
