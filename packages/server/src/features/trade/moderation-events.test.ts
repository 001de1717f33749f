import { afterEach, beforeAll, expect, it } from 'vitest'
import { buildRecord } from '../../testing/factories.ts'
import { disconnectSockets, connectSocket } from '../../testing/listening.ts'
import { buildPerson, type TestPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { waitUntil } from '../../testing/eventually.ts'

const people: Record<string, TestPerson> = {}
let type = 0
const resourceApp = startResourceApp(async (app) => {
  for (const role of ['admin', 'authenticated'] as const) people[role] = await buildPerson(app, role)
  type = await buildRecord(app.database, 'tradingposttypes', { name: { en: 'T' }, code: 'selling' })
})
let address = ''
beforeAll(async () => {
  address = await resourceApp.app.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(disconnectSockets)

it('sends changes of the moderation queue to moderators, and to nobody else', async () => {
  const receivedEvents: Record<string, object[]> = {}
  for (const [role, person] of Object.entries(people)) {
    const events: object[] = (receivedEvents[role] = [])
    const { socket } = await connectSocket(address, { token: person.token })
    socket.on('moderation:changed', (event: object) => events.push(event))
  }
  const ask = async (role: string, method: 'POST', path: string, data: object) =>
    (await people[role]?.ask(method, path, { data }))?.body as { data: { id: number } }
  const { data } = await ask('authenticated', 'POST', '/tradinposts', { title: 'Melons', tradingposttype: type })
  const post = { id: data.id, state: 'on_hold', counts: { on_hold: 1, processed: 0, all: 1 } }
  await waitUntil(() => expect(receivedEvents['admin']).toMatchObject([post]))
  await ask('admin', 'POST', `/tradinposts/${data.id}/moderate`, { to: 'processed', version: 1 })
  await waitUntil(() =>
    expect(receivedEvents['admin']?.at(-1)).toMatchObject({
      id: data.id,
      state: 'processed',
      by: people['admin']?.id,
      counts: { on_hold: 0, processed: 1, all: 1 },
    }),
  )
  expect(receivedEvents['authenticated']).toEqual([])
})
