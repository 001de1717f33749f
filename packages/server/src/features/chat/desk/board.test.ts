import { sql } from '../../../db/sql.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { startDesk } from '../../../testing/desk.ts'
import { statementsOf } from '../../../testing/statements.ts'

const desk = startDesk()
beforeEach(() => desk.app.database.query(sql`delete from chatrooms`))

interface Row {
  consultant: { id: number }
  online: boolean
  open: number
  waiting: number
  oldest_wait: string | null
  overdue: number
  breaches_today: number
}
const board = () => desk.read<{ data: Row[]; unassigned: Omit<Row, 'consultant'> }>('admin', '/chatrooms/board')
const of = ({ data }: { data: Row[] }, who: 'consultant' | 'colleague' | 'admin') =>
  data.find(({ consultant }) => consultant.id === desk.person(who).id)

describe('GET /api/chatrooms/board', () => {
  it('counts the rooms of each consultant, and free rooms', async () => {
    await desk.app.database.query(sql`update users set last_seen_at = null`)
    const { id } = desk.person('consultant')
    await desk.app.database.query(sql`update users set last_seen_at = now() where id = ${id}`)
    const [late, done, free] = [await desk.room(), await desk.room('colleague'), await desk.room(null)]
    await desk.sendMessage('customer', late)
    await desk.age(late, 31)
    await desk.sendMessage('customer', done)
    await desk.age(done, 45)
    await desk.sendMessage('colleague', done)
    await desk.sendMessage('customer', free)
    const shownBoard = await board()
    // In the first hour of a day the board of the desk contains waits of the day before.
    expect(of(shownBoard, 'consultant')).toMatchObject({ online: true, open: 1, waiting: 1 })
    expect(of(shownBoard, 'colleague')).toMatchObject({
      online: false,
      open: 1,
      waiting: 0,
      oldest_wait: null,
      breaches_today: 1,
    })
    expect(shownBoard.unassigned).toMatchObject({ open: 1, waiting: 1, breaches_today: 0 })
    expect(shownBoard.data[0]?.consultant.id).toBe(desk.person('consultant').id)
    expect(of(shownBoard, 'admin')).toBeUndefined()
  })
  it('counts a wait that has just exceeded its target, and ignores closed rooms', async () => {
    const [late, closed] = [await desk.room(), await desk.room('colleague')]
    await desk.sendMessage('customer', late)
    await desk.app.database.query(sql`update chatrooms set due_at = now() where id = ${late}`)
    await desk.sendMessage('customer', closed)
    await desk.ask('colleague', 'PUT', `/chatrooms/${closed}`, { state: 'closed' })
    const shownBoard = await board()
    expect([of(shownBoard, 'consultant')?.breaches_today, of(shownBoard, 'colleague')?.open]).toEqual([1, 0])
  })
  it('counts a wait that exceeded its target ten days ago', async () => {
    const lateRoom = await desk.room()
    await desk.sendMessage('customer', lateRoom)
    await desk.app.database.query(sql`update chatrooms set due_at = now() - interval '10 days' where id = ${lateRoom}`)
    expect(of(await board(), 'consultant')).toMatchObject({ overdue: 1, breaches_today: 1 })
  })
  it('shows on the board everybody who owns rooms, in one statement', async () => {
    const room = await desk.room()
    await desk.ask('admin', 'POST', `/chatrooms/${room}/assign`, { to: desk.person('admin').id })
    const statements = await statementsOf(desk.app.database, async () =>
      expect(of(await board(), 'admin')?.open).toBe(1),
    )
    expect(statements.filter((text) => text.includes('chatrooms'))).toHaveLength(1)
  })
  it('shows the board of the desk to staff alone', async () => {
    const statuses = await Promise.all(
      (['customer', 'consultant', 'owner'] as const).map((who) => desk.ask(who, 'GET', '/chatrooms/board')),
    )
    expect(statuses.map(({ status }) => status)).toEqual([403, 403, 200])
  })
})

describe('POST /api/chatrooms/reassign', () => {
  const reassignRoom = (data: object, who: 'admin' | 'consultant' = 'admin') =>
    desk.ask(who, 'POST', '/chatrooms/reassign', data)

  it('reassigns each room separately and returns its result', async () => {
    const [one, two] = [await desk.room(), await desk.room(null)]
    const { id: to } = desk.person('colleague')
    const { status, body } = await reassignRoom({ rooms: [two, 999_999, one, one], to, note: 'Shift' })
    expect([status, body.results]).toEqual([
      200,
      [
        { room: one, ok: true },
        { room: two, ok: true },
        { room: 999_999, ok: false, code: 'record.not-found' },
      ],
    ])
    expect([(await desk.row(one)).assignee_id, (await desk.row(two)).assignee_id]).toEqual([to, to])
  })
  it('reassigns the other rooms when one is refused', async () => {
    const [ownRoom, otherRoom] = [
      await desk.room(null),
      await desk.room('colleague', { sender: desk.person('neighbour').id }),
    ]
    const { id: to } = desk.person('consultant')
    await desk.app.database.query(sql`update chatrooms set sender_id = ${to} where id = ${ownRoom}`)
    const { body } = await reassignRoom({ rooms: [ownRoom, otherRoom], to, note: 'Shift' })
    expect(body.results).toEqual([
      { room: ownRoom, ok: false, code: 'request.unprocessable' },
      { room: otherRoom, ok: true },
    ])
  })
  it('refuses to reassign a room that got a new owner meanwhile, and names that owner', async () => {
    const [still, gone] = [
      await desk.room('consultant'),
      await desk.room('consultant', { sender: desk.person('neighbour').id, assignee: desk.person('owner').id }),
    ]
    const [from, to] = [desk.person('consultant').id, desk.person('colleague').id]
    const { body } = await reassignRoom({ rooms: [still, gone], from, to, note: 'Shift' })
    expect(body.results).toMatchObject([
      { room: still, ok: true },
      { room: gone, ok: false, code: 'desk.taken', owner: { id: desk.person('owner').id } },
    ])
    expect((await desk.row(gone)).assignee_id).toBe(desk.person('owner').id)
    const { body: queue } = await reassignRoom({ rooms: [gone], from: null, to, note: 'Shift' })
    expect(queue.results).toMatchObject([{ room: gone, ok: false, code: 'desk.taken' }])
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
    const room = await desk.room()
    const data = { rooms: [room], to: desk.person('colleague').id, note: 'x' }
    expect((await reassignRoom(data, 'consultant')).status).toBe(403)
    expect((await desk.row(room)).assignee_id).toBeNull()
  })
})
