import { afterEach, beforeAll, expect, it } from 'vitest'
import type { ReportsChanged } from '@dala/model'
import { type DeskPerson, startDesk } from '../../testing/desk.ts'
import { waitUntil } from '../../testing/eventually.ts'
import { connectSocket, disconnectSockets } from '../../testing/listening.ts'

const testDesk = startDesk()
let address = ''
beforeAll(async () => {
  address = await testDesk.app.app.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(disconnectSockets)

/** Collects the events about reports that a user receives. */
async function collectEvents(personName: DeskPerson): Promise<ReportsChanged[]> {
  const { socket } = await connectSocket(address, { token: testDesk.person(personName).token })
  const events: ReportsChanged[] = []
  socket.on('statistics:changed', (event: ReportsChanged) => events.push(event))
  return events
}

const change = (table: string) =>
  testDesk.app.database.transaction((trx) => {
    trx.changed(table)
    return Promise.resolve()
  })

it('emits statistics:changed with the reports of a changed table to the desk only, and collects what follows', async () => {
  const [consultant, customer] = [await collectEvents('consultant'), await collectEvents('customer')]
  await change('products')
  await waitUntil(() => expect(consultant).toHaveLength(1))
  expect(consultant[0]?.keys).toEqual(['prices'])
  expect(Date.parse(consultant[0]?.data_through ?? '')).toBeLessThanOrEqual(Date.now())
  // Events of the next half minute are collected: a message after the second change finds one event still.
  await change('consultations')
  const answer = await testDesk.person('consultant').ask('POST', '/notices/read', { data: { all: true } })
  expect(answer.status).toBe(200)
  expect(consultant).toHaveLength(1)
  expect(customer).toEqual([])
})
