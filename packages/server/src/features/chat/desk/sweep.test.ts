import { sql } from '../../../db/sql.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { type DeskPerson, startDesk } from '../../../testing/desk.ts'
import { buildRecord } from '../../../testing/factories.ts'
import { DeskSweep } from './sweep.ts'

const testDesk = startDesk()
beforeEach(async () => {
  for (const table of ['notices', 'consultations', 'chatrooms'])
    await testDesk.app.database.query(sql`delete from ${sql.table(table)}`)
  await testDesk.app.database.query(sql`update users set chat_notify = 'mine'`)
})

const runSweep = () => new DeskSweep(testDesk.app.database).sweep((error) => expect.unreachable(String(error)))
const notices = async (kind: string) => {
  const rows = await testDesk.app.database.query(sql<{ user: number; params: unknown; address: string }>`
    select user_id as "user", params, address from notices where kind = ${kind} order by user_id`)
  return rows.map((row) => ({ ...row, user: nameOf(row.user) }))
}
const nameOf = (id: number): DeskPerson | undefined =>
  (['customer', 'neighbour', 'consultant', 'colleague', 'admin', 'owner'] as const).find(
    (name) => testDesk.person(name).id === id,
  )
const notifiedUsers = async (kind: string) =>
  (await notices(kind)).map(({ user }) => user).filter((user) => user !== undefined)
const assignRoomTo = (room: number, newOwner: DeskPerson) =>
  testDesk.ask('admin', 'POST', `/chatrooms/${room}/assign`, { to: testDesk.person(newOwner).id, note: 'Yours' })

describe('a room whose new owner does not reply', () => {
  const makeLateRoom = async () => {
    const room = await testDesk.room()
    await testDesk.sendMessage('customer', room)
    await assignRoomTo(room, 'colleague')
    await testDesk.age(room, 31)
    return room
  }
  it('returns a room without a reply to the queue after the target, and notifies staff', async () => {
    const room = await makeLateRoom()
    expect(await runSweep()).toMatchObject({ returned: 1 })
    expect(await testDesk.row(room)).toMatchObject({ assignee_id: null, receiver_id: null })
    expect(await notifiedUsers('desk.returned')).toEqual(['admin', 'owner'])
    expect((await notices('desk.returned'))[0]).toMatchObject({
      params: { customer: 'Aygul Oʻrinova' },
      address: `/chats/${room}`,
    })
    const { body } = await testDesk.ask('admin', 'GET', `/chatrooms/${room}/history`)
    expect((body.results as object[])[0]).toMatchObject({
      action: 'assigned',
      user: null,
      data: { from: { id: testDesk.person('colleague').id }, to: null },
    })
    expect(await runSweep()).toMatchObject({ returned: 0 })
  })
  it('returns a room to the queue once when several sweeps run concurrently', async () => {
    await makeLateRoom()
    const counts = await Promise.all([runSweep(), runSweep(), runSweep()])
    expect(counts.reduce((sum, { returned }) => sum + returned, 0)).toBe(1)
    expect(await notifiedUsers('desk.returned')).toEqual(['admin', 'owner'])
  })
  it('leaves a room to its owner within the target, counted from the assignment', async () => {
    const room = await testDesk.room()
    await testDesk.sendMessage('customer', room)
    await testDesk.age(room, 300)
    await assignRoomTo(room, 'colleague')
    expect(await runSweep()).toMatchObject({ returned: 0 })
    expect((await testDesk.row(room)).assignee_id).toBe(testDesk.person('colleague').id)
  })
  it('leaves a room to its owner after a reply, and when the room was never handed over', async () => {
    const [room, firstOwnerRoom] = [
      await makeLateRoom(),
      await testDesk.room('consultant', { sender: testDesk.person('neighbour').id }),
    ]
    await testDesk.sendMessage('colleague', room)
    await testDesk.sendMessage('customer', room)
    await testDesk.sendMessage('neighbour', firstOwnerRoom)
    for (const roomId of [room, firstOwnerRoom]) {
      await testDesk.app.database.query(sql`
        update chatrooms set waiting_since = waiting_since - interval '9 hours', due_at = due_at - interval '9 hours' where id = ${roomId}`)
    }
    expect(await runSweep()).toMatchObject({ returned: 0 })
  })
})

describe('a free room', () => {
  const makeFreeRoom = async (minutes: number, draft: object = {}) => {
    const room = await testDesk.room(null, draft)
    await testDesk.sendMessage('customer', room)
    await testDesk.age(room, minutes)
    return room
  }
  it('sends one notification per episode of a free room after half its target', async () => {
    const room = await makeFreeRoom(14)
    expect(await runSweep()).toEqual({ returned: 0, notified: 0 })
    await testDesk.age(room, 2)
    const counts = await Promise.all([runSweep(), runSweep()])
    expect(counts.reduce((sum, count) => sum + count.notified, 0)).toBe(1)
    expect(await notifiedUsers('desk.waiting')).toEqual(['consultant', 'colleague', 'admin', 'owner'])
    expect((await notices('desk.waiting'))[0]).toMatchObject({ address: `/chats/${room}` })
    expect(await runSweep()).toEqual({ returned: 0, notified: 0 })
    await testDesk.ask('admin', 'PUT', `/chatrooms/${room}`, { state: 'closed' })
    await testDesk.sendMessage('customer', room)
    await testDesk.age(room, 16)
    expect((await runSweep()).notified).toBe(1)
  })
  it('notifies consultants of a free room’s category, if there are any', async () => {
    const category = await buildRecord(testDesk.app.database, 'consultationcategories', { name: 'Pests' })
    await buildRecord(testDesk.app.database, 'consultations', {
      question: 'Q',
      category,
      consultant: testDesk.person('colleague').id,
    })
    await makeFreeRoom(16, { category })
    await runSweep()
    expect(await notifiedUsers('desk.waiting')).toEqual(['colleague', 'admin', 'owner'])
  })
  it('sends users who turned notifications off, are blocked, or are its customer no notice of a free room', async () => {
    await testDesk.app.database.query(
      sql`update users set chat_notify = 'none' where id = ${testDesk.person('admin').id}`,
    )
    const room = await makeFreeRoom(16)
    await testDesk.app.database.query(
      sql`update chatrooms set sender_id = ${testDesk.person('consultant').id} where id = ${room}`,
    )
    await runSweep()
    expect(await notifiedUsers('desk.waiting')).toEqual(['colleague', 'owner'])
  })
  it('sends no notice of a free room in which nobody waits', async () => {
    const room = await makeFreeRoom(16)
    await testDesk.ask('admin', 'PUT', `/chatrooms/${room}`, { state: 'closed' })
    expect(await runSweep()).toEqual({ returned: 0, notified: 0 })
  })
})
