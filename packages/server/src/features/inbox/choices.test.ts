import { chosenKinds, noticeDeclarations } from '@dala/model'
import { expect, it } from 'vitest'
import { notifyUsers } from '../../domain/delivery/notices.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const people: TestPerson[] = []
const resourceApp = startResourceApp(async (app) => {
  people.push(await buildConsultant(app), await buildPerson(app, 'admin'))
})

interface Choices {
  data: { kinds: { kind: string; inbox: boolean; letter: string; push: boolean }[] }
}
const choices = () => resourceApp.read<Choices>('/notices/choices')
const choose = (kinds: object) => resourceApp.ask('PUT', '/notices/choices', { data: { kinds } })

it('declares each kind of notices that has a stored choice', () => {
  expect(Object.keys(noticeDeclarations)).toEqual([...chosenKinds])
})

it('returns the kinds of notices of the caller with their declared ways, and stores each choice', async () => {
  const { kinds } = (await choices()).data
  expect(kinds.map(({ kind }) => kind)).toEqual([...chosenKinds])
  expect(kinds[0]).toEqual({ kind: 'consultation.asked', inbox: true, letter: 'daily', push: false })
  expect((await choose({ 'consultation.asked': { letter: 'off' }, 'view.shared': { inbox: false } })).status).toBe(200)
  expect((await choose({ 'view.shared': { letter: 'now', push: true } })).body).toEqual(await choices())
  const now = (await choices()).data.kinds
  expect(now[0]).toEqual({ kind: 'consultation.asked', inbox: true, letter: 'off', push: false })
  expect(now.at(-1)).toEqual({ kind: 'view.shared', inbox: false, letter: 'now', push: true })
  // The choices of one account are those of no other.
  const ownerChoices = (await resourceApp.ask('GET', '/notices/choices', undefined, 'owner')).body as Choices
  expect(ownerChoices.data.kinds.at(-1)).toEqual({ kind: 'view.shared', inbox: true, letter: 'off', push: false })
})

it('offers consultants the notices of the desk, and customers no notices', async () => {
  const [consultant] = people
  const answer = await consultant?.ask('GET', '/notices/choices')
  const { data } = (answer?.body ?? { data: { kinds: [] } }) as Choices
  const ownKinds = data.kinds.map(({ kind }) => kind)
  expect(ownKinds).toContain('consultation.overdue')
  expect(ownKinds).not.toContain('day.check')
  const refusedAnswer = await consultant?.ask('PUT', '/notices/choices', {
    data: { kinds: { 'day.check': { letter: 'now' } } },
  })
  expect(refusedAnswer?.status).toBe(422)
  expect((await resourceApp.ask('GET', '/notices/choices', undefined, 'authenticated')).body).toEqual({
    data: { kinds: [] },
  })
})

it('refuses unknown kinds of notices and values, callers without a session and those who view as another role', async () => {
  for (const kinds of [{ 'of.tomorrow': { letter: 'now' } }, { 'view.shared': { letter: 'always' } }, 7])
    expect((await choose(kinds as object)).status).toBe(422)
  for (const method of ['GET', 'PUT'] as const)
    expect(
      (await resourceApp.ask(method, '/notices/choices', method === 'PUT' ? { data: {} } : undefined, 'public')).status,
    ).toBe(401)
  const viewer = people[1]
  const viewing = { 'x-view-as': 'authenticated' }
  const body = { data: { kinds: { 'view.shared': { letter: 'now' } } } }
  expect((await viewer?.ask('PUT', '/notices/choices', body, viewing))?.status).toBe(403)
})

it('filters the inbox by kind', async () => {
  const { admin = 0 } = resourceApp.people
  await resourceApp.database.transaction(async (trx) => {
    await notifyUsers(trx, { users: [admin], kind: 'desk.waiting', params: { customer: 'A' }, address: null })
    await notifyUsers(trx, {
      users: [admin],
      kind: 'import.failed',
      params: { resource: 'news', file: 'a' },
      address: null,
    })
  })
  expect(await resourceApp.read('/notices?kind=import.failed')).toMatchObject({
    data: [{ kind: 'import.failed' }],
    meta: { pagination: { total: 1 }, unread: 2 },
  })
  expect((await resourceApp.ask('GET', '/notices?kind=of.tomorrow')).status).toBe(400)
})
