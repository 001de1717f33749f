import { sql } from '../../db/sql.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { type DeskPerson, startDesk } from '../../testing/desk.ts'

const testDesk = startDesk()
beforeEach(() => testDesk.app.database.query(sql`delete from chatrooms`))

const endWait = (callerName: DeskPerson, room: number, data: object = {}) =>
  testDesk.ask(callerName, 'POST', `/chatrooms/${room}/no-reply`, data)
const setState = (callerName: DeskPerson, room: number, state: string) =>
  testDesk.ask(callerName, 'POST', `/chatrooms/${room}/state`, { state })
const count = async (table: string, room: number) => {
  const [row] = await testDesk.app.database.query(sql<{ n: number }>`
    select count(*)::int as n from ${sql.table(table)} where room_id = ${room}`)
  return row?.n
}

describe('POST /api/chatrooms/:id/no-reply', () => {
  it('ends the wait of the customer without a reply, with a line in the history', async () => {
    const room = await testDesk.room()
    await testDesk.sendMessage('customer', room, 'Thank you!')
    const { status } = await endWait('consultant', room, { reason: 'Thanks only' })
    expect(status).toBe(200)
    expect(await testDesk.row(room)).toMatchObject({
      waiting_since: null,
      warn_at: null,
      due_at: null,
      state: 'open',
      episode: 1,
      revision: 2,
    })
    expect(await count('room_replies', room)).toBe(0)
    expect(await count('desk_waits_ended', room)).toBe(1)
    const { results } = await testDesk.read<{ results: { action: string; data: object }[] }>(
      'consultant',
      `/chatrooms/${room}/history`,
    )
    expect(results.filter(({ action }) => action === 'no_reply')).toMatchObject([{ data: { reason: 'Thanks only' } }])
  })

  it('tells the desk about the end of a wait, and the customer nothing', async () => {
    const room = await testDesk.room()
    await testDesk.sendMessage('customer', room)
    await endWait('admin', room, { reason: 'Thanks only' })
    const changes = (callerName: DeskPerson) =>
      testDesk.read<{ results: { type: string; data: object }[]; rev: number }>(
        callerName,
        `/chatrooms/${room}/changes?after=1`,
      )
    expect(await changes('consultant')).toMatchObject({
      results: [{ type: 'no_reply', data: { reason: 'Thanks only' } }],
      rev: 2,
    })
    expect(await changes('customer')).toMatchObject({ results: [], rev: 1 })
  })

  it('begins a new wait with the next question', async () => {
    const room = await testDesk.room()
    await testDesk.sendMessage('customer', room)
    await endWait('consultant', room)
    await testDesk.sendMessage('customer', room)
    expect((await testDesk.row(room)).waiting_since).not.toBeNull()
    expect(await count('room_replies', room)).toBe(0)
  })

  it('changes nothing in a room where nobody waits', async () => {
    const room = await testDesk.room()
    await testDesk.sendMessage('customer', room)
    await testDesk.sendMessage('consultant', room)
    expect((await endWait('consultant', room)).status).toBe(200)
    expect(await testDesk.row(room)).toMatchObject({ revision: 2 })
  })

  it.each([
    ['customer', 403],
    ['neighbour', 404],
    ['colleague', 404],
    ['consultant', 200],
    ['admin', 200],
  ] as const)('responds to %s who ends the wait in a room of the consultant with %i', async (callerName, expected) => {
    const room = await testDesk.room()
    await testDesk.sendMessage('customer', room)
    expect((await endWait(callerName, room)).status).toBe(expected)
  })

  it('refuses consultants who end the wait in a room that nobody has', async () => {
    const room = await testDesk.room(null)
    await testDesk.sendMessage('customer', room)
    expect((await endWait('consultant', room)).status).toBe(403)
    expect((await endWait('admin', room)).status).toBe(200)
  })

  it.each([{ reason: 5 }, { reason: 'x'.repeat(1001) }])('refuses the reason %j with 422', async (data) => {
    const room = await testDesk.room()
    expect((await endWait('admin', room, data)).status).toBe(422)
  })
})

describe('the reopening of a closed chat by the desk', () => {
  it('continues the episode of a reopened room, and begins no wait before the next question', async () => {
    const room = await testDesk.room()
    await testDesk.sendMessage('customer', room)
    await testDesk.sendMessage('consultant', room)
    await setState('consultant', room, 'closed')
    expect((await setState('consultant', room, 'open')).status).toBe(200)
    expect(await testDesk.row(room)).toMatchObject({ state: 'open', episode: 1, waiting_since: null })
    await testDesk.sendMessage('consultant', room, 'One more thing')
    expect(await testDesk.row(room)).toMatchObject({ state: 'open', episode: 1, waiting_since: null })
    await testDesk.sendMessage('customer', room)
    const { episode, waiting_since } = await testDesk.row(room)
    expect([episode, waiting_since === null]).toEqual([1, false])
  })

  it('begins a new episode only with a question in a closed room', async () => {
    const room = await testDesk.room()
    await testDesk.sendMessage('customer', room)
    await setState('consultant', room, 'closed')
    await testDesk.sendMessage('customer', room)
    expect(await testDesk.row(room)).toMatchObject({ state: 'open', episode: 2 })
  })

  it('returns a reopened room to the queue when its owner was removed meanwhile', async () => {
    const room = await testDesk.room()
    await testDesk.sendMessage('customer', room)
    await setState('consultant', room, 'closed')
    await testDesk.app.database.query(
      sql`update users set blocked = true where id = ${testDesk.person('consultant').id}`,
    )
    expect((await setState('admin', room, 'open')).status).toBe(200)
    expect(await testDesk.row(room)).toMatchObject({ state: 'open', receiver_id: null, assignee_id: null })
    await testDesk.app.database.query(
      sql`update users set blocked = false where id = ${testDesk.person('consultant').id}`,
    )
  })

  it.each([
    ['customer', 403],
    ['neighbour', 403],
    ['colleague', 404],
  ] as const)('refuses %s who reopens a closed room of the consultant with %i', async (callerName, expected) => {
    const room = await testDesk.room('consultant', { state: 'closed' })
    expect((await setState(callerName, room, 'open')).status).toBe(expected)
  })
})
