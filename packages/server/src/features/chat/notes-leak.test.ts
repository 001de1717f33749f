import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { startChatWorld } from '../../testing/chat-world.ts'
import { waitUntil } from '../../testing/eventually.ts'

const world = startChatWorld({ CHAT_TICK_SECONDS: '1' })
const { ask, get, sendMessage, connectClient: listenAs, person } = world

/** Lists all routes by which a customer may read their chat room. */
const readingRoutesOf = (room: number, note: number, message: number) => [
  '/chatrooms',
  `/chatrooms?filters[id]=${room}&_q=MARK`,
  '/get_customized_rooms',
  '/get_customized_rooms?q=MARK',
  '/get_customized_rooms?sort=unread',
  `/chatrooms/${room}`,
  `/chatrooms/${room}?populate=*`,
  `/chatrooms/${room}/changes`,
  `/chatrooms/${room}/changes?after=1`,
  `/chatrooms/${room}/history`,
  `/chatmessages?filters[room]=${room}`,
  `/chatmessages?filters[room]=${room}&after=0`,
  `/chatmessages?filters[room]=${room}&before=999`,
  `/chatmessages?filters[room]=${room}&around=2`,
  `/chatmessages?filters[kind]=note`,
  `/chatmessages?filters[text][$contains]=MARK`,
  `/chatmessages?_q=MARK`,
  `/chatmessages/${note}`,
  `/chatmessages/${note}/history`,
  `/chatmessages/${message}?populate=*`,
  `/chatmessages/search?q=MARK`,
  `/search?q=MARK`,
  `/seen_messages?room=${room}`,
  '/notices',
  `/exports/chatmessages`,
  `/consultations?populate=*`,
]

it('shows no customer a note, its edit, a hand-over or a reason on any route or socket', async () => {
  const marker = randomUUID()
  const room = world.room()
  const customer = await listenAs('customer')
  const colleague = await listenAs('colleague')
  await customer.emitEvent('room:join', { room, rev: 0 })
  const firstMessage = await sendMessage('customer', 'Hello')
  const note = await sendMessage('consultant', `Note ${marker}`, { kind: 'note', reply_to: firstMessage.data.id })
  await sendMessage('consultant', `Note on it ${marker}`, { kind: 'note', reply_to: note.data.id })
  const [answeredRoutes, leaking]: [string[], string[]] = [[], []]
  const readAllPlaces = async (callerName: 'customer' | 'stranger') => {
    for (const routePath of readingRoutesOf(room, note.data.id, firstMessage.data.id)) {
      const { status, body } = await ask(callerName, 'GET', routePath.replace('MARK', marker))
      // A refusal of a customer's request repeats only the query, which reveals nothing.
      if (status !== 200) continue
      answeredRoutes.push(routePath)
      if (JSON.stringify(body).includes(marker)) leaking.push(routePath)
    }
  }
  await readAllPlaces('customer')
  await ask('consultant', 'PUT', `/chatmessages/${note.data.id}`, { text: `Edited ${marker}` })
  const awayAssignment = { to: person('colleague').id, note: `He is away ${marker}` }
  expect((await ask('consultant', 'POST', `/chatrooms/${room}/assign`, awayAssignment)).status).toBe(200)
  const closingDraft = { state: 'closed', reason: `Rude ${marker}` }
  expect((await ask('colleague', 'POST', `/chatrooms/${room}/state`, closingDraft)).status).toBe(200)
  const answers = [
    await ask('customer', 'POST', '/chatmessages', { room, text: 'Quoting', reply_to: note.data.id }),
    await ask('customer', 'PUT', `/chatmessages/${note.data.id}`, { text: 'Mine' }),
    await ask('customer', 'DELETE', `/chatmessages/${note.data.id}`),
    await ask('customer', 'POST', `/chatrooms/${room}/unread`, { from: 1 }),
    await ask('customer', 'POST', '/chatmessages', { room, text: 'Again' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([422, 404, 404, 200, 200])
  expect(JSON.stringify(answers)).not.toContain(marker)
  await readAllPlaces('customer')
  await readAllPlaces('stranger')
  expect(answeredRoutes.length).toBeGreaterThan(20)
  expect(leaking).toEqual([])

  await waitUntil(() => expect(colleague.all()).toContain(marker))
  await waitUntil(() =>
    expect(customer.receivedEvents['room:changed'].at(-1)?.change).toMatchObject({ rev: 7, prev: 6 }),
  )
  await waitUntil(() => expect(customer.receivedEvents.tick.at(-1)).toEqual({ rooms: { [room]: 7 } }))
  expect(customer.all()).not.toContain(marker)
  expect(customer.receivedEvents['room:changed'].map(({ change }) => [change.prev, change.rev])).toEqual([
    [0, 1],
    [1, 6],
    [6, 7],
  ])
})

it('hides places and number of notes by receipts, marks and revisions that contain public messages alone', async () => {
  const room = world.room()
  await sendMessage('customer', 'Hello')
  const customer = await listenAs('customer')
  const consultant = await listenAs('consultant')
  for (let index = 0; index < 3; index += 1) await sendMessage('consultant', 'N', { kind: 'note' })
  await get('consultant', `/seen_messages?room=${room}`)
  await consultant.emitEvent('delivered', { room, seq: 4 })
  expect(await get('customer', `/seen_messages?room=${room}`)).toMatchObject({ data: { last_read_seq: 1 } })
  expect(await get('customer', `/chatrooms/${room}`)).toMatchObject({
    data: { attributes: { rev: 1, last_seq: 1, last_message: { text: 'Hello' } } },
  })
  const repeatedAnswer = await ask<{ rev: number }>('customer', 'PUT', '/chatmessages/0', { text: 'x' })
  expect(repeatedAnswer.status).toBe(404)
  await waitUntil(() =>
    expect(customer.receivedEvents.receipt).toContainEqual({
      room,
      user: person('consultant').id,
      last_read_seq: 1,
      delivered_seq: 1,
    }),
  )
  for (const { last_read_seq, delivered_seq } of customer.receivedEvents.receipt)
    expect([last_read_seq, delivered_seq]).toEqual([1, 1])
})
