import { sql } from '../../../db/sql.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { type DeskPerson, startDesk } from '../../../testing/desk.ts'

const testDesk = startDesk()
beforeEach(() => testDesk.app.database.query(sql`delete from chatrooms`))

interface Line {
  at: string
  user: { id: number } | null
  action: string
  data: Record<string, unknown>
}
const history = (callerName: DeskPerson, room: number, query = '') =>
  testDesk.read<{ results: Line[]; pagination: { total: number } }>(callerName, `/chatrooms/${room}/history?${query}`)

/** Creates a chat room with one event of each kind. */
async function buildEventfulRoom(): Promise<number> {
  const room = await testDesk.room()
  await testDesk.sendMessage('customer', room)
  const reply = await testDesk.sendMessage('consultant', room, 'Wrong')
  await testDesk.ask('consultant', 'PUT', `/chatmessages/${reply}`, { text: 'Right' })
  await testDesk.ask('consultant', 'DELETE', `/chatmessages/${reply}`)
  const colleagueId = testDesk.person('colleague').id
  await testDesk.ask('consultant', 'POST', `/chatrooms/${room}/assign`, { to: colleagueId, note: 'Yours' })
  await testDesk.ask('colleague', 'GET', `/seen_messages?room=${room}`)
  await testDesk.ask('colleague', 'PUT', `/chatrooms/${room}`, { state: 'closed' })
  await testDesk.ask('customer', 'POST', `/chatrooms/${room}/rating`, { episode: 1, score: 4 })
  return room
}

describe('GET /api/chatrooms/:id/history', () => {
  it('lists the actions in a room with their users, newest first', async () => {
    const room = await buildEventfulRoom()
    const { results, pagination } = await history('admin', room)
    expect(results.map(({ action }) => action).toSorted()).toEqual(
      ['opened', 'edited', 'deleted', 'assigned', 'read', 'state', 'rated'].toSorted(),
    )
    expect(results.map(({ at }) => at)).toEqual(
      results
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
    expect(pagination.total).toBe(7)
    const line = (action: string) => results.find((historyLine) => historyLine.action === action)
    expect(line('assigned')).toMatchObject({
      user: { id: testDesk.person('consultant').id },
      data: {
        from: { id: testDesk.person('consultant').id },
        to: { id: testDesk.person('colleague').id },
        note: 'Yours',
      },
    })
    expect(line('state')?.data).toMatchObject({ from: 'open', to: 'closed' })
    expect(line('read')?.user).toMatchObject({ id: testDesk.person('colleague').id })
    expect(line('rated')).toMatchObject({
      user: { id: testDesk.person('customer').id },
      data: { episode: 1, score: 4 },
    })
  })
  it('shows earlier texts of a room’s messages to staff alone', async () => {
    const room = await buildEventfulRoom()
    const readTexts = async (callerName: DeskPerson) =>
      (await history(callerName, room)).results
        .filter(({ action }) => action === 'edited' || action === 'deleted')
        .map(({ data }) => data.text)
    expect(await readTexts('admin')).toEqual(['Right', 'Wrong'])
    expect(await readTexts('colleague')).toEqual([null, null])
  })
  it('shows in the history of a room that a question reopened it', async () => {
    const room = await testDesk.room()
    await testDesk.ask('consultant', 'PUT', `/chatrooms/${room}`, { state: 'closed' })
    await testDesk.sendMessage('customer', room)
    expect((await history('consultant', room)).results[0]).toMatchObject({ action: 'state', data: { to: 'open' } })
  })
  it('returns the history of a room in pages', async () => {
    const room = await buildEventfulRoom()
    const allLines = (await history('admin', room)).results
    const secondPage = await history('admin', room, 'pagination[page]=2&pagination[pageSize]=3')
    expect(secondPage.results).toEqual(allLines.slice(3, 6))
    expect(await history('admin', room, 'pagination[page]=9&pagination[pageSize]=3')).toMatchObject({ results: [] })
  })
  it('shows the history of a room to its desk alone', async () => {
    const room = await buildEventfulRoom()
    const statuses = async (path: string) => {
      const answers = (['customer', 'neighbour', 'consultant', 'colleague', 'owner'] as const).map((callerName) =>
        testDesk.ask(callerName, 'GET', `/chatrooms/${room}/${path}`),
      )
      return (await Promise.all(answers)).map(({ status }) => status)
    }
    expect(await statuses('history')).toEqual([403, 404, 200, 200, 200])
    expect(await statuses('ratings')).toEqual([403, 404, 200, 200, 200])
    expect((await testDesk.ask('owner', 'GET', '/chatrooms/999999/history')).status).toBe(404)
  })
  it('hides the history of a room from a former owner who left the desk', async () => {
    const room = await buildEventfulRoom()
    const formerAssignee = testDesk.person('consultant').id
    const set = (is_consultant: boolean) =>
      testDesk.app.database.query(sql`update users set is_consultant = ${is_consultant} where id = ${formerAssignee}`)
    await set(false)
    try {
      const paths = ['', '/changes', '/history', '/ratings']
      const answers = await Promise.all(
        paths.map((path) => testDesk.ask('consultant', 'GET', `/chatrooms/${room}${path}`)),
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 403, 403])
      expect(JSON.stringify(answers)).not.toContain('Yours')
    } finally {
      await set(true)
    }
  })
})
