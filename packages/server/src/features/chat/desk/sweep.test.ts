import { sql } from '../../../db/sql.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { type DeskPerson, startDesk } from '../../../testing/desk.ts'
import { buildRecord } from '../../../testing/factories.ts'
import { DeskSweep } from './sweep.ts'

const desk = startDesk()
beforeEach(async () => {
  for (const table of ['notices', 'consultations', 'chatrooms'])
    await desk.app.database.query(sql`delete from ${sql.table(table)}`)
  await desk.app.database.query(sql`update users set chat_notify = 'mine'`)
})

const runSweep = () => new DeskSweep(desk.app.database).sweep((error) => expect.unreachable(String(error)))
const notices = async (kind: string) => {
  const rows = await desk.app.database.query(sql<{ user: number; params: unknown; address: string }>`
    select user_id as "user", params, address from notices where kind = ${kind} order by user_id`)
  return rows.map((row) => ({ ...row, user: nameOf(row.user) }))
}
const nameOf = (id: number): DeskPerson | undefined =>
  (['customer', 'neighbour', 'consultant', 'colleague', 'admin', 'owner'] as const).find(
    (name) => desk.person(name).id === id,
  )
const notifiedUsers = async (kind: string) =>
  (await notices(kind)).map(({ user }) => user).filter((user) => user !== undefined)
const assignRoomTo = (room: number, to: DeskPerson) =>
  desk.ask('admin', 'POST', `/chatrooms/${room}/assign`, { to: desk.person(to).id, note: 'Yours' })

describe('a room whose new owner does not reply', () => {
  const makeLateRoom = async () => {
    const room = await desk.room()
    await desk.sendMessage('customer', room)
    await assignRoomTo(room, 'colleague')
    await desk.age(room, 31)
    return room
  }
  it('returns a room without a reply to the queue after the target, and notifies staff', async () => {
    const room = await makeLateRoom()
    expect(await runSweep()).toMatchObject({ returned: 1 })
    expect(await desk.row(room)).toMatchObject({ assignee_id: null, receiver_id: null })
    expect(await notifiedUsers('desk.returned')).toEqual(['admin', 'owner'])
    expect((await notices('desk.returned'))[0]).toMatchObject({
      params: { customer: 'Aygul Oʻrinova' },
      address: `/chats/${room}`,
    })
    const { body } = await desk.ask('admin', 'GET', `/chatrooms/${room}/history`)
    expect((body.results as object[])[0]).toMatchObject({
      action: 'assigned',
      user: null,
      data: { from: { id: desk.person('colleague').id }, to: null },
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
    const room = await desk.room()
    await desk.sendMessage('customer', room)
    await desk.age(room, 300)
    await assignRoomTo(room, 'colleague')
    expect(await runSweep()).toMatchObject({ returned: 0 })
    expect((await desk.row(room)).assignee_id).toBe(desk.person('colleague').id)
  })
  it('leaves a room to its owner after a reply, and when the room was never handed over', async () => {
    const [room, first] = [await makeLateRoom(), await desk.room('consultant', { sender: desk.person('neighbour').id })]
    await desk.sendMessage('colleague', room)
    await desk.sendMessage('customer', room)
    await desk.sendMessage('neighbour', first)
    for (const one of [room, first]) {
      await desk.app.database.query(sql`
        update chatrooms set waiting_since = waiting_since - interval '9 hours', due_at = due_at - interval '9 hours' where id = ${one}`)
    }
    expect(await runSweep()).toMatchObject({ returned: 0 })
  })
})

describe('a free room', () => {
  const makeFreeRoom = async (minutes: number, draft: object = {}) => {
    const room = await desk.room(null, draft)
    await desk.sendMessage('customer', room)
    await desk.age(room, minutes)
    return room
  }
  it('sends one notification per episode of a free room after half its target', async () => {
    const room = await makeFreeRoom(14)
    expect(await runSweep()).toEqual({ returned: 0, notified: 0 })
    await desk.age(room, 2)
    const counts = await Promise.all([runSweep(), runSweep()])
    expect(counts.reduce((sum, count) => sum + count.notified, 0)).toBe(1)
    expect(await notifiedUsers('desk.waiting')).toEqual(['consultant', 'colleague', 'admin', 'owner'])
    expect((await notices('desk.waiting'))[0]).toMatchObject({ address: `/chats/${room}` })
    expect(await runSweep()).toEqual({ returned: 0, notified: 0 })
    await desk.ask('admin', 'PUT', `/chatrooms/${room}`, { state: 'closed' })
    await desk.sendMessage('customer', room)
    await desk.age(room, 16)
    expect((await runSweep()).notified).toBe(1)
  })
  it('notifies consultants of a free room’s category, if there are any', async () => {
    const category = await buildRecord(desk.app.database, 'consultationcategories', { name: 'Pests' })
    await buildRecord(desk.app.database, 'consultations', {
      question: 'Q',
      category,
      consultant: desk.person('colleague').id,
    })
    await makeFreeRoom(16, { category })
    await runSweep()
    expect(await notifiedUsers('desk.waiting')).toEqual(['colleague', 'admin', 'owner'])
  })
  it('sends users who turned notifications off, are blocked, or are its customer no notice of a free room', async () => {
    await desk.app.database.query(sql`update users set chat_notify = 'none' where id = ${desk.person('admin').id}`)
    const room = await makeFreeRoom(16)
    await desk.app.database.query(
      sql`update chatrooms set sender_id = ${desk.person('consultant').id} where id = ${room}`,
    )
    await runSweep()
    expect(await notifiedUsers('desk.waiting')).toEqual(['colleague', 'owner'])
  })
  it('sends no notice of a free room in which nobody waits', async () => {
    const room = await makeFreeRoom(16)
    await desk.ask('admin', 'PUT', `/chatrooms/${room}`, { state: 'closed' })
    expect(await runSweep()).toEqual({ returned: 0, notified: 0 })
  })
})
