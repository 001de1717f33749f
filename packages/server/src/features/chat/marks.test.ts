import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from '../../db/sql.ts'
import { describe, expect, it } from 'vitest'
import { startChatWorld } from '../../testing/chat-world.ts'

const world = startChatWorld()
const { ask, get, sendMessage, person, buildRoom } = world

interface Attributes {
  unread_message: number
  first_unread_seq: number | null
  last_seq: number
  can_write: boolean
  cannot_write_reason: string | null
}
const roomOf = async (callerName: 'customer' | 'consultant' | 'colleague' | 'admin', room = world.room()) =>
  (await get<{ data: { attributes: Attributes } }>(callerName, `/chatrooms/${room}`)).data.attributes

describe('the unread count of a room', () => {
  it('counts unread messages above the read mark, after any reads, messages, deletes and marks', async () => {
    const act = fc.record({
      do: fc.constantFrom('arrive', 'arrive', 'arrive', 'own', 'note', 'open', 'openTo', 'delete', 'unread'),
      at: fc.nat(30),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 25 }), async (acts) => {
        const room = await buildRoom({ sender: person('stranger').id })
        const arrivedMessages: { id: number; seq: number; gone: boolean }[] = []
        let [mark, lastRev, top] = [0, 0, 0]
        for (const randomAct of acts) {
          if (randomAct.do === 'arrive' || randomAct.do === 'own' || randomAct.do === 'note') {
            const senderName = randomAct.do === 'arrive' ? 'stranger' : 'consultant'
            const kind = randomAct.do === 'note' ? 'note' : 'message'
            const { data, rev } = await sendMessage(senderName, 'Text', { room, kind })
            lastRev = rev
            if (kind === 'message') top = rev
            if (randomAct.do === 'arrive') arrivedMessages.push({ id: data.id, seq: rev, gone: false })
          } else if (randomAct.do === 'open' || randomAct.do === 'openTo') {
            const seenSeq = randomAct.do === 'open' ? top : Math.min(randomAct.at, top)
            await get(
              'consultant',
              `/seen_messages?room=${room}${randomAct.do === 'open' ? '' : `&upTo=${randomAct.at}`}`,
            )
            mark = Math.max(mark, seenSeq)
          } else if (randomAct.do === 'delete') {
            const target = arrivedMessages[randomAct.at % Math.max(arrivedMessages.length, 1)]
            if (target && !target.gone) {
              await ask('stranger', 'DELETE', `/chatmessages/${target.id}`)
              target.gone = true
              lastRev += 1
            }
          } else {
            await ask('consultant', 'POST', `/chatrooms/${room}/unread`, { from: randomAct.at })
            mark = Math.min(mark, Math.max(randomAct.at - 1, 0))
          }
          const unreadMessages = arrivedMessages.filter(({ seq, gone }) => seq > mark && !gone)
          const { unread_message, first_unread_seq } = await roomOf('consultant', room)
          expect([unread_message, first_unread_seq]).toEqual([unreadMessages.length, unreadMessages[0]?.seq ?? null])
        }
        await world.resourceApp.database.query(sql`delete from chatrooms where id = ${room}`)
      }),
      { numRuns: 8 },
    )
  })

  it.each([
    ['stranger', { from: 1 }, 404],
    ['colleague', { from: 1 }, 404],
    ['consultant', { from: 1 }, 200],
    ['consultant', {}, 422],
    ['consultant', { from: 'x' }, 422],
    ['consultant', { from: -1 }, 422],
    ['consultant', { from: 2_000_000_000 }, 200],
  ] as const)('responds to a %s who marks a room as unread with %j: %i', async (callerName, data, expected) => {
    await sendMessage('customer', 'Hello')
    await get('consultant', `/seen_messages?room=${world.room()}`)
    const { status } = await ask(callerName, 'POST', `/chatrooms/${world.room()}/unread`, data)
    expect(status).toBe(expected)
    expect((await roomOf('consultant')).unread_message).toBe(
      'from' in data && data.from === 1 && expected === 200 ? 1 : 0,
    )
  })
})

describe('can_write of a room', () => {
  it.each([
    ['customer', {}, null],
    ['consultant', {}, null],
    ['admin', {}, 'not-owner'],
    ['consultant', { assignee: 'colleague' }, 'not-owner'],
    ['colleague', { assignee: 'colleague' }, null],
    ['colleague', { receiver: null }, 'unassigned'],
    ['admin', { receiver: null }, 'unassigned'],
    ['customer', { receiver: null }, null],
  ] as const)('gives %s in a room with %j the reason %s for not writing', async (callerName, draft, reason) => {
    const id = world.room()
    const [receiver, assignee] = [
      'receiver' in draft ? null : person('consultant').id,
      'assignee' in draft ? person(draft.assignee).id : null,
    ]
    await world.resourceApp.database.query(sql`
      update chatrooms set receiver_id = ${receiver}::int, assignee_id = ${assignee}::int where id = ${id}`)
    const { can_write, cannot_write_reason } = await roomOf(callerName, id)
    expect([can_write, cannot_write_reason]).toEqual([reason === null, reason])
    const { status } = await ask(callerName, 'POST', '/chatmessages', { room: id, text: 'Hello' })
    expect(status === 200).toBe(reason === null)
  })

  it('refuses messages to a customer whose account is closed, but accepts notes and reads', async () => {
    for (const change of [sql`blocked = true`, sql`blocked = false, removed_at = now()`]) {
      await world.resourceApp.database.query(sql`update users set ${change} where id = ${person('stranger').id}`)
      const room = await buildRoom({ sender: person('stranger').id, receiver: null })
      await world.resourceApp.database.query(
        sql`update chatrooms set assignee_id = ${person('consultant').id} where id = ${room}`,
      )
      expect(await roomOf('consultant', room)).toMatchObject({
        can_write: false,
        cannot_write_reason: 'customer-removed',
      })
      const refusedAnswer = await ask('consultant', 'POST', '/chatmessages', { room, text: 'Hello' })
      expect(refusedAnswer).toMatchObject({ status: 403, body: { error: { code: 'chat.customer-gone' } } })
      await sendMessage('consultant', 'N', { room, kind: 'note' })
      const remainingList = await get<{ results: object[] }>('consultant', `/chatmessages?filters[room]=${room}`)
      expect(remainingList.results).toHaveLength(1)
      await world.resourceApp.database.query(sql`delete from chatrooms where id = ${room}`)
    }
    await world.resourceApp.database.query(
      sql`update users set blocked = false, removed_at = null where id = ${person('stranger').id}`,
    )
  })
})

describe('POST /api/chatrooms/:id/state', () => {
  it.each([
    ['customer', { state: 'closed' }, 403],
    ['colleague', { state: 'closed' }, 404],
    ['consultant', { state: 'closed', reason: 'Done' }, 200],
    ['admin', { state: 'waiting_customer' }, 200],
    ['admin', { state: 'open' }, 200],
    ['admin', {}, 422],
    ['admin', { state: 'gone' }, 422],
    ['admin', { state: 'closed', reason: 5 }, 422],
    ['admin', { state: 'closed', reason: 'a'.repeat(1_001) }, 422],
  ])('responds to a %s who sets the state of a room with %j: %i', async (callerName, data, expected) => {
    const { status, body } = await ask<{ rev: number }>(
      callerName as 'admin',
      'POST',
      `/chatrooms/${world.room()}/state`,
      data,
    )
    expect(status).toBe(expected)
    const movedCount = 'state' in data && data.state === 'open' ? 0 : 1
    expect(body.rev).toBe(expected === 200 ? movedCount : undefined)
  })

  it('ends the wait when a room is closed, and begins one only with the customer’s next message', async () => {
    const setState = async (state: string) =>
      (await ask('consultant', 'POST', `/chatrooms/${world.room()}/state`, { state })).status
    await sendMessage('customer', 'Hello')
    await setState('closed')
    expect(await setState('waiting_customer')).toBe(422)
    const waits = async () =>
      (
        await world.resourceApp.database.query(
          sql`select state, waiting_since is null as calm from chatrooms where id = ${world.room()}`,
        )
      )[0]
    expect(await waits()).toEqual({ state: 'closed', calm: true })
    expect(await setState('open')).toBe(200)
    expect(await waits()).toEqual({ state: 'open', calm: true })
    await setState('closed')
    await sendMessage('customer', 'Again')
    expect(await waits()).toEqual({ state: 'open', calm: false })
  })
})

describe('concurrent requests', () => {
  it('gives each of 100 concurrent messages of twenty authors a contiguous place and one change', async () => {
    const sentMessages: { data: { id: number }; rev: number }[] = []
    const writeFiveMessages = async (writer: number) => {
      for (let attempt = 0; attempt < 5; attempt += 1) {
        const senderName = writer % 2 === 0 ? 'customer' : 'consultant'
        sentMessages.push(await sendMessage(senderName, `Text ${attempt} of ${writer}`, { client_id: randomUUID() }))
      }
    }
    await Promise.all(Array.from({ length: 20 }, (_item, writer) => writeFiveMessages(writer)))
    const revs = sentMessages.map(({ rev }) => rev).toSorted((a, b) => a - b)
    expect(revs).toEqual(Array.from({ length: 100 }, (_item, index) => index + 1))
    const loggedChanges = await world.resourceApp.database.query(sql<{ rev: number; message: number }>`
      select rev, message_id as message from room_changes where room_id = ${world.room()} order by rev`)
    expect(loggedChanges).toEqual(
      sentMessages.map(({ data, rev }) => ({ rev, message: data.id })).toSorted((a, b) => a.rev - b.rev),
    )
  })

  it('stores 50 rows for 50 concurrent requests that were sent twice', async () => {
    const ids = Array.from({ length: 50 }, () => randomUUID())
    const answers: { data: { id: number } }[] = []
    for (const client_id of ids) {
      const repeatedCalls = [
        sendMessage('customer', client_id, { client_id }),
        sendMessage('customer', client_id, { client_id }),
      ]
      answers.push(...(await Promise.all(repeatedCalls)))
    }
    expect(answers).toHaveLength(100)
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(50)
    const [row] = await world.resourceApp.database.query(sql<{ count: number; rev: number }>`
      select count(*)::int as count, max(r.revision) as rev from chatmessages m join chatrooms r on r.id = m.room_id`)
    expect(row).toEqual({ count: 50, rev: 50 })
  })
})

describe('a quoted message', () => {
  it('shows a quoted message until it is deleted', async () => {
    const firstMessage = await sendMessage('customer', 'ў'.repeat(300))
    await sendMessage('consultant', 'This one?', { reply_to: firstMessage.data.id })
    const readQuotedMessage = async () =>
      (
        await get<{ results: { quoted: unknown }[] }>('customer', `/chatmessages?filters[room]=${world.room()}`)
      ).results.at(-1)?.quoted
    expect(await readQuotedMessage()).toMatchObject({
      id: firstMessage.data.id,
      seq: 1,
      text: 'ў'.repeat(200),
      kind: 'message',
      sender: { id: person('customer').id },
    })
    await ask('customer', 'DELETE', `/chatmessages/${firstMessage.data.id}`)
    expect(await readQuotedMessage()).toEqual({ id: firstMessage.data.id, deleted: true })
  })
})
