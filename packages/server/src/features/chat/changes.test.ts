import { randomUUID } from 'node:crypto'
import type { ChatMessage, RoomChange, RoomChanges } from '@dala/model'
import fc from 'fast-check'
import { sql } from '../../db/sql.ts'
import { describe, expect, it } from 'vitest'
import { startChatWorld } from '../../testing/chat-world.ts'
import { statementsOf } from '../../testing/statements.ts'

const world = startChatWorld()
const { ask, get, sendMessage, person } = world

const changesOf = (callerName: 'customer' | 'consultant' | 'admin', query = '') =>
  get<RoomChanges>(callerName, `/chatrooms/${world.room()}/changes${query}`)

interface Page {
  results: ChatMessage[]
  rev: number
}
const pageOf = (callerName: 'customer' | 'consultant') =>
  get<Page>(callerName, `/chatmessages?filters[room]=${world.room()}&after=0&limit=100`)

/** Applies changes of a chat room to its messages, as a client does. */
function applyChanges(messages: readonly ChatMessage[], changes: readonly RoomChange[]): ChatMessage[] {
  const messagesById = new Map(messages.map((message) => [message.id, message]))
  for (const change of changes) {
    if (change.type !== 'created' && change.type !== 'updated' && change.type !== 'deleted') continue
    const { data } = change
    if ('partial' in data) throw new Error('Nothing is partial here')
    if ('deleted' in data) messagesById.delete(data.id)
    else messagesById.set(data.id, data)
  }
  return [...messagesById.values()].toSorted((a, b) => a.seq - b.seq)
}

/** Fetches all changes of a chat room after a revision, in pages. */
async function readMissedChanges(
  callerName: 'customer' | 'consultant',
  afterRevision: number,
  limit: number,
): Promise<RoomChange[]> {
  const foundChanges: RoomChange[] = []
  for (let fromRevision = afterRevision; ;) {
    const page = await changesOf(callerName, `?after=${fromRevision}&limit=${limit}`)
    expect(page.reset).toBe(false)
    foundChanges.push(...page.results)
    fromRevision = page.results.at(-1)?.rev ?? fromRevision
    if (page.complete) return foundChanges
  }
}

const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('send' as const), by: fc.constantFrom('customer', 'owner') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('note' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('edit', 'delete'), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('assign' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('waiting_customer', 'open', 'closed') }) },
)

describe('GET /api/chatrooms/:id/changes', () => {
  it('turns the messages of any revision into the present messages, for both sides, without a gap', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(act, { minLength: 4, maxLength: 14 }),
        fc.integer({ min: 1, max: 5 }),
        async (acts, limit) => {
          await world.resourceApp.database.query(sql`delete from chatrooms`)
          const room = await world.buildRoom()
          const list = `/chatmessages?filters[room]=${room}&after=0&limit=100`
          const writtenMessages: { id: number; by: 'customer' | 'consultant' | 'colleague' | 'admin' }[] = []
          let owner: 'consultant' | 'colleague' = 'consultant'
          const seenPages: { who: 'customer' | 'admin'; page: Page }[] = []
          for (const randomAct of acts) {
            if (randomAct.do === 'send' || randomAct.do === 'note') {
              const authorName = randomAct.do === 'note' ? 'admin' : randomAct.by === 'customer' ? 'customer' : owner
              const data = { room, kind: randomAct.do === 'note' ? 'note' : 'message', client_id: randomUUID() }
              writtenMessages.push({
                id: (await sendMessage(authorName, `By ${authorName}`, data)).data.id,
                by: authorName,
              })
            } else if (randomAct.do === 'edit' || randomAct.do === 'delete') {
              const target =
                'which' in randomAct
                  ? writtenMessages[randomAct.which % Math.max(writtenMessages.length, 1)]
                  : undefined
              if (target && randomAct.do === 'edit')
                await ask(target.by, 'PUT', `/chatmessages/${target.id}`, { text: randomUUID() })
              if (target && randomAct.do === 'delete') await ask(target.by, 'DELETE', `/chatmessages/${target.id}`)
            } else if (randomAct.do === 'assign') {
              owner = owner === 'consultant' ? 'colleague' : 'consultant'
              await ask('admin', 'POST', `/chatrooms/${room}/assign`, { to: person(owner).id, note: 'Yours' })
            } else await ask('admin', 'POST', `/chatrooms/${room}/state`, { state: randomAct.do, reason: 'So' })
            for (const callerName of ['customer', 'admin'] as const)
              seenPages.push({ who: callerName, page: await get<Page>(callerName, list) })
          }
          for (const callerName of ['customer', 'admin'] as const) {
            const pages = seenPages.filter((seenPage) => seenPage.who === callerName).map(({ page }) => page)
            const now = pages.at(-1)
            for (const { results, rev } of [{ results: [], rev: 0 }, ...pages]) {
              const foundChanges: RoomChange[] = []
              for (let fromRevision = rev; ;) {
                const page = await get<RoomChanges>(
                  callerName,
                  `/chatrooms/${room}/changes?after=${fromRevision}&limit=${limit}`,
                )
                expect([page.reset, page.rev]).toEqual([false, now?.rev])
                foundChanges.push(...page.results)
                fromRevision = page.results.at(-1)?.rev ?? fromRevision
                if (page.complete) break
              }
              // For one side of a chat room, each change continues where the previous one ended.
              foundChanges.reduce(
                (lastRevision, { prev, rev: nextRevision }) => (expect(prev).toBe(lastRevision), nextRevision),
                rev,
              )
              expect(applyChanges(results, foundChanges)).toEqual(now?.results)
            }
          }
          const answer = await get<RoomChanges>('admin', `/chatrooms/${room}/changes`)
          const loggedChanges = await world.resourceApp.database.query(sql<{ rev: number }>`
          select rev, rev - 1 as prev, type from room_changes where room_id = ${room} order by rev`)
          expect(answer.results.map(({ rev, prev, type }) => ({ rev, prev, type }))).toEqual(loggedChanges)
        },
      ),
      { numRuns: 8 },
    )
  })

  it('returns changed messages in their present state, so a deleted message is deleted in each change', async () => {
    const { data } = await sendMessage('customer', 'Hello')
    await ask('customer', 'PUT', `/chatmessages/${data.id}`, { text: 'Hello there' })
    expect((await changesOf('customer')).results.map((roomChange) => roomChange.data)).toMatchObject([
      { text: 'Hello there' },
      { text: 'Hello there' },
    ])
    await ask('customer', 'DELETE', `/chatmessages/${data.id}`)
    const deletedMessage = { id: data.id, deleted: true }
    expect((await changesOf('consultant')).results.map((roomChange) => roomChange.data)).toEqual([
      deletedMessage,
      deletedMessage,
      deletedMessage,
    ])
    expect(await pageOf('customer')).toMatchObject({ results: [], rev: 3 })
  })

  it('hides hand-overs and the reason for closing a room from the customer', async () => {
    await ask('admin', 'POST', `/chatrooms/${world.room()}/assign`, { to: person('colleague').id, note: 'He is away' })
    await ask('colleague', 'POST', `/chatrooms/${world.room()}/state`, { state: 'closed', reason: 'He is rude' })
    const [forDesk, forCustomer] = [await changesOf('admin'), await changesOf('customer')]
    const step = { from: 'open', to: 'closed' }
    expect(forDesk.results).toEqual([
      {
        rev: 1,
        prev: 0,
        type: 'assigned',
        data: { from: person('consultant').id, to: person('colleague').id, note: 'He is away' },
      },
      { rev: 2, prev: 1, type: 'state', data: { ...step, reason: 'He is rude' } },
    ])
    expect(forCustomer).toEqual({
      results: [{ rev: 2, prev: 0, type: 'state', data: { ...step, reason: null } }],
      rev: 2,
      complete: true,
      reset: false,
    })
  })

  it('ends the changes of a room for the customer with the last public change, even if notes follow', async () => {
    await sendMessage('customer', 'Hello')
    await sendMessage('consultant', 'N', { kind: 'note' })
    expect(await changesOf('customer', '?after=1')).toEqual({ results: [], rev: 1, complete: true, reset: false })
    expect((await changesOf('consultant', '?after=1')).results).toHaveLength(1)
    for (const url of ['/chatrooms', '/get_customized_rooms'])
      expect((await get<{ results: { rev: number }[] }>('customer', url)).results[0]?.rev).toBe(1)
    const roomAnswer = await get<{ data: { attributes: object } }>('customer', `/chatrooms/${world.room()}`)
    expect([roomAnswer.data.attributes, (await pageOf('customer')).rev]).toMatchObject([{ rev: 1, last_seq: 1 }, 1])
  })

  it('asks a chat client for a reset when it is ahead, or more than 5,000 changes behind', async () => {
    const room = world.room()
    expect(await changesOf('customer', '?after=1')).toEqual({ results: [], rev: 0, complete: false, reset: true })
    await world.resourceApp.database.query(sql`
      insert into room_changes (room_id, rev, type, audience)
      select ${room}, n, 'state', 'public' from generate_series(1, 5001) n`)
    await world.resourceApp.database.query(sql`update chatrooms set revision = 5001 where id = ${room}`)
    expect(await changesOf('consultant')).toMatchObject({ results: [], reset: true, rev: 5_001 })
    const nearbyChanges = await changesOf('consultant', '?after=1')
    expect([nearbyChanges.results.length, nearbyChanges.reset, nearbyChanges.complete]).toEqual([200, false, false])
    expect((await changesOf('consultant', '?after=4900')).complete).toBe(true)
  })

  it('reads the changes of a room in one statement', async () => {
    await sendMessage('customer', 'Hello')
    await changesOf('consultant')
    const statements = await statementsOf(world.resourceApp.database, () => changesOf('consultant'))
    expect(statements.filter((text) => !/\bsessions\b/.test(text))).toHaveLength(1)
  })

  it.each([
    ['stranger', '', 404],
    ['colleague', '', 404],
    ['admin', '', 200],
    ['customer', '?after=x', 400],
    ['customer', '?after=-1', 400],
    ['customer', '?limit=x', 400],
    ['customer', '?limit=100000', 200],
  ] as const)(
    'responds to a %s who requests the changes of a room with the query “%s”: %i',
    async (callerName, query, expected) => {
      expect((await ask(callerName, 'GET', `/chatrooms/${world.room()}/changes${query}`)).status).toBe(expected)
    },
  )
  it('returns 404 for the changes of a room that does not exist', async () => {
    expect((await ask('admin', 'GET', '/chatrooms/2000000000/changes')).status).toBe(404)
  })
  it('returns all missed changes of a room in pages of any size', async () => {
    for (let index = 0; index < 7; index += 1) await sendMessage('customer', `Number ${index}`)
    for (const limit of [1, 3, 7, 200]) expect(await readMissedChanges('consultant', 2, limit)).toHaveLength(5)
  })
})
