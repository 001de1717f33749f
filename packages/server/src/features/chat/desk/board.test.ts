import { sql } from '../../../db/sql.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { startDesk } from '../../../testing/desk.ts'
import { statementsOf } from '../../../testing/statements.ts'

const testDesk = startDesk()
beforeEach(() => testDesk.app.database.query(sql`delete from chatrooms`))

interface Row {
  consultant: { id: number }
  online: boolean
  open: number
  waiting: number
  oldest_wait: string | null
  overdue: number
  breaches_today: number
}
const board = () => testDesk.read<{ data: Row[]; unassigned: Omit<Row, 'consultant'> }>('admin', '/chatrooms/board')
const boardRowOf = ({ data }: { data: Row[] }, personName: 'consultant' | 'colleague' | 'admin') =>
  data.find(({ consultant }) => consultant.id === testDesk.person(personName).id)

describe('GET /api/chatrooms/board', () => {
  it('counts the rooms of each consultant, and free rooms', async () => {
    await testDesk.app.database.query(sql`update users set last_seen_at = null`)
    const { id } = testDesk.person('consultant')
    await testDesk.app.database.query(sql`update users set last_seen_at = now() where id = ${id}`)
    const [overdueRoom, answeredRoom, freeRoom] = [
      await testDesk.room(),
      await testDesk.room('colleague'),
      await testDesk.room(null),
    ]
    await testDesk.sendMessage('customer', overdueRoom)
    await testDesk.age(overdueRoom, 31)
    await testDesk.sendMessage('customer', answeredRoom)
    await testDesk.age(answeredRoom, 45)
    await testDesk.sendMessage('colleague', answeredRoom)
    await testDesk.sendMessage('customer', freeRoom)
    const shownBoard = await board()
    // In the first hour of a day the board of the desk contains waits of the day before.
    expect(boardRowOf(shownBoard, 'consultant')).toMatchObject({ online: true, open: 1, waiting: 1 })
    expect(boardRowOf(shownBoard, 'colleague')).toMatchObject({
      online: false,
      open: 1,
      waiting: 0,
      oldest_wait: null,
      breaches_today: 1,
    })
    expect(shownBoard.unassigned).toMatchObject({ open: 1, waiting: 1, breaches_today: 0 })
    expect(shownBoard.data[0]?.consultant.id).toBe(testDesk.person('consultant').id)
    expect(boardRowOf(shownBoard, 'admin')).toBeUndefined()
  })
  it('counts a wait that has just exceeded its target, and ignores closed rooms', async () => {
    const [overdueRoom, closedRoom] = [await testDesk.room(), await testDesk.room('colleague')]
    await testDesk.sendMessage('customer', overdueRoom)
    await testDesk.app.database.query(sql`update chatrooms set due_at = now() where id = ${overdueRoom}`)
    await testDesk.sendMessage('customer', closedRoom)
    await testDesk.ask('colleague', 'PUT', `/chatrooms/${closedRoom}`, { state: 'closed' })
    const shownBoard = await board()
    expect([boardRowOf(shownBoard, 'consultant')?.breaches_today, boardRowOf(shownBoard, 'colleague')?.open]).toEqual([
      1, 0,
    ])
  })
  it('counts a wait that exceeded its target ten days ago', async () => {
    const lateRoom = await testDesk.room()
    await testDesk.sendMessage('customer', lateRoom)
    await testDesk.app.database.query(
      sql`update chatrooms set due_at = now() - interval '10 days' where id = ${lateRoom}`,
    )
    expect(boardRowOf(await board(), 'consultant')).toMatchObject({ overdue: 1, breaches_today: 1 })
  })
  it('shows on the board everybody who owns rooms, in one statement', async () => {
    const room = await testDesk.room()
    await testDesk.ask('admin', 'POST', `/chatrooms/${room}/assign`, { to: testDesk.person('admin').id })
    const statements = await statementsOf(testDesk.app.database, async () =>
      expect(boardRowOf(await board(), 'admin')?.open).toBe(1),
    )
    expect(statements.filter((text) => text.includes('chatrooms'))).toHaveLength(1)
  })
  it('shows the board of the desk to staff alone', async () => {
    const statuses = await Promise.all(
      (['customer', 'consultant', 'owner'] as const).map((callerName) =>
        testDesk.ask(callerName, 'GET', '/chatrooms/board'),
      ),
    )
    expect(statuses.map(({ status }) => status)).toEqual([403, 403, 200])
  })
})

describe('POST /api/chatrooms/reassign', () => {
  const reassignRoom = (data: object, callerName: 'admin' | 'consultant' = 'admin') =>
    testDesk.ask(callerName, 'POST', '/chatrooms/reassign', data)

  it('reassigns each room separately and returns its result', async () => {
    const [assignedRoom, queuedRoom] = [await testDesk.room(), await testDesk.room(null)]
    const { id: colleagueId } = testDesk.person('colleague')
    const { status, body } = await reassignRoom({
      rooms: [queuedRoom, 999_999, assignedRoom, assignedRoom],
      to: colleagueId,
      note: 'Shift',
    })
    expect([status, body.results]).toEqual([
      200,
      [
        { room: assignedRoom, ok: true },
        { room: queuedRoom, ok: true },
        { room: 999_999, ok: false, code: 'record.not-found' },
      ],
    ])
    expect([(await testDesk.row(assignedRoom)).assignee_id, (await testDesk.row(queuedRoom)).assignee_id]).toEqual([
      colleagueId,
      colleagueId,
    ])
  })
  it('reassigns the other rooms when one is refused', async () => {
    const [ownRoom, otherRoom] = [
      await testDesk.room(null),
      await testDesk.room('colleague', { sender: testDesk.person('neighbour').id }),
    ]
    const { id: consultantId } = testDesk.person('consultant')
    await testDesk.app.database.query(sql`update chatrooms set sender_id = ${consultantId} where id = ${ownRoom}`)
    const { body } = await reassignRoom({ rooms: [ownRoom, otherRoom], to: consultantId, note: 'Shift' })
    expect(body.results).toEqual([
      { room: ownRoom, ok: false, code: 'request.unprocessable' },
      { room: otherRoom, ok: true },
    ])
  })
  it('refuses to reassign a room that got a new owner meanwhile, and names that owner', async () => {
    const [unchangedRoom, takenRoom] = [
      await testDesk.room('consultant'),
      await testDesk.room('consultant', {
        sender: testDesk.person('neighbour').id,
        assignee: testDesk.person('owner').id,
      }),
    ]
    const [from, colleagueId] = [testDesk.person('consultant').id, testDesk.person('colleague').id]
    const { body } = await reassignRoom({ rooms: [unchangedRoom, takenRoom], from, to: colleagueId, note: 'Shift' })
    expect(body.results).toMatchObject([
      { room: unchangedRoom, ok: true },
      { room: takenRoom, ok: false, code: 'desk.taken', owner: { id: testDesk.person('owner').id } },
    ])
    expect((await testDesk.row(takenRoom)).assignee_id).toBe(testDesk.person('owner').id)
    const { body: queue } = await reassignRoom({ rooms: [takenRoom], from: null, to: colleagueId, note: 'Shift' })
    expect(queue.results).toMatchObject([{ room: takenRoom, ok: false, code: 'desk.taken' }])
  })
  it.each([
    [{ rooms: [], to: 1, note: 'x' }, 422],
    [{ rooms: ['1'], to: 1, note: 'x' }, 422],
    [{ rooms: Array.from({ length: 51 }, (_, index) => index + 1), to: 1, note: 'x' }, 422],
    [{ rooms: [1], note: 'x' }, 422],
    [{ rooms: [1], to: 1 }, 422],
    [{ rooms: [1], to: 1, note: ' ' }, 422],
    [{ rooms: [1], to: 1, note: 5 }, 422],
  ])('refuses to reassign rooms with the body %j', async (data, status) =>
    expect((await reassignRoom(data)).status).toBe(status),
  )
  it('lets staff alone reassign rooms', async () => {
    const room = await testDesk.room()
    const data = { rooms: [room], to: testDesk.person('colleague').id, note: 'x' }
    expect((await reassignRoom(data, 'consultant')).status).toBe(403)
    expect((await testDesk.row(room)).assignee_id).toBeNull()
  })
})
