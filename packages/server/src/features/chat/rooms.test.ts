import { sql } from '../../db/sql.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { buildRecord, buildRegion, buildTag, buildUpload, buildTranslation } from '../../testing/factories.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { statementsOf } from '../../testing/statements.ts'

const people: Record<string, TestPerson> = {}
const region: Record<string, number> = {}
const resourceApp = startResourceApp(async (app) => {
  region.one = await buildRegion(app.database)
  const avatar = await buildUpload(app.database, { url: '/uploads/face.png' })
  people.admin = await buildPerson(app, 'admin')
  people.customer = await buildPerson(app, 'authenticated', {
    name: 'Aygul',
    surname: 'Oʻrinova',
    language: 'uz',
    avatar,
    region: region.one,
  })
  people.neighbour = await buildPerson(app, 'authenticated', { name: 'Berdaq' })
  people.consultant = await buildConsultant(app)
  people.colleague = await buildConsultant(app)
})
const person = (name: string): TestPerson => {
  const foundPerson = people[name]
  if (!foundPerson) throw new Error(name)
  return foundPerson
}
beforeEach(() => resourceApp.database.query(sql`delete from chatrooms`))

interface Room extends Record<string, unknown> {
  id: number
  unread_message: number
}
interface Rooms {
  results: Room[]
  pagination: object
  counts: Record<string, number>
}
const buildRoom = (sender: string, receiver: string | null, draft: object = {}) =>
  buildRecord(resourceApp.database, 'chatrooms', {
    sender: person(sender).id,
    receiver: receiver === null ? null : person(receiver).id,
    ...draft,
  })
const get = async <T>(callerName: string, url: string): Promise<T> => {
  const { status, body } = await person(callerName).ask('GET', url)
  if (status !== 200) throw new Error(`${url}: ${JSON.stringify(body)}`)
  return body as T
}
const readOwnRooms = (callerName: string, query = '') => get<Rooms>(callerName, `/get_customized_rooms?${query}`)
const ids = ({ results }: Pick<Rooms, 'results'>) => results.map(({ id }) => id)
const writeMessage = async (callerName: string, room: number, text = 'Hello') => {
  const { status, body } = await person(callerName).ask('POST', '/chatmessages', { data: { room, text } })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return (body as { rev: number }).rev
}
const openRoom = (callerName: string, data: object, url = '/chatrooms') => person(callerName).ask('POST', url, { data })
const idOf = ({ body }: { body: unknown }) => (body as { data: { id: number } }).data.id

describe('POST /api/chatrooms', () => {
  it('returns a new room with the caller as sender', async () => {
    const { status, body } = await openRoom(
      'customer',
      { receiver: person('consultant').id },
      '/chatrooms?populate=sender,receiver,region',
    )
    expect([status, body]).toMatchObject([
      200,
      {
        data: {
          attributes: {
            room: `room-${idOf({ body })}`,
            state: 'open',
            rev: 0,
            unread_message: 0,
            last_message: null,
            language: 'uz',
            region: { data: { id: region.one } },
            sender: { data: { id: person('customer').id } },
            receiver: { data: { id: person('consultant').id } },
          },
        },
        meta: {},
      },
    ])
  })
  it('returns the existing room of a pair, whoever opens it', async () => {
    const firstRoom = await openRoom('customer', { receiver: person('consultant').id })
    const pair = { sender: person('customer').id, receiver: person('consultant').id }
    for (const callerName of ['customer', 'consultant', 'admin'])
      expect(idOf(await openRoom(callerName, pair))).toBe(idOf(firstRoom))
    expect(idOf(await openRoom('neighbour', { receiver: person('consultant').id }))).not.toBe(idOf(firstRoom))
  })
  it('creates one room for ten concurrent requests, with a receiver and without', async () => {
    for (const data of [{ receiver: person('consultant').id }, {}]) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => openRoom('customer', data)))
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
      expect(new Set(answers.map(idOf)).size).toBe(1)
    }
  })
  it.each([
    ['customer', 'neighbour', 'consultant', 403],
    ['consultant', 'customer', 'colleague', 403],
    ['consultant', 'customer', null, 403],
    ['consultant', 'customer', 'consultant', 200],
    ['admin', 'customer', 'consultant', 200],
    ['customer', 'customer', 'neighbour', 422],
    ['customer', 'customer', 'admin', 200],
    ['consultant', 'consultant', 'consultant', 422],
    ['consultant', 'consultant', 'colleague', 200],
    ['admin', 'customer', 'neighbour', 422],
  ])('responds to %s who opens a room of %s with %s: %i', async (callerName, sender, receiver, expected) => {
    const { status, body } = await openRoom(callerName, {
      sender: person(sender).id,
      receiver: receiver === null ? null : person(receiver).id,
    })
    expect(status).toBe(expected)
    const refusal = { error: { message: 'you cannot write on behalf of another consultant' } }
    expect(body).toMatchObject(expected === 403 ? refusal : {})
  })
  it.each([
    [{ receiver: 'abc' }, 'receiver'],
    [{ receiver: 2_000_000_000 }, 'receiver'],
    [{ sender: 2_000_000_000 }, 'sender'],
    [{ language: 'de' }, 'language'],
    [{ region: 2_000_000_000 }, 'region'],
  ])('refuses the new room %j with 422 on %s', async (data, path) => {
    expect(await openRoom('admin', data)).toMatchObject({
      status: 422,
      body: { error: { details: { errors: [{ path: [path] }] } } },
    })
  })
  it('returns 422 for a new room without data', async () => {
    for (const body of [{}, { data: null }])
      expect((await person('customer').ask('POST', '/chatrooms', body)).status).toBe(422)
  })
  it('ignores fields of the desk in a new room of a customer', async () => {
    const id = idOf(
      await openRoom('customer', { assignee: person('colleague').id, state: 'closed', rev: 9, tags: [1] }),
    )
    expect(await get('admin', `/chatrooms/${id}?populate=assignee,tags`)).toMatchObject({
      data: { attributes: { state: 'open', rev: 0, assignee: { data: null }, tags: { data: [] } } },
    })
  })
})

describe('GET /api/chatrooms/:id', () => {
  it('shows both members of a room with their pictures, also when populate names the key', async () => {
    const id = await buildRoom('customer', 'consultant')
    const url = `/chatrooms/${id}?populate[receiver][populate]=avatar&populate[sender][populate]=avatar&populate[room]=true`
    expect(await get('customer', url)).toMatchObject({
      data: {
        id,
        attributes: {
          room: `room-${id}`,
          sender: {
            data: {
              attributes: { first_name: 'Aygul', avatar: { data: { attributes: { url: '/uploads/face.png' } } } },
            },
          },
          receiver: { data: { id: person('consultant').id, attributes: { avatar: { data: null } } } },
        },
      },
    })
  })
  it.each([
    ['customer', 200, 404],
    ['neighbour', 404, 404],
    ['consultant', 200, 200],
    ['colleague', 404, 200],
    ['admin', 200, 200],
  ])(
    'responds to %s who reads a room with %i, and a free room with %i',
    async (callerName, takenStatus, freeStatus) => {
      const [a, b] = [await buildRoom('customer', 'consultant'), await buildRoom('admin', null)]
      expect((await person(callerName).ask('GET', `/chatrooms/${a}`)).status).toBe(takenStatus)
      expect((await person(callerName).ask('GET', `/chatrooms/${b}`)).status).toBe(freeStatus)
      const { results } = await get<Rooms>(callerName, '/chatrooms')
      expect(ids({ results })).toEqual([...(takenStatus === 200 ? [a] : []), ...(freeStatus === 200 ? [b] : [])])
    },
  )
})

const facePicture = { id: expect.any(Number) as unknown, url: '/uploads/face.png' }

describe('the lists of rooms', () => {
  it.each(['/chatrooms', '/get_customized_rooms'])('returns flat rooms from %s', async (url) => {
    const tag = await buildTag(resourceApp.database, { name: 'Maize', color: '#1a2b3c' })
    await buildTranslation(resourceApp.database, 'tags', tag, 'ru', { name: 'Кукуруза' })
    const id = await buildRoom('customer', 'consultant', { tags: [tag], language: 'ru' })
    await writeMessage('customer', id, 'Question')
    const { results, pagination } = await get<Rooms>('consultant', url)
    const users = await resourceApp.database.query(
      sql<{ id: number; username: string }>`select id, username from users`,
    )
    const card = (callerName: string) => ({
      id: person(callerName).id,
      username: users.find((listedUser) => listedUser.id === person(callerName).id)?.username,
    })
    expect({ results, pagination }).toEqual({
      results: [
        {
          id,
          room: `room-${id}`,
          sender: {
            ...card('customer'),
            first_name: 'Aygul',
            last_name: 'Oʻrinova',
            avatar: facePicture,
          },
          receiver: {
            ...card('consultant'),
            first_name: null,
            last_name: null,
            avatar: null,
          },
          unread_message: 1,
          last_message: {
            id: expect.any(Number) as unknown,
            text: 'Question',
            kind: 'message',
            createdAt: expect.stringMatching(/Z$/) as unknown,
            sender: person('customer').id,
          },
          createdAt: expect.stringMatching(/Z$/) as unknown,
          updatedAt: expect.stringMatching(/Z$/) as unknown,
          rev: 1,
          assignee: null,
          state: 'open',
          language: 'ru',
          waiting_since: expect.stringMatching(/Z$/) as unknown,
          warn_at: expect.stringMatching(/Z$/) as unknown,
          due_at: expect.stringMatching(/Z$/) as unknown,
          tags: [
            {
              id: expect.any(Number) as unknown,
              name: expect.any(String) as unknown,
              color: '#1a2b3c',
            },
          ],
        },
      ],
      pagination: { page: 1, pageSize: 15, pageCount: 1, total: 1 },
    })
  })
  it.each(['/chatrooms', '/get_customized_rooms?filters[unread]=true', '/chatmessages', '/chatmessages?after=0'])(
    'reads %s in one statement',
    async (url) => {
      const id = await buildRoom('customer', 'consultant')
      await writeMessage('customer', id)
      const listUrl = url.startsWith('/chatmessages')
        ? `${url}${url.includes('?') ? '&' : '?'}filters[room]=${id}`
        : url
      await get('consultant', listUrl)
      const statements = await statementsOf(resourceApp.database, () => get('consultant', listUrl))
      expect(statements.filter((text) => !/\bsessions\b/.test(text))).toHaveLength(1)
    },
  )
  it('sorts rooms by their last messages, in any order of creation', async () => {
    const [a, b, thirdRoom] = [
      await buildRoom('customer', 'consultant'),
      await buildRoom('neighbour', 'consultant'),
      await buildRoom('colleague', 'consultant'),
    ]
    await writeMessage('neighbour', b)
    await writeMessage('customer', a)
    // A note and a change of the state leave the order of the chat rooms unchanged.
    await person('consultant').ask('POST', '/chatmessages', { data: { room: b, text: 'N', kind: 'note' } })
    await person('consultant').ask('PUT', `/chatrooms/${b}`, { data: { state: 'waiting_customer' } })
    const [firstId, secondId] = ids(await readOwnRooms('consultant'))
    expect([firstId, secondId]).toEqual([a, b])
    expect(ids(await readOwnRooms('consultant', 'sort=waiting'))).toEqual([b, a, thirdRoom])
    await get('consultant', `/seen_messages?room=${a}`)
    expect(ids(await readOwnRooms('consultant', 'sort=unread'))[0]).toBe(b)
    expect((await readOwnRooms('consultant', 'pagination[page]=2&pagination[pageSize]=2')).pagination).toEqual({
      page: 2,
      pageSize: 2,
      pageCount: 2,
      total: 3,
    })
  })
  it('lists own rooms, for a consultant also free ones, with counts', async () => {
    const a = await buildRoom('customer', 'consultant')
    const b = await buildRoom('neighbour', null)
    const thirdRoom = await buildRoom('customer', 'colleague', { assignee: person('consultant').id })
    await buildRoom('neighbour', 'colleague')
    await writeMessage('customer', a)
    await writeMessage('neighbour', b)
    await resourceApp.database.query(sql`update chatrooms set due_at = now() - interval '1 minute' where id = ${a}`)
    const answer = await readOwnRooms('consultant')
    expect(ids(answer).toSorted((x, y) => x - y)).toEqual([a, b, thirdRoom])
    expect(answer.counts).toEqual({ all: 3, mine: 2, unassigned: 1, unread: 2, waiting: 2, breached: 1 })
    expect(ids(await readOwnRooms('consultant', 'filters[breached]=true'))).toEqual([a])
    expect(ids(await readOwnRooms('consultant', 'filters[breached]=false')).toSorted((x, y) => x - y)).toEqual([
      b,
      thirdRoom,
    ])
    const narrowedRooms = await readOwnRooms('consultant', 'filters[assignee]=none')
    expect([ids(narrowedRooms), narrowedRooms.counts, narrowedRooms.pagination]).toEqual([
      [b],
      answer.counts,
      { page: 1, pageSize: 15, pageCount: 1, total: 1 },
    ])
    expect((await readOwnRooms('admin')).counts.all).toBe(0)
    expect(ids(await readOwnRooms('customer')).toSorted((x, y) => x - y)).toEqual([a, thirdRoom])
    expect(ids(await readOwnRooms('neighbour'))).toHaveLength(2)
    const emptyList = await readOwnRooms('consultant', 'filters[state]=closed')
    expect([emptyList.results, emptyList.counts.all]).toEqual([[], 3])
  })
  it('combines the filters of rooms of chat §4', async () => {
    const otherRegion = await buildRegion(resourceApp.database)
    const category = await buildRecord(resourceApp.database, 'consultationcategories', { name: 'Pests' })
    const a = await buildRoom('customer', 'consultant', { region: region.one, category, language: 'ru' })
    const b = await buildRoom('neighbour', 'colleague', {
      assignee: person('consultant').id,
      region: otherRegion,
      language: 'uz',
      state: 'closed',
    })
    await writeMessage('customer', a, 'My potatoes are ill')
    await resourceApp.database.query(
      sql`update chatrooms set waiting_since = now() - interval '90 minutes' where id = ${a}`,
    )
    const cases: [string, number[]][] = [
      ['filters[unread]=true', [a]],
      ['filters[unread]=false', [b]],
      ['filters[assignee]=me', [a, b]],
      [`filters[assignee]=${person('consultant').id}`, [b]],
      ['filters[assignee][$eq]=none', []],
      ['filters[state]=closed', [b]],
      [`filters[region]=${region.one}`, [a]],
      [`filters[category]=${category}`, [a]],
      [`filters[category]=${category}&filters[state]=closed`, []],
      ['filters[language]=uz', [b]],
      ['filters[waiting_over]=60', [a]],
      ['filters[waiting_over]=120', []],
      ['filters[unread]=true&filters[state]=open&filters[language]=ru', [a]],
      ['filters[unread]=true&filters[state]=closed', []],
      ['q=aygul', [a]],
      ['q=o%27rinova', [a]],
      ['q=ўринова', [a]],
      ['q=BERDAQ', [b]],
      ['q=potato', [a]],
      ['q=potato&filters[state]=closed', []],
      ['q=%25', []],
    ]
    for (const [query, expected] of cases)
      expect([query, ids(await readOwnRooms('consultant', query)).toSorted((x, y) => x - y)]).toEqual([query, expected])
  })
  it.each([
    'filters[bogus]=1',
    'filters[unread]=maybe',
    'filters[assignee]=x',
    'filters[region]=x',
    'filters[category]=x',
    'filters[language]=de',
    'filters[waiting_over]=x',
    'filters=x',
    'sort=bogus',
    'pagination[page]=x',
  ])('refuses the malformed query %s for rooms', async (query) => {
    expect((await person('consultant').ask('GET', `/get_customized_rooms?${query}`)).status).toBe(400)
  })
  it('accepts generic queries on the generic route of rooms', async () => {
    const a = await buildRoom('customer', 'consultant')
    await buildRoom('neighbour', 'consultant', { state: 'closed' })
    expect(ids(await get<Rooms>('admin', '/chatrooms?filters[state]=open&sort=id:desc'))).toEqual([a])
    expect(ids(await get<Rooms>('admin', '/chatrooms?filters[sender][username][$null]=true'))).toEqual([])
    expect((await person('admin').ask('GET', '/chatrooms?filters[bogus]=1')).status).toBe(400)
  })
})

describe('GET /api/seen_messages', () => {
  interface SeenMessages {
    data: { room: number; unread_message: number; last_read_seq: number }
  }
  const readSeenMessages = (callerName: string, room: number, extraQuery = '') =>
    get<SeenMessages>(callerName, `/seen_messages?room=${room}${extraQuery}`)
  const readUnreadCount = async (callerName: string, id: number) =>
    (await readOwnRooms(callerName)).results.find((room) => room.id === id)?.unread_message
  it('raises the read mark that each user has in a room', async () => {
    const id = await buildRoom('customer', 'consultant')
    for (let index = 0; index < 3; index += 1) await writeMessage('customer', id)
    await writeMessage('consultant', id)
    expect([await readUnreadCount('consultant', id), await readUnreadCount('customer', id)]).toEqual([3, 1])
    expect(await readSeenMessages('consultant', id, '&upTo=2')).toEqual({
      data: { room: id, unread_message: 1, last_read_seq: 2 },
    })
    expect(await readSeenMessages('consultant', id, '&upTo=1')).toEqual({
      data: { room: id, unread_message: 1, last_read_seq: 2 },
    })
    expect(await readUnreadCount('consultant', id)).toBe(1)
    expect(await readSeenMessages('consultant', id)).toEqual({
      data: { room: id, unread_message: 0, last_read_seq: 4 },
    })
    expect(await readSeenMessages('consultant', id)).toEqual({
      data: { room: id, unread_message: 0, last_read_seq: 4 },
    })
    expect(await readSeenMessages('consultant', id, '&upTo=999')).toMatchObject({ data: { last_read_seq: 4 } })
    expect([await readUnreadCount('consultant', id), await readUnreadCount('customer', id)]).toEqual([0, 1])
    await writeMessage('customer', id)
    expect(await readUnreadCount('consultant', id)).toBe(1)
  })
  it('ignores notes and deleted messages in the unread count', async () => {
    const id = await buildRoom('customer', 'consultant')
    await writeMessage('customer', id)
    await person('admin').ask('POST', '/chatmessages', { data: { room: id, text: 'N', kind: 'note' } })
    expect(await readUnreadCount('consultant', id)).toBe(1)
    const { results } = await get<{ results: { id: number }[] }>('customer', `/chatmessages?filters[room]=${id}`)
    await person('customer').ask('DELETE', `/chatmessages/${results[0]?.id}`)
    expect(await readUnreadCount('consultant', id)).toBe(0)
  })
  it('shows the other side that a message was seen, except by observing staff', async () => {
    const id = await buildRoom('customer', 'consultant')
    await writeMessage('customer', id)
    await writeMessage('consultant', id)
    const flags = async () =>
      (await get<{ results: { seen: boolean }[] }>('customer', `/chatmessages?filters[room]=${id}`)).results.map(
        (message) => message.seen,
      )
    await readSeenMessages('admin', id)
    expect(await flags()).toEqual([false, false])
    await readSeenMessages('customer', id)
    expect(await flags()).toEqual([false, true])
    await readSeenMessages('consultant', id)
    expect(await flags()).toEqual([true, true])
  })
  it('forbids caching of the unread count', async () => {
    const id = await buildRoom('customer', 'consultant')
    const { headers } = await person('customer').ask('GET', `/seen_messages?room=${id}`)
    expect(headers['cache-control']).toBe('no-store')
  })
  it.each([
    ['neighbour', 404],
    ['colleague', 404],
    ['admin', 200],
  ])('responds to a read mark of %s in a room of others with %i', async (callerName, expected) => {
    const id = await buildRoom('customer', 'consultant')
    expect((await person(callerName).ask('GET', `/seen_messages?room=${id}`)).status).toBe(expected)
    const [row] = await resourceApp.database.query(
      sql<{ count: number }>`select count(*)::int as count from chat_reads`,
    )
    expect(row?.count).toBe(expected === 200 ? 1 : 0)
  })
  it.each(['', '?room=', '?room=x', '?room=-1', '?room=1&upTo=x', '?room[a]=1'])(
    'refuses the query “%s” of a read mark with 422',
    async (query) => {
      expect((await person('customer').ask('GET', `/seen_messages${query}`)).status).toBe(422)
    },
  )
  it('returns 404 for a read mark in a room that does not exist', async () => {
    expect((await person('customer').ask('GET', '/seen_messages?room=2000000000')).status).toBe(404)
  })
})

describe('POST /api/chatrooms/:id/assign', () => {
  const assignRoomTo = (callerName: string, room: number, data: object) =>
    person(callerName).ask('POST', `/chatrooms/${room}/assign?populate=assignee`, { data })
  const personIdOf = (callerName: string | null) => (callerName === null ? null : person(callerName).id)
  const assigneeOf = (body: unknown) =>
    (body as { data: { attributes: { assignee: { data: { id: number } | null } } } }).data.attributes.assignee.data
      ?.id ?? null
  it.each([
    // Each row of the log names the caller, the present owner, the new owner and the status.
    ['consultant', null, 'consultant', 200],
    ['consultant', null, 'colleague', 403],
    ['consultant', 'consultant', 'colleague', 200],
    ['consultant', 'colleague', 'consultant', 409],
    ['admin', 'colleague', 'consultant', 200],
    ['admin', 'colleague', 'admin', 200],
    ['admin', 'colleague', 'neighbour', 422],
    ['admin', 'colleague', 'customer', 422],
    ['neighbour', 'colleague', 'neighbour', 404],
    ['neighbour', null, 'neighbour', 404],
    ['customer', 'colleague', 'consultant', 403],
    ['customer', null, 'customer', 403],
  ])('responds to %s who gives the room of %s to %s with %i', async (callerName, owner, taker, expected) => {
    const id = await buildRoom('customer', owner)
    const { status, body } = await assignRoomTo(callerName, id, { to: personIdOf(taker), note: 'He knows maize' })
    expect(status).toBe(expected)
    const loggedChanges = await resourceApp.database.query(sql`
      select rev, type, audience, data from room_changes where room_id = ${id}`)
    const change = { from: personIdOf(owner), to: personIdOf(taker), note: 'He knows maize' }
    expect(loggedChanges).toEqual(
      expected === 200 ? [{ rev: 1, type: 'assigned', audience: 'staff', data: change }] : [],
    )
    expect(expected === 200 ? assigneeOf(body) : null).toBe(expected === 200 ? personIdOf(taker) : null)
    expect(body).toMatchObject(
      expected === 409 ? { error: { details: { owner: { id: personIdOf(owner), avatar: null } } } } : {},
    )
  })
  it('requires a note for a hand-over of a room, but not for taking a free room', async () => {
    const id = await buildRoom('customer', 'consultant')
    const refusedAnswer = await assignRoomTo('consultant', id, { to: personIdOf('colleague') })
    expect([refusedAnswer.status, refusedAnswer.body]).toMatchObject([
      422,
      { error: { details: { errors: [{ path: ['note'] }] } } },
    ])
    const freeRoom = await buildRoom('neighbour', null)
    expect((await assignRoomTo('colleague', freeRoom, { to: personIdOf('colleague') })).status).toBe(200)
    expect((await assignRoomTo('admin', id, { to: personIdOf('admin'), from: personIdOf('consultant') })).status).toBe(
      200,
    )
  })
  it('returns a room to its receiver', async () => {
    const id = await buildRoom('customer', 'consultant', { assignee: personIdOf('colleague') })
    const answer = await assignRoomTo('colleague', id, { to: null, note: 'Yours' })
    expect([answer.status, assigneeOf(answer.body)]).toEqual([200, null])
    await writeMessage('consultant', id)
    expect((await person('colleague').ask('GET', `/chatrooms/${id}`)).status).toBe(404)
  })
  it('returns the present owner when `from` differs, and gives a room to one of two concurrent takers', async () => {
    const id = await buildRoom('customer', 'colleague')
    expect(await assignRoomTo('admin', id, { to: personIdOf('consultant'), from: null, note: 'N' })).toMatchObject({
      status: 409,
    })
    const freeRoom = await buildRoom('neighbour', null)
    const answers = await Promise.all(
      ['consultant', 'colleague'].map((callerName) =>
        assignRoomTo(callerName, freeRoom, { to: personIdOf(callerName), from: null }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })
  it.each([[{}], [{ to: 'x' }], [{ to: 2_000_000_000, note: 'N' }], [{ to: null, note: 5 }]])(
    'refuses to assign a room with the body %j with 422',
    async (data) => {
      expect((await assignRoomTo('admin', await buildRoom('customer', 'consultant'), data)).status).toBe(422)
    },
  )
  it('returns 404 for the assignment of a room that does not exist', async () => {
    expect((await assignRoomTo('admin', 2_000_000_000, { to: personIdOf('consultant'), note: 'N' })).status).toBe(404)
  })
})

describe('DELETE /api/chatrooms/:id', () => {
  it('deletes everything that belongs to a deleted room', async () => {
    const id = await buildRoom('customer', 'consultant')
    await writeMessage('customer', id)
    await get('customer', `/seen_messages?room=${id}`)
    expect((await person('consultant').ask('DELETE', `/chatrooms/${id}`)).status).toBe(403)
    expect((await person('admin').ask('DELETE', `/chatrooms/${id}`)).status).toBe(200)
    for (const table of ['chatmessages', 'chat_reads', 'room_changes'])
      expect(await resourceApp.database.query(sql`select 1 from ${sql.table(table)}`)).toEqual([])
  })
})
