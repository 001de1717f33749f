import { sql } from '../../../db/sql.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { startDesk } from '../../../testing/desk.ts'
import { buildRecord } from '../../../testing/factories.ts'

const testDesk = startDesk()
beforeEach(() => testDesk.app.database.query(sql`delete from chatrooms`))

const replies = (room: number) =>
  testDesk.app.database.query(sql<Record<string, unknown>>`
    select episode, consultant_id as consultant, wall_seconds as wall, working_seconds as working,
           target_minutes as target, first, breached from room_replies where room_id = ${room} order by id`)
const waitOf = async (room: number) => {
  const { waiting_since, warn_at, due_at } = await testDesk.row(room)
  return [waiting_since, warn_at, due_at]
}
const minutesAfter = (from: unknown, to: unknown) => (Date.parse(String(to)) - Date.parse(String(from))) / 60_000
const closeRoom = (room: number) => testDesk.ask('consultant', 'PUT', `/chatrooms/${room}`, { state: 'closed' })

describe('a wait', () => {
  it('warns at seven tenths of the target of a category', async () => {
    const category = await buildRecord(testDesk.app.database, 'consultationcategories', {
      name: 'C',
      first_reply_minutes: 50,
    })
    const room = await testDesk.room('consultant', { category })
    await testDesk.sendMessage('customer', room)
    const [waitingSince, warn, dueAt] = await waitOf(room)
    expect([minutesAfter(waitingSince, warn), minutesAfter(waitingSince, dueAt)]).toEqual([35, 50])
  })
  it('measures the wait for a later reply by the second target of its category', async () => {
    const targets = { first_reply_minutes: 50, next_reply_minutes: 90 }
    const category = await buildRecord(testDesk.app.database, 'consultationcategories', { name: 'C', ...targets })
    const room = await testDesk.room('consultant', { category })
    await testDesk.sendMessage('customer', room)
    await testDesk.sendMessage('consultant', room)
    await testDesk.sendMessage('customer', room)
    const [waitingSince, , dueAt] = await waitOf(room)
    expect(minutesAfter(waitingSince, dueAt)).toBe(90)
  })
  it('measures a wait regardless of notes, automatic texts, hand-overs and other states', async () => {
    const room = await testDesk.room()
    await testDesk.sendMessage('customer', room)
    const waitBefore = await waitOf(room)
    await testDesk.sendMessage('consultant', room, 'For us', { kind: 'note' })
    await buildRecord(testDesk.app.database, 'chatmessages', {
      room,
      sender: testDesk.person('consultant').id,
      text: 'We are closed',
      kind: 'system',
      seq: 900,
    })
    const colleagueId = testDesk.person('colleague').id
    expect(
      (await testDesk.ask('consultant', 'POST', `/chatrooms/${room}/assign`, { to: colleagueId, note: 'Yours' }))
        .status,
    ).toBe(200)
    await testDesk.ask('colleague', 'PUT', `/chatrooms/${room}`, { state: 'waiting_customer' })
    expect((await testDesk.row(room)).state).toBe('waiting_customer')
    await testDesk.sendMessage('customer', room)
    expect(await waitOf(room)).toEqual(waitBefore)
    expect(await replies(room)).toEqual([])
  })
  it('ends a wait with the reply of a person, and stores its duration with the reply', async () => {
    const room = await testDesk.room()
    await testDesk.sendMessage('customer', room)
    await testDesk.age(room, 20)
    await testDesk.sendMessage('consultant', room)
    expect(await waitOf(room)).toEqual([null, null, null])
    // A second reply in a chat room ends no wait, because the first one has ended it.
    await testDesk.sendMessage('consultant', room)
    const [reply, ...otherReplies] = await replies(room)
    expect(otherReplies).toEqual([])
    expect(reply).toMatchObject({
      episode: 1,
      consultant: testDesk.person('consultant').id,
      target: 30,
      first: true,
      breached: false,
    })
    expect(Number(reply?.wall)).toBeGreaterThanOrEqual(1_200)
    expect(reply?.working).toBe(reply?.wall)
  })
  it('stores a wait of no length for a reply whose transaction started before the question', async () => {
    const room = await testDesk.room()
    await testDesk.sendMessage('customer', room)
    await testDesk.age(room, -5)
    await testDesk.sendMessage('consultant', room)
    expect(await replies(room)).toMatchObject([{ wall: 0, working: 0, breached: false }])
  })
  it('applies the longer target after the first reply, and leaves a late first reply a breach', async () => {
    const room = await testDesk.room()
    await testDesk.sendMessage('customer', room)
    await testDesk.age(room, 45)
    await testDesk.sendMessage('consultant', room)
    await testDesk.sendMessage('customer', room)
    const [waitingSince, , dueAt] = await waitOf(room)
    expect(minutesAfter(waitingSince, dueAt)).toBe(120)
    await testDesk.sendMessage('consultant', room)
    expect(await replies(room)).toMatchObject([
      { episode: 1, first: true, breached: true, target: 30 },
      { episode: 1, first: false, breached: false, target: 120 },
    ])
  })
  it('counts a wait for the user who answers, also after a hand-over', async () => {
    const room = await testDesk.room()
    await testDesk.sendMessage('customer', room)
    const colleagueId = testDesk.person('colleague').id
    await testDesk.ask('consultant', 'POST', `/chatrooms/${room}/assign`, { to: colleagueId, note: 'Yours' })
    await testDesk.sendMessage('colleague', room)
    expect(await replies(room)).toMatchObject([{ consultant: colleagueId }])
  })
})

describe('an episode', () => {
  it('ends an episode when the room is closed, and begins another one with the next question', async () => {
    const room = await testDesk.room()
    expect((await testDesk.row(room)).episode).toBe(0)
    await testDesk.sendMessage('customer', room)
    await testDesk.sendMessage('consultant', room)
    await testDesk.sendMessage('customer', room)
    await closeRoom(room)
    expect([await waitOf(room), (await testDesk.row(room)).episode]).toEqual([[null, null, null], 1])
    // A message of the desk in a closed chat room is not a question.
    await testDesk.sendMessage('consultant', room)
    expect((await testDesk.row(room)).episode).toBe(1)
    await testDesk.sendMessage('customer', room)
    const [waitingSince, , dueAt] = await waitOf(room)
    expect([minutesAfter(waitingSince, dueAt), (await testDesk.row(room)).episode]).toEqual([30, 2])
    await testDesk.sendMessage('consultant', room)
    expect(await replies(room)).toMatchObject([
      { episode: 1, first: true },
      { episode: 2, first: true },
    ])
  })
  it('ends the wait of an episode when its question is deleted', async () => {
    const room = await testDesk.room()
    const question = await testDesk.sendMessage('customer', room)
    await testDesk.ask('customer', 'DELETE', `/chatmessages/${question}`)
    expect(await waitOf(room)).toEqual([null, null, null])
  })
})
