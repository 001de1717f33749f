import { afterEach, beforeAll, expect, it } from 'vitest'
import { notifyUsers } from '../../domain/delivery/notices.ts'
import { type DeskPerson, startDesk } from '../../testing/desk.ts'
import { waitUntil } from '../../testing/eventually.ts'
import { connectSocket, disconnectSockets } from '../../testing/listening.ts'

const testDesk = startDesk()
let address = ''
beforeAll(async () => {
  address = await testDesk.app.app.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(disconnectSockets)

/** Counts the events about the inbox that a user receives. */
async function countNotices(listenerName: DeskPerson): Promise<() => number> {
  const { socket } = await connectSocket(address, { token: testDesk.person(listenerName).token })
  let count = 0
  socket.on('notices:changed', () => (count += 1))
  return () => count
}

it('emits notices:changed to the user of a changed inbox only, once for a new notice and for its reading', async () => {
  const [consultant, colleague] = [await countNotices('consultant'), await countNotices('colleague')]
  const add = (recipientName: DeskPerson, key: string) =>
    testDesk.app.database.transaction((trx) =>
      notifyUsers(trx, {
        users: [testDesk.person(recipientName).id],
        kind: 'view.shared',
        params: { name: 'Mine', by: 'Somebody' },
        address: null,
        key,
      }),
    )
  await add('consultant', '1')
  await waitUntil(() => expect(consultant()).toBe(1))
  await add('consultant', '1')
  const markAllRead = () => testDesk.person('consultant').ask('POST', '/notices/read', { data: { all: true } })
  expect((await markAllRead()).status).toBe(200)
  await waitUntil(() => expect(consultant()).toBe(2))
  await markAllRead()
  await add('colleague', '1')
  await waitUntil(() => expect(colleague()).toBe(1))
  expect(consultant()).toBe(2)
})
