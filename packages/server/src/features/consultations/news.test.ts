import { sql } from '../../db/sql.ts'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DeskPerson, startDesk } from '../../testing/desk.ts'
import { disconnectSockets, connectSocket } from '../../testing/listening.ts'
import { waitUntil } from '../../testing/eventually.ts'

const testDesk = startDesk()
let address = ''
beforeAll(async () => {
  address = await testDesk.app.app.listen({ port: 0, host: '127.0.0.1' })
})
beforeEach(() => testDesk.app.database.query(sql`delete from consultations`))
afterEach(disconnectSockets)

/** Collects the events about consultations that a user receives. */
async function collectEvents(listenerName: DeskPerson): Promise<object[]> {
  const { socket } = await connectSocket(address, { token: testDesk.person(listenerName).token })
  const updates: object[] = []
  socket.on('consultation:changed', (update: object) => updates.push(update))
  return updates
}
const makeQuestion = async () => {
  const { body } = await testDesk.ask('customer', 'POST', '/consultations', { question: 'Why?' })
  return (body.data as { id: number }).id
}

describe('consultation:changed', () => {
  it('sends consultation:changed to customer, owner and staff, and to all consultants while it is free', async () => {
    const [customer, neighbour, consultant, colleague, admin] = await Promise.all(
      (['customer', 'neighbour', 'consultant', 'colleague', 'admin'] as const).map(collectEvents),
    )
    const id = await makeQuestion()
    const freshUpdate = { id, answered: false, finished: false, assignee: null, counts: null }
    const consultantId = testDesk.person('consultant').id
    await testDesk.ask('consultant', 'POST', `/consultations/${id}/assign`, { to: consultantId })
    await testDesk.ask('consultant', 'PUT', `/consultations/${id}`, { answer: '<p>So</p>' })
    await testDesk.ask('consultant', 'POST', `/consultations/${id}/finish`, {})
    const takenUpdate = { ...freshUpdate, assignee: consultantId }
    const expectedUpdates = [
      freshUpdate,
      takenUpdate,
      { ...takenUpdate, answered: true },
      { ...takenUpdate, answered: true, finished: true },
    ]
    for (const receiver of [customer, consultant, admin])
      await waitUntil(() => expect(receiver).toEqual(expectedUpdates))
    // No other user receives the consultation's event once the consultation has an owner.
    await waitUntil(() => expect(colleague).toEqual([freshUpdate, takenUpdate]))
    expect(neighbour).toEqual([])
  })
  it('sends no consultation:changed for a refused write', async () => {
    const id = await makeQuestion()
    const adminListener = await collectEvents('admin')
    expect((await testDesk.ask('customer', 'POST', `/consultations/${id}/finish`, {})).status).toBe(422)
    const nextQuestion = await makeQuestion()
    await waitUntil(() => expect(adminListener).toMatchObject([{ id: nextQuestion }]))
  })
})
