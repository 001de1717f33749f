import { sql } from '../../../db/sql.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { startDesk } from '../../../testing/desk.ts'

const testDesk = startDesk()
beforeEach(() => testDesk.app.database.query(sql`delete from chatrooms`))

const rate = (room: number, data: object, callerName: 'customer' | 'consultant' | 'neighbour' | 'admin' = 'customer') =>
  testDesk.ask(callerName, 'POST', `/chatrooms/${room}/rating`, data)
const ratings = async (room: number) => (await testDesk.ask('admin', 'GET', `/chatrooms/${room}/ratings`)).body.results
const answerRoom = async () => {
  const room = await testDesk.room()
  await testDesk.sendMessage('customer', room)
  await testDesk.sendMessage('consultant', room)
  return room
}

describe('POST /api/chatrooms/:id/rating', () => {
  it('rates the consultant who answered, even if the room has a new owner', async () => {
    const room = await answerRoom()
    expect(await rate(room, { episode: 1, score: 5, comment: 'Rahmat' })).toMatchObject({
      status: 200,
      body: { data: { episode: 1, score: 5, comment: 'Rahmat' } },
    })
    await testDesk.ask('admin', 'POST', `/chatrooms/${room}/assign`, {
      to: testDesk.person('colleague').id,
      note: 'Yours',
    })
    await testDesk.sendMessage('customer', room)
    await testDesk.sendMessage('colleague', room)
    expect(await ratings(room)).toMatchObject([
      { episode: 1, score: 5, comment: 'Rahmat', consultant: { id: testDesk.person('consultant').id } },
    ])
  })
  it('accepts one rating per episode, and another one in the next', async () => {
    const room = await answerRoom()
    const firstAnswers = await Promise.all(Array.from({ length: 5 }, () => rate(room, { episode: 1, score: 3 })))
    expect(firstAnswers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409])
    expect(firstAnswers.find(({ status }) => status === 409)?.body.error?.code).toBe('rating.done')
    await testDesk.ask('consultant', 'PUT', `/chatrooms/${room}`, { state: 'closed' })
    await testDesk.sendMessage('customer', room)
    await testDesk.sendMessage('consultant', room)
    expect((await rate(room, { episode: 2, score: 1 })).status).toBe(200)
    expect(await ratings(room)).toMatchObject([
      { episode: 2, score: 1 },
      { episode: 1, score: 3 },
    ])
  })
  it('refuses to rate an episode without an answer', async () => {
    const room = await testDesk.room()
    await testDesk.sendMessage('customer', room)
    expect(await rate(room, { episode: 1, score: 3 })).toMatchObject({
      status: 422,
      body: { error: { code: 'rating.no-answer', details: { errors: [{ path: ['episode'] }] } } },
    })
    await testDesk.sendMessage('consultant', room)
    expect((await rate(room, { episode: 7, score: 3 })).status).toBe(422)
  })
  it.each([
    [{}, ['episode', 'score']],
    [{ episode: 1, score: 0 }, ['score']],
    [{ episode: 1, score: 6 }, ['score']],
    [{ episode: 1, score: 3.5 }, ['score']],
    [{ episode: 'one', score: 3 }, ['episode']],
    [{ episode: 1, score: 3, comment: 'я'.repeat(1_001) }, ['comment']],
  ])('refuses the rating %j', async (data, fields) => {
    const { status, body } = await rate(await answerRoom(), data)
    expect([status, body.error?.details.errors?.map(({ path }) => path[0])]).toEqual([422, fields])
  })
  it('lets the customer alone rate an episode', async () => {
    const room = await answerRoom()
    const data = { episode: 1, score: 5 }
    for (const [callerName, status] of [
      ['consultant', 403],
      ['admin', 403],
      ['neighbour', 404],
    ] as const)
      expect((await rate(room, data, callerName)).status).toBe(status)
    expect(await ratings(room)).toEqual([])
  })
})
