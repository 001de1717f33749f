import { randomUUID } from 'node:crypto'
import { sql } from '../../db/sql.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { buildRecord, buildUpload } from '../../testing/factories.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const people: Record<string, TestPerson> = {}
const resourceApp = startResourceApp(async (app) => {
  people.admin = await buildPerson(app, 'admin')
  people.customer = await buildPerson(app, 'authenticated')
  people.stranger = await buildPerson(app, 'authenticated')
  people.consultant = await buildConsultant(app)
  people.colleague = await buildConsultant(app)
})
const person = (name: string): TestPerson => {
  const foundPerson = people[name]
  if (!foundPerson) throw new Error(name)
  return foundPerson
}
const foreignSenderMessage = 'you cannot write on behalf of another consultant'

let room = 0
const buildRoom = (draft: object = {}) =>
  buildRecord(resourceApp.database, 'chatrooms', {
    sender: person('customer').id,
    receiver: person('consultant').id,
    ...draft,
  })
beforeEach(async () => {
  await resourceApp.database.query(sql`delete from chatrooms`)
  room = await buildRoom()
})

interface SentMessage {
  data: { id: number; attributes: Record<string, unknown> & { seq: number } }
  meta: object
  rev: number
}
const post = (callerName: string, data: object) =>
  person(callerName).ask('POST', '/chatmessages', { data: { room, text: 'Hello', ...data } })
const sendMessage = async (callerName: string, data: object = {}) => {
  const { status, body } = await post(callerName, data)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body as SentMessage
}
interface Item extends Record<string, unknown> {
  id: number
  seq: number
  text: string | null
}
const list = async (callerName: string, query = '') => {
  const { status, body } = await person(callerName).ask('GET', `/chatmessages?filters[room]=${room}${query}`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body as { results: Item[]; pagination?: object; cursor?: object; rev?: number }
}
const ownedBy = (callerName: string) => ({ owner: person(callerName).id })
const buildDocument = (callerName: string) => {
  const hash = randomUUID().replaceAll('-', '')
  const url = `/uploads/${hash}.pdf`
  const kind = { ext: '.pdf', mime: 'application/pdf', name: 'plan.pdf', size: 12.5 }
  return buildUpload(resourceApp.database, { ...ownedBy(callerName), ...kind, hash, url })
}
const readRoom = async () => {
  const [row] = await resourceApp.database.query(sql<Record<string, unknown>>`
    select r.*, r.revision as rev from chatrooms r where id = ${room}`)
  return row
}
const changes = () =>
  resourceApp.database.query(sql<{ rev: number; type: string; audience: string; message_id: number | null }>`
    select rev, type, audience, message_id from room_changes where room_id = ${room} order by rev`)

describe('POST /api/chatmessages', () => {
  it('returns the sent message with the revision that created it', async () => {
    const { data, meta, rev } = await sendMessage('customer', { text: ' Hello\n', client_id: 'a' })
    expect([meta, rev, data.attributes]).toMatchObject([
      {},
      1,
      { text: ' Hello\n', kind: 'message', client_id: 'a', seq: 1, seen: false, attachments: null, edited_at: null },
    ])
    expect(await list('customer')).toEqual({
      results: [
        {
          id: data.id,
          room,
          sender: {
            id: person('customer').id,
            username: expect.any(String) as unknown,
            first_name: null,
            last_name: null,
            avatar: null,
          },
          text: ' Hello\n',
          kind: 'message',
          client_id: 'a',
          seq: 1,
          seen: false,
          attachments: [],
          reply_to: null,
          quoted: null,
          edited_at: null,
          createdAt: data.attributes.createdAt,
          updatedAt: data.attributes.updatedAt,
        },
      ],
      pagination: { page: 1, pageSize: 15, pageCount: 1, total: 1 },
    })
    expect(await changes()).toEqual([{ rev: 1, type: 'created', audience: 'public', message_id: data.id }])
    expect(await readRoom()).toMatchObject({
      rev: 1,
      last_message: { id: data.id, text: ' Hello\n', kind: 'message', createdAt: data.attributes.createdAt },
    })
    const revisions = await resourceApp.database.query(sql`
      select operation from revisions where resource = 'chatmessages' and document_id = ${data.id}`)
    expect(revisions).toEqual([{ operation: 'create' }])
  })

  it.each([
    ['customer', 'message', 200],
    ['consultant', 'message', 200],
    ['admin', 'message', 403],
    ['colleague', 'message', 403],
    ['stranger', 'message', 403],
    ['customer', 'note', 403],
    ['consultant', 'note', 200],
    ['admin', 'note', 200],
    ['colleague', 'note', 403],
    ['stranger', 'note', 403],
  ])('responds to a %s who writes a %s with %i', async (callerName, kind, expected) => {
    const { status, body } = await post(callerName, { kind })
    expect(status).toBe(expected)
    expect(body).toMatchObject(
      expected === 403 ? { error: { name: 'ForbiddenError', message: foreignSenderMessage } } : {},
    )
    expect(await changes()).toHaveLength(expected === 403 ? 0 : 1)
  })
  it.each(['customer', 'consultant', 'admin'])(
    'refuses a message with a sender other than the caller %s',
    async (callerName) => {
      for (const sender of ['customer', 'consultant', 'colleague'].filter((name) => name !== callerName)) {
        const { status, body } = await post(callerName, { sender: person(sender).id })
        expect([status, body]).toMatchObject([403, { error: { message: foreignSenderMessage } }])
      }
      expect(await changes()).toEqual([])
    },
  )
  it('accepts the caller’s own id as sender of a message', async () => {
    expect((await post('customer', { sender: { id: String(person('customer').id) } })).status).toBe(200)
  })
  it('lets the owner of a room alone write to the customer, and nobody while the room is free', async () => {
    await resourceApp.database.query(
      sql`update chatrooms set assignee_id = ${person('colleague').id} where id = ${room}`,
    )
    expect((await post('consultant', {})).status).toBe(403)
    expect((await post('colleague', {})).status).toBe(200)
    expect((await post('consultant', { kind: 'note' })).status).toBe(200)
    room = await buildRoom({ sender: person('stranger').id, receiver: null })
    expect((await post('colleague', {})).status).toBe(403)
    expect((await post('colleague', { kind: 'note' })).status).toBe(200)
    expect((await post('customer', { kind: 'note' })).status).toBe(403)
  })
  it('refuses messages, notes and states from a former member of the desk', async () => {
    const set = (is_consultant: boolean) =>
      resourceApp.database.query(
        sql`update users set is_consultant = ${is_consultant} where id = ${person('consultant').id}`,
      )
    await set(false)
    try {
      expect((await post('consultant', {})).status).toBe(403)
      expect((await post('consultant', { kind: 'note' })).status).toBe(403)
      const closingAnswer = await person('consultant').ask('POST', `/chatrooms/${room}/state`, {
        data: { state: 'closed' },
      })
      expect(closingAnswer.status).toBe(403)
      const { body } = await person('consultant').ask('GET', `/chatrooms/${room}`)
      expect(body).toMatchObject({ data: { attributes: { can_write: false, cannot_write_reason: 'not-owner' } } })
    } finally {
      await set(true)
    }
    expect(await changes()).toEqual([])
  })

  const issues = (body: unknown) =>
    (body as { error: { details: { errors?: { path: string[] }[] } } }).error.details.errors?.map(({ path }) => path[0])
  it.each([
    [{ text: '' }, ['text']],
    [{ text: '  ' }, ['text']],
    [{ text: null }, ['text']],
    [{ text: 5 }, ['text']],
    [{ text: 'x'.repeat(4_001) }, ['text']],
    [{ room: null }, ['room']],
    [{ room: 'abc' }, ['room']],
    [{ kind: 'system' }, ['kind']],
    [{ client_id: 'x'.repeat(256) }, ['client_id']],
    [{ client_id: 5 }, ['client_id']],
    [{ sender: 'me' }, ['sender']],
    [{ reply_to: 2_000_000_000 }, ['reply_to']],
    [{ attachments: {} }, ['attachments']],
    [{ attachments: [{ url: 'https://example.org/a.png' }] }, ['attachments']],
    [{ attachments: [{ url: '/uploads/../a.png' }] }, ['attachments']],
    [{ attachments: [{ url: '/uploads/nowhere.png' }] }, ['attachments']],
    [{ text: 5, kind: 'x', room: [] }, ['room', 'kind', 'text']],
  ])('refuses the message %j with 422 on %j', async (data, paths) => {
    const { status, body } = await post('customer', data)
    expect([status, issues(body)]).toEqual([422, paths])
    expect(await changes()).toEqual([])
  })
  it('accepts a message of 4,000 characters of any byte length', async () => {
    expect((await post('customer', { text: '🌾'.repeat(4_000) })).status).toBe(200)
  })
  it('returns 422 for a message without data, and 404 for a message in an unknown room', async () => {
    for (const body of [{}, { data: null }, { data: [] }])
      expect((await person('customer').ask('POST', '/chatmessages', body)).status).toBe(422)
    expect((await post('customer', { room: 2_000_000_000 })).status).toBe(404)
  })
  it('requires a session for a new message', async () => {
    expect((await resourceApp.ask('POST', '/chatmessages', { data: {} }, 'public')).status).toBe(401)
  })

  it('accepts a message of pictures without a text, and describes each picture from its record', async () => {
    const owner = person('customer').id
    const id = await buildUpload(resourceApp.database, { owner, width: 10, height: 20, size: 1.5, name: 'leaf.png' })
    const { body } = await resourceApp.ask('GET', `/uploads/${id}`)
    const { url } = (body as { data: { attributes: { url: string } } }).data.attributes
    const ownUpload = await buildUpload(resourceApp.database, {
      owner,
      url: '/uploads/own.png',
      width: 1,
      height: 2,
      size: 3,
    })
    const { data } = await sendMessage('customer', {
      text: null,
      attachments: [
        { url, size: 99 },
        { id: ownUpload, name: 'mine' },
      ],
    })
    const expectedMessages = [
      { url, name: 'leaf.png', mime: 'image/png', size: 1.5, width: 10, height: 20 },
      { url: '/uploads/own.png', name: 'mine', mime: 'image/png', size: 3, width: 1, height: 2 },
    ]
    expect(data.attributes.attachments).toEqual(expectedMessages)
    expect((await list('consultant')).results[0]?.attachments).toEqual(expectedMessages)
  })
  it('accepts documents beside pictures, and shows them to those who may read the room', async () => {
    const id = await buildDocument('customer')
    const { data } = await sendMessage('customer', { text: null, attachments: [{ id, name: 'Plan of the field.pdf' }] })
    const document = { name: 'Plan of the field.pdf', mime: 'application/pdf', size: 12.5, width: null, height: null }
    expect(data.attributes.attachments).toMatchObject([document])
    expect((await list('consultant')).results[0]?.attachments).toMatchObject([document])
    for (const [callerName, status] of [
      ['consultant', 200],
      ['stranger', 404],
    ] as const)
      expect([callerName, (await person(callerName).ask('GET', `/upload/files/${id}`)).status]).toEqual([
        callerName,
        status,
      ])
    // A reader of the room may send the document on.
    expect((await post('consultant', { text: null, attachments: [id] })).status).toBe(200)
  })
  it.each([
    [
      'a video',
      async () => buildUpload(resourceApp.database, { ...ownedBy('customer'), ext: '.mp4', mime: 'video/mp4' }),
    ],
    [
      'subtitles',
      async () => buildUpload(resourceApp.database, { ...ownedBy('customer'), ext: '.vtt', mime: 'text/vtt' }),
    ],
    ['a document that the sender may not see', async () => buildDocument('stranger')],
    ['a picture that the sender may not see', async () => buildUpload(resourceApp.database, ownedBy('stranger'))],
  ])('refuses %s as an attachment', async (_what, make) => {
    const { status, body } = await post('customer', { attachments: [{ id: await make() }] })
    expect([status, issues(body)]).toEqual([422, ['attachments']])
    expect(await changes()).toEqual([])
  })
  it('quotes messages of the same room, and notes in notes alone', async () => {
    const firstMessage = await sendMessage('customer')
    const note = await sendMessage('consultant', { kind: 'note' })
    await sendMessage('consultant', { reply_to: firstMessage.data.id })
    expect((await list('customer')).results.at(-1)).toMatchObject({ reply_to: firstMessage.data.id })
    expect((await post('customer', { reply_to: note.data.id })).status).toBe(422)
    expect((await post('consultant', { reply_to: note.data.id })).status).toBe(422)
    expect((await post('consultant', { reply_to: note.data.id, kind: 'note' })).status).toBe(200)
    const otherRoom = await buildRoom({ sender: person('stranger').id })
    expect((await post('consultant', { room: otherRoom, reply_to: firstMessage.data.id })).status).toBe(422)
  })
})

describe('a repeated client_id', () => {
  it('returns the first message for a repeated client_id', async () => {
    const firstMessage = await sendMessage('customer', { client_id: 'once', text: 'One' })
    await sendMessage('consultant')
    const repeatedMessage = await sendMessage('customer', { client_id: 'once', text: 'One' })
    expect(repeatedMessage).toMatchObject({
      data: { id: firstMessage.data.id, attributes: { seq: 1 } },
      meta: { duplicate: true },
      rev: 2,
    })
    expect((await list('customer')).results).toHaveLength(2)
  })
  it('returns the first message after the room got a new owner, without a later revision', async () => {
    const firstMessage = await sendMessage('consultant', { client_id: 'once', text: 'One' })
    const colleagueId = person('colleague').id
    const handoverDraft = { data: { to: colleagueId, from: person('consultant').id, note: 'Soil' } }
    expect((await person('admin').ask('POST', `/chatrooms/${room}/assign`, handoverDraft)).status).toBe(200)
    await sendMessage('customer')
    const repeatedMessage = await sendMessage('consultant', { client_id: 'once', text: 'One' })
    expect(repeatedMessage).toMatchObject({
      data: { id: firstMessage.data.id },
      meta: { duplicate: true },
      rev: firstMessage.data.attributes.seq,
    })
    expect((await post('consultant', { client_id: 'twice', text: 'One' })).status).toBe(403)
  })
  it('refuses a repeated client_id with other content', async () => {
    const { data } = await sendMessage('customer', { client_id: 'once', text: 'One' })
    for (const otherDraft of [{ text: 'Two' }, { reply_to: data.id }, { text: null, attachments: [] }]) {
      const { status } = await post('customer', { client_id: 'once', text: 'One', ...otherDraft })
      expect(status).toBe(422)
    }
    expect(await post('customer', { client_id: 'once', text: 'Two' })).toMatchObject({
      body: { error: { code: 'chat.duplicate' } },
    })
  })
  it('creates another message for the same client_id of another author or another room', async () => {
    await sendMessage('customer', { client_id: 'once' })
    expect((await sendMessage('consultant', { client_id: 'once' })).meta).toEqual({})
    const otherRoom = await buildRoom({ receiver: person('colleague').id })
    expect((await sendMessage('customer', { client_id: 'once', room: otherRoom })).meta).toEqual({})
  })
  it('creates one message for ten concurrent requests with one client_id', async () => {
    const client_id = randomUUID()
    const answers = await Promise.all(Array.from({ length: 10 }, () => sendMessage('customer', { client_id })))
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
    expect(answers.filter(({ meta }) => 'duplicate' in meta)).toHaveLength(9)
    expect(await changes()).toHaveLength(1)
  })
})

describe('twenty concurrent messages', () => {
  it('gives twenty concurrent messages contiguous places, and shows the last one in the room', async () => {
    const sentMessages = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        sendMessage(index % 2 === 0 ? 'customer' : 'consultant', { text: `M ${index}` }),
      ),
    )
    const seqs = sentMessages.map(({ data }) => data.attributes.seq).toSorted((a, b) => a - b)
    expect(seqs).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    const lastMessage = sentMessages.find(({ data }) => data.attributes.seq === 20)
    expect(await readRoom()).toMatchObject({ rev: 20, last_message: { id: lastMessage?.data.id } })
    expect((await changes()).map(({ rev }) => rev)).toEqual(seqs)
    const shownMessages = await list('customer', '&pagination[pageSize]=100')
    expect(shownMessages.results.map(({ seq }) => seq)).toEqual(seqs)
  })
})

describe('the wait of a customer (chat §6)', () => {
  it('begins a wait with the first question, keeps the wait at the next question, and ends it with a reply', async () => {
    await sendMessage('customer')
    const firstRoom = await readRoom()
    expect(Date.parse(String(firstRoom?.due_at)) - Date.parse(String(firstRoom?.waiting_since))).toBe(30 * 60_000)
    await sendMessage('customer')
    await sendMessage('consultant', { kind: 'note' })
    const { waiting_since, due_at } = (await readRoom()) ?? {}
    expect({ waiting_since, due_at }).toEqual({ waiting_since: firstRoom?.waiting_since, due_at: firstRoom?.due_at })
    await sendMessage('consultant')
    expect(await readRoom()).toMatchObject({ waiting_since: null, due_at: null })
    await sendMessage('customer')
    const nextRoom = await readRoom()
    expect(Date.parse(String(nextRoom?.due_at)) - Date.parse(String(nextRoom?.waiting_since))).toBe(120 * 60_000)
  })
  it('gives the wait of a customer the target of the category', async () => {
    const category = await buildRecord(resourceApp.database, 'consultationcategories', {
      name: 'C',
      first_reply_minutes: 5,
    })
    room = await buildRoom({ receiver: person('colleague').id, category })
    await sendMessage('customer')
    const { due_at, waiting_since } = (await readRoom()) ?? {}
    expect(Date.parse(String(due_at)) - Date.parse(String(waiting_since))).toBe(5 * 60_000)
  })
  it('begins a wait when a question reopens a closed room, but not with a reply there', async () => {
    await sendMessage('consultant')
    await person('consultant').ask('PUT', `/chatrooms/${room}`, { data: { state: 'closed' } })
    await sendMessage('consultant')
    expect(await readRoom()).toMatchObject({ state: 'closed', rev: 3 })
    await sendMessage('customer')
    expect(await readRoom()).toMatchObject({ state: 'open', rev: 4, due_at: expect.any(String) as unknown })
  })
  it('ends the wait of a customer when the question is deleted', async () => {
    const { data } = await sendMessage('customer')
    await person('customer').ask('DELETE', `/chatmessages/${data.id}`)
    expect(await readRoom()).toMatchObject({ waiting_since: null, due_at: null, last_message: null, rev: 2 })
  })
})

describe('PUT /api/chatmessages/:id', () => {
  const edit = (callerName: string, id: number, data: object) =>
    person(callerName).ask('PUT', `/chatmessages/${id}`, { data })
  it('changes the text of a message, marks it as edited, and stores the earlier text', async () => {
    const { data } = await sendMessage('customer', { text: 'Helo' })
    const { status, body } = await edit('customer', data.id, { text: 'Hello', seq: 99, kind: 'note', seen: true })
    expect([status, body]).toMatchObject([
      200,
      {
        data: {
          attributes: { text: 'Hello', seq: 1, kind: 'message', seen: false, edited_at: expect.any(String) as unknown },
        },
        rev: 2,
      },
    ])
    expect(await readRoom()).toMatchObject({ rev: 2, last_message: { id: data.id, text: 'Hello' } })
    expect(await changes()).toMatchObject([{ type: 'created' }, { rev: 2, type: 'updated', message_id: data.id }])
    const [revision] = await resourceApp.database.query(sql<{ changes: object }>`
      select changes from revisions where resource = 'chatmessages' and document_id = ${data.id} and operation = 'update'`)
    expect(revision?.changes).toMatchObject({ text: { before: 'Helo', after: 'Hello' } })
  })
  it('keeps the last message of the room when an earlier message is edited', async () => {
    const { data } = await sendMessage('customer')
    await sendMessage('customer', { text: 'Last' })
    await edit('customer', data.id, { text: 'Other' })
    expect(await readRoom()).toMatchObject({ last_message: { text: 'Last' }, rev: 3 })
  })
  it('changes nothing when the text of an edited message is the same', async () => {
    const { data } = await sendMessage('customer')
    for (const unchangedDraft of [{ text: 'Hello' }, {}])
      expect(await edit('customer', data.id, unchangedDraft)).toMatchObject({
        status: 200,
        body: { rev: 1, data: { attributes: { edited_at: null } } },
      })
  })
  it.each([
    ['customer', 200],
    ['consultant', 403],
    ['admin', 403],
    ['stranger', 404],
    ['colleague', 404],
  ])('responds to an edit of the customer’s message by %s with %i', async (callerName, expected) => {
    const { data } = await sendMessage('customer')
    const { status, body } = await edit(callerName, data.id, { text: 'Other' })
    expect(status).toBe(expected)
    expect(body).toMatchObject(expected === 403 ? { error: { message: foreignSenderMessage } } : {})
  })
  it.each([
    [{ text: '' }],
    [{ text: null }],
    [{ text: 5 }],
    [{ text: 'x'.repeat(4_001) }],
    [{ text: 'a', expected_rev: 'x' }],
  ])('refuses the edit %j of a message with 422', async (data) => {
    expect((await edit('customer', (await sendMessage('customer')).data.id, data)).status).toBe(422)
  })
  it('refuses an edit of a message after 15 minutes', async () => {
    const { data } = await sendMessage('customer')
    const age = (minutes: number) =>
      resourceApp.database.query(
        sql`update chatmessages set created_at = now() - make_interval(mins => ${minutes}) where id = ${data.id}`,
      )
    await age(14)
    expect((await edit('customer', data.id, { text: 'In time' })).status).toBe(200)
    await age(16)
    expect(await edit('customer', data.id, { text: 'Late' })).toMatchObject({
      status: 422,
      body: { error: { code: 'chat.edit-late' } },
    })
  })
  it('refuses an edit of a message after an unseen change, with the present text', async () => {
    const { data } = await sendMessage('customer')
    await edit('customer', data.id, { text: 'Two', expected_rev: 1 })
    expect(await edit('customer', data.id, { text: 'Three', expected_rev: 1 })).toMatchObject({
      status: 409,
      body: { error: { details: { current: { id: data.id, text: 'Two' } } } },
    })
    // Other changes of the chat room do not cause a refusal of the edit.
    await sendMessage('consultant')
    expect((await edit('customer', data.id, { text: 'Three', expected_rev: 2 })).status).toBe(200)
  })
})

describe('DELETE /api/chatmessages/:id', () => {
  const removeMessage = (callerName: string, id: number) => person(callerName).ask('DELETE', `/chatmessages/${id}`)
  it.each([
    ['customer', 200],
    ['admin', 200],
    ['consultant', 403],
    ['stranger', 404],
    ['colleague', 404],
  ])('responds to a delete of the customer’s message by %s with %i', async (callerName, expected) => {
    const { data } = await sendMessage('customer')
    const { status, body } = await removeMessage(callerName, data.id)
    expect(status).toBe(expected)
    expect(body).toMatchObject(expected === 403 ? { error: { message: foreignSenderMessage } } : {})
    expect((await list('customer')).results).toHaveLength(expected === 200 ? 0 : 1)
  })
  it('returns the deleted message, keeps its row, and deletes once', async () => {
    const { data } = await sendMessage('customer')
    expect((await removeMessage('customer', data.id)).body).toMatchObject({
      data: { id: data.id, attributes: { text: 'Hello' } },
      rev: 2,
    })
    expect((await person('customer').ask('GET', `/chatmessages/${data.id}`)).status).toBe(404)
    expect((await removeMessage('customer', data.id)).status).toBe(404)
    const [row] = await resourceApp.database.query(
      sql`select text from chatmessages where id = ${data.id} and deleted_at is not null`,
    )
    expect(row).toEqual({ text: 'Hello' })
  })
  it('makes the message before a deleted one the last message again', async () => {
    const firstMessage = await sendMessage('customer', { text: 'One' })
    const { data } = await sendMessage('consultant', { text: 'Two' })
    await sendMessage('consultant', { kind: 'note', text: 'N' })
    await removeMessage('consultant', data.id)
    expect(await readRoom()).toMatchObject({
      rev: 4,
      last_message: { id: firstMessage.data.id, text: 'One', createdAt: firstMessage.data.attributes.createdAt },
    })
  })
  it('refuses an edit of a deleted message', async () => {
    const { data } = await sendMessage('customer')
    await removeMessage('customer', data.id)
    expect((await person('customer').ask('PUT', `/chatmessages/${data.id}`, { data: { text: 'x' } })).status).toBe(404)
    expect((await person('customer').ask('POST', `/chatmessages/${data.id}/restore`)).status).toBe(404)
  })
})

describe('GET /api/chatmessages', () => {
  const fillRoom = async (count: number) => {
    for (let index = 1; index <= count; index += 1) await sendMessage('customer', { text: `M ${index}` })
  }
  const texts = (answer: { results: Item[] }) => answer.results.map(({ text }) => text)
  it('returns pages of messages in ascending order, whatever order is requested', async () => {
    await fillRoom(4)
    const answer = await list('customer', '&pagination[page]=2&pagination[pageSize]=3&sort=createdAt:desc&populate=*')
    expect([texts(answer), answer.pagination]).toEqual([['M 4'], { page: 2, pageSize: 3, pageCount: 2, total: 4 }])
    expect((await list('customer', '&pagination[start]=1&pagination[limit]=2')).pagination).toEqual({
      start: 1,
      limit: 2,
      total: 4,
    })
    expect(texts(await list('customer', '&filters[text][$contains]=M 2'))).toEqual(['M 2'])
    expect(texts(await list('customer', '&_q=m 3'))).toEqual(['M 3'])
  })
  it.each([
    ['before=4', ['M 1', 'M 2', 'M 3'], false, true],
    ['before=4&limit=2', ['M 2', 'M 3'], true, true],
    ['after=3', ['M 4', 'M 5'], true, false],
    ['after=3&limit=1', ['M 4'], true, true],
    ['after=0&limit=100', ['M 1', 'M 2', 'M 3', 'M 4', 'M 5'], false, false],
    ['after=5', [], true, false],
    ['before=1', [], false, true],
    ['around=3&limit=3', ['M 2', 'M 3', 'M 4'], true, true],
    ['around=1&limit=4', ['M 1', 'M 2'], false, true],
    ['before=99', ['M 1', 'M 2', 'M 3', 'M 4', 'M 5'], false, false],
    ['before=99&limit=2&filters[text][$ne]=M 5', ['M 3', 'M 4'], true, false],
  ])('returns for the query %s the messages %j', async (query, expectedTexts, has_older, has_newer) => {
    await fillRoom(5)
    const answer = await list('customer', `&${query}`)
    expect([texts(answer), answer.cursor, answer.rev]).toEqual([expectedTexts, { has_older, has_newer }, 5])
  })
  it.each([
    '/chatmessages?before=1',
    '/chatmessages?filters[room]=1&before=x',
    '/chatmessages?filters[room]=1&before=1&after=1',
    '/chatmessages?filters[room]=1&after=1&limit=x',
    '/chatmessages?filters[bogus]=1',
    '/chatmessages?pagination[page]=x',
  ])('refuses the malformed query %s for messages', async (url) => {
    expect((await person('customer').ask('GET', url)).status).toBe(400)
  })
  it('shows messages in rooms of others to staff alone', async () => {
    await sendMessage('customer')
    for (const callerName of ['stranger', 'colleague'])
      for (const query of ['', '&after=0']) {
        const foreignAnswer = await person(callerName).ask('GET', `/chatmessages?filters[room]=${room}${query}`)
        const missingAnswer = await person(callerName).ask('GET', `/chatmessages?filters[room]=2000000000${query}`)
        expect([foreignAnswer.status, foreignAnswer.body]).toEqual([404, missingAnswer.body])
      }
    expect((await list('admin')).results).toHaveLength(1)
    expect((await person('stranger').ask('GET', '/chatmessages')).body).toMatchObject({ results: [] })
    room = await buildRoom({ sender: person('stranger').id })
    expect(await list('stranger')).toMatchObject({ results: [], pagination: { total: 0 } })
  })
  it('shows notes to the desk alone, in every list of messages', async () => {
    const secret = `marker ${randomUUID()}`
    await sendMessage('customer')
    const { data } = await sendMessage('consultant', { kind: 'note', text: secret })
    await sendMessage('consultant', { kind: 'note', text: secret, client_id: 'n' })
    for (const callerName of ['consultant', 'admin'])
      expect(texts(await list(callerName))).toEqual(['Hello', secret, secret])
    const urls = [
      `/chatmessages?filters[room]=${room}`,
      `/chatmessages?filters[room]=${room}&after=0`,
      `/chatmessages?filters[kind]=note`,
      `/chatmessages?_q=marker`,
      `/chatmessages/${data.id}`,
      `/chatrooms/${room}?populate=*`,
      '/chatrooms',
      '/get_customized_rooms',
      `/get_customized_rooms?q=marker`,
    ]
    for (const url of urls) {
      const { body } = await person('customer').ask('GET', url)
      expect([url, JSON.stringify(body).includes('marker')]).toEqual([url, false])
    }
    // A consultant who writes to a colleague is the customer of that chat room.
    room = await buildRoom({ sender: person('colleague').id })
    await sendMessage('consultant', { kind: 'note' })
    expect((await list('colleague')).results).toEqual([])
    expect((await list('consultant')).results).toHaveLength(1)
  })
})

describe('an Idempotency-Key', () => {
  it('returns the first message again for a repeated Idempotency-Key', async () => {
    const ask = () =>
      person('customer').ask('POST', '/chatmessages', { data: { room, text: 'Once' } }, { 'idempotency-key': 'k' })
    const [firstAnswer, secondAnswer] = [await ask(), await ask()]
    expect(secondAnswer.body).toEqual(firstAnswer.body)
    expect(await changes()).toHaveLength(1)
  })
})
