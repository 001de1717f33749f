import { sql } from '../../../db/sql.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { type DeskPerson, startDesk } from '../../../testing/desk.ts'
import { buildRecord } from '../../../testing/factories.ts'
import { statementsOf } from '../../../testing/statements.ts'

const testDesk = startDesk()
beforeEach(() => testDesk.app.database.query(sql`delete from chatrooms`))

interface Hit {
  message: { id: number; text: string; kind: string }
  room: { id: number; sender: { id: number } }
  snippet: { text: string; hit: boolean }[]
}
interface SearchHits {
  results: Hit[]
  pagination: { total: number; pageCount: number }
}
const search = (callerName: DeskPerson, query: string) =>
  testDesk.read<SearchHits>(callerName, `/chatmessages/search?${query}`)
const texts = async (callerName: DeskPerson, searchText: string, otherParameters = '') =>
  (await search(callerName, `q=${encodeURIComponent(searchText)}${otherParameters}`)).results.map(
    ({ message }) => message.text,
  )
const buildRoomOfStrangers = () =>
  buildRecord(testDesk.app.database, 'chatrooms', {
    sender: testDesk.person('neighbour').id,
    receiver: testDesk.person('colleague').id,
  })

describe('GET /api/chatmessages/search', () => {
  it('finds messages in any spelling and alphabet, and highlights the text found', async () => {
    const room = await testDesk.room()
    for (const text of ['Suv oʻtkazgich buzildi', 'Сув ўтказгич бузилди', "Suv o'tkazgich yana", 'Boshqa gap'])
      await testDesk.sendMessage('customer', room, text)
    for (const searchText of ['oʻtkazgich', "o'tkazgich", 'otkazgich', 'ўтказгич'])
      expect(await texts('consultant', searchText)).toHaveLength(3)
    const { results } = await search('consultant', `q=${encodeURIComponent('ўтказгич сув')}`)
    expect(results[1]).toMatchObject({
      message: { text: 'Сув ўтказгич бузилди', kind: 'message' },
      room: { id: room, sender: { id: testDesk.person('customer').id } },
      snippet: [{ text: 'Сув', hit: true }, { text: ' ', hit: false }, { text: 'ўтказгич', hit: true }, { hit: false }],
    })
  })
  it('returns found messages in pages, newest first, in one statement', async () => {
    const room = await testDesk.room()
    for (const number of [1, 2, 3]) await testDesk.sendMessage('customer', room, `paxta ${number}`)
    const { results, pagination } = await search('consultant', 'q=paxta&pagination[page]=2&pagination[pageSize]=2')
    expect([results.map(({ message }) => message.text), pagination]).toMatchObject([
      ['paxta 1'],
      { total: 3, pageCount: 2 },
    ])
    const statements = await statementsOf(testDesk.app.database, () => search('consultant', 'q=paxta'))
    expect(statements.filter((text) => text.includes('chatmessages'))).toHaveLength(1)
  })
  it('searches only rooms that the caller may read', async () => {
    const [ownRoom, foreignRoom, freeRoom] = [
      await testDesk.room(),
      await buildRoomOfStrangers(),
      await testDesk.room(null),
    ]
    await testDesk.sendMessage('customer', ownRoom, 'paxta own')
    await testDesk.sendMessage('neighbour', foreignRoom, 'paxta foreign')
    await testDesk.sendMessage('customer', freeRoom, 'paxta free')
    expect(await texts('customer', 'paxta')).toEqual(['paxta free', 'paxta own'])
    expect(await texts('neighbour', 'paxta')).toEqual(['paxta foreign'])
    expect(await texts('consultant', 'paxta')).toEqual(['paxta free', 'paxta own'])
    expect(await texts('admin', 'paxta')).toEqual(['paxta free', 'paxta foreign', 'paxta own'])
    expect(await texts('admin', 'paxta', `&room=${foreignRoom}`)).toEqual(['paxta foreign'])
    expect((await testDesk.ask('customer', 'GET', `/chatmessages/search?q=paxta&room=${foreignRoom}`)).status).toBe(404)
    expect((await testDesk.app.app.inject({ url: '/api/chatmessages/search?q=paxta' })).statusCode).toBe(401)
  })
  it('never shows a customer notes or deleted messages', async () => {
    const room = await testDesk.room()
    await testDesk.sendMessage('consultant', room, 'marker-7f3 note', { kind: 'note' })
    const deletedMessage = await testDesk.sendMessage('consultant', room, 'marker-7f3 gone')
    await testDesk.ask('consultant', 'DELETE', `/chatmessages/${deletedMessage}`)
    expect([await texts('customer', 'marker-7f3'), await texts('customer', 'marker-7f3', `&room=${room}`)]).toEqual([
      [],
      [],
    ])
    expect(await texts('consultant', 'marker-7f3')).toEqual(['marker-7f3 note'])
  })
  it('filters found messages by days in the desk’s time zone', async () => {
    const room = await testDesk.room()
    const id = await testDesk.sendMessage('customer', room, 'paxta')
    // The chat message was sent half past midnight of the 21st in Tashkent.
    await testDesk.app.database.query(sql`update chatmessages set created_at = '2026-11-20 19:30+00' where id = ${id}`)
    expect(await texts('admin', 'paxta', '&from=2026-11-21&to=2026-11-21')).toEqual(['paxta'])
    expect(await texts('admin', 'paxta', '&to=2026-11-20')).toEqual([])
    expect(await texts('admin', 'paxta', '&from=2026-11-22')).toEqual([])
  })
  it('searches fewer than three letters in one room only, and no letters nowhere', async () => {
    const room = await testDesk.room()
    await testDesk.sendMessage('customer', room, 'oʻt 100% oʻsdi')
    expect([await texts('admin', 'oʻt'), await texts('admin', 'oʻt', `&room=${room}`)]).toEqual([
      [],
      ['oʻt 100% oʻsdi'],
    ])
    expect(await texts('admin', '100% oʻt')).toHaveLength(1)
    expect([
      await texts('admin', ''),
      await texts('admin', 'ʻʻʻ', `&room=${room}`),
      await texts('admin', '_sd'),
    ]).toEqual([[], [], []])
  })
  it.each([
    'q=paxta&from=yesterday',
    'q=paxta&to=2026-02-30',
    'q=paxta&room=x',
    'q[a]=1',
    `q=${'a'.repeat(201)}`,
    'q=paxta&pagination[page]=x',
  ])('refuses a search for messages with the query %s', async (query) =>
    expect((await testDesk.ask('admin', 'GET', `/chatmessages/search?${query}`)).status).toBe(400),
  )
})
