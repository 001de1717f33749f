import { sql } from '../../../db/sql.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { type DeskPerson, startDesk } from '../../../testing/desk.ts'

const desk = startDesk()
beforeEach(() => desk.app.database.query(sql`delete from chatrooms`))

interface Line {
  at: string
  user: { id: number } | null
  action: string
  data: Record<string, unknown>
}
const history = (who: DeskPerson, room: number, query = '') =>
  desk.read<{ results: Line[]; pagination: { total: number } }>(who, `/chatrooms/${room}/history?${query}`)

/** Creates a chat room with one event of each kind. */
async function buildEventfulRoom(): Promise<number> {
  const room = await desk.room()
  await desk.sendMessage('customer', room)
  const reply = await desk.sendMessage('consultant', room, 'Wrong')
  await desk.ask('consultant', 'PUT', `/chatmessages/${reply}`, { text: 'Right' })
  await desk.ask('consultant', 'DELETE', `/chatmessages/${reply}`)
  const to = desk.person('colleague').id
  await desk.ask('consultant', 'POST', `/chatrooms/${room}/assign`, { to, note: 'Yours' })
  await desk.ask('colleague', 'GET', `/seen_messages?room=${room}`)
  await desk.ask('colleague', 'PUT', `/chatrooms/${room}`, { state: 'closed' })
  await desk.ask('customer', 'POST', `/chatrooms/${room}/rating`, { episode: 1, score: 4 })
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
    const line = (action: string) => results.find((one) => one.action === action)
    expect(line('assigned')).toMatchObject({
      user: { id: desk.person('consultant').id },
      data: { from: { id: desk.person('consultant').id }, to: { id: desk.person('colleague').id }, note: 'Yours' },
    })
    expect(line('state')?.data).toMatchObject({ from: 'open', to: 'closed' })
    expect(line('read')?.user).toMatchObject({ id: desk.person('colleague').id })
    expect(line('rated')).toMatchObject({ user: { id: desk.person('customer').id }, data: { episode: 1, score: 4 } })
  })
  it('shows earlier texts of a room’s messages to staff alone', async () => {
    const room = await buildEventfulRoom()
    const readTexts = async (who: DeskPerson) =>
      (await history(who, room)).results
        .filter(({ action }) => action === 'edited' || action === 'deleted')
        .map(({ data }) => data.text)
    expect(await readTexts('admin')).toEqual(['Right', 'Wrong'])
    expect(await readTexts('colleague')).toEqual([null, null])
  })
  it('shows in the history of a room that a question reopened it', async () => {
    const room = await desk.room()
    await desk.ask('consultant', 'PUT', `/chatrooms/${room}`, { state: 'closed' })
    await desk.sendMessage('customer', room)
    expect((await history('consultant', room)).results[0]).toMatchObject({ action: 'state', data: { to: 'open' } })
  })
  it('returns the history of a room in pages', async () => {
    const room = await buildEventfulRoom()
    const all = (await history('admin', room)).results
    const secondPage = await history('admin', room, 'pagination[page]=2&pagination[pageSize]=3')
    expect(secondPage.results).toEqual(all.slice(3, 6))
    expect(await history('admin', room, 'pagination[page]=9&pagination[pageSize]=3')).toMatchObject({ results: [] })
  })
  it('shows the history of a room to its desk alone', async () => {
    const room = await buildEventfulRoom()
    const statuses = async (path: string) => {
      const answers = (['customer', 'neighbour', 'consultant', 'colleague', 'owner'] as const).map((who) =>
        desk.ask(who, 'GET', `/chatrooms/${room}/${path}`),
      )
      return (await Promise.all(answers)).map(({ status }) => status)
    }
    expect(await statuses('history')).toEqual([403, 404, 200, 200, 200])
    expect(await statuses('ratings')).toEqual([403, 404, 200, 200, 200])
    expect((await desk.ask('owner', 'GET', '/chatrooms/999999/history')).status).toBe(404)
  })
  it('hides the history of a room from a former owner who left the desk', async () => {
    const room = await buildEventfulRoom()
    const formerAssignee = desk.person('consultant').id
    const set = (is_consultant: boolean) =>
      desk.app.database.query(sql`update users set is_consultant = ${is_consultant} where id = ${formerAssignee}`)
    await set(false)
    try {
      const paths = ['', '/changes', '/history', '/ratings']
      const answers = await Promise.all(paths.map((path) => desk.ask('consultant', 'GET', `/chatrooms/${room}${path}`)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 403, 403])
      expect(JSON.stringify(answers)).not.toContain('Yours')
    } finally {
      await set(true)
    }
  })
})
