import { sql } from '../../../db/sql.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { type DeskPerson, startDesk } from '../../../testing/desk.ts'
import { buildRecord, buildRegion } from '../../../testing/factories.ts'

const testDesk = startDesk()
beforeEach(async () => {
  for (const table of ['consultations', 'faqs', 'chatrooms'])
    await testDesk.app.database.query(sql`delete from ${sql.table(table)}`)
})

const convertMessages = (callerName: DeskPerson, room: number, data: object) =>
  testDesk.ask(callerName, 'POST', `/chatrooms/${room}/convert`, data)
const readRecord = async (url: string) => {
  const { data } = (await testDesk.ask('admin', 'GET', url)).body
  return (data as { attributes: Record<string, unknown> }).attributes
}
const readId = ({ body }: { body: { data?: unknown } }) => (body.data as { id: number }).id
const writeConversation = async (draft: object = {}) => {
  const room = await testDesk.room('consultant', draft)
  const question = await testDesk.sendMessage(
    'customer',
    room,
    'Men Aygul, tel +998 90 123-45-67. Paxtada shira bor <b>',
  )
  const answer = await testDesk.sendMessage(
    'consultant',
    room,
    'Aygul, sepish kerak.\nKarta 8600 1234 5678 9012 emas & yozing',
  )
  const note = await testDesk.sendMessage('consultant', room, 'marker-51c', { kind: 'note' })
  return { room, question, answer, note }
}

describe('POST /api/chatrooms/:id/convert to a consultation', () => {
  it('drafts a consultation with the question and the answer of a room, without private data', async () => {
    const [region, category] = [
      await buildRegion(testDesk.app.database),
      await buildRecord(testDesk.app.database, 'consultationcategories', { name: 'Pests' }),
    ]
    const { room, question, answer } = await writeConversation({ region, category })
    const convertedAnswer = await convertMessages('consultant', room, {
      to: 'consultation',
      message_ids: [answer, question],
      locale: 'uz',
    })
    expect(convertedAnswer).toMatchObject({ status: 200, body: { data: { resource: 'consultations' }, meta: {} } })
    expect(
      await readRecord(`/consultations/${readId(convertedAnswer)}?populate=user,consultant,region,category,chatroom`),
    ).toMatchObject({
      question: 'Men •••, tel •••. Paxtada shira bor <b>',
      answer: '<p>•••, sepish kerak.</p><p>Karta ••• emas &amp; yozing</p>',
      language: 'uz',
      status: 'answered',
      is_public: false,
      user: { data: { id: testDesk.person('customer').id } },
      consultant: { data: { id: testDesk.person('consultant').id } },
      region: { data: { id: region } },
      category: { data: { id: category } },
      chatroom: { data: { id: room } },
    })
  })
  it('returns the same draft of a consultation for the same messages, and a new draft for other messages', async () => {
    const { room, question, answer } = await writeConversation()
    const questionAndAnswer = { to: 'consultation', message_ids: [question, answer] }
    const convertedAnswers = await Promise.all(
      Array.from({ length: 5 }, () => convertMessages('consultant', room, questionAndAnswer)),
    )
    expect(new Set(convertedAnswers.map(readId)).size).toBe(1)
    expect(convertedAnswers.filter(({ body }) => (body.meta as { duplicate?: true }).duplicate)).toHaveLength(4)
    const singleAnswer = await convertMessages('consultant', room, { to: 'consultation', message_ids: [question] })
    expect(singleAnswer.body.meta).toEqual({})
    expect(await readRecord(`/consultations/${readId(singleAnswer)}`)).toMatchObject({
      answer: null,
      status: 'assigned',
    })
  })
  it('creates a new draft of a consultation when the first draft was deleted', async () => {
    const { room, question } = await writeConversation()
    const conversion = { to: 'consultation', message_ids: [question] }
    const firstId = readId(await convertMessages('consultant', room, conversion))
    await testDesk.ask('admin', 'DELETE', `/consultations/${firstId}`)
    const secondAnswer = await convertMessages('consultant', room, conversion)
    expect([secondAnswer.body.meta, readId(secondAnswer) === firstId]).toEqual([{}, false])
    expect(readId(await convertMessages('consultant', room, conversion))).toBe(readId(secondAnswer))
  })
})

describe('POST /api/chatrooms/:id/convert to a FAQ', () => {
  it('creates an inactive FAQ in one language, for callers who may write FAQs', async () => {
    const { room, question, answer } = await writeConversation()
    const conversion = { to: 'faq', message_ids: [question, answer], locale: 'kaa' }
    expect((await convertMessages('consultant', room, conversion)).status).toBe(403)
    const convertedAnswer = await convertMessages('admin', room, conversion)
    expect(await readRecord(`/faqs/${readId(convertedAnswer)}`)).toMatchObject({
      question: 'Men •••, tel •••. Paxtada shira bor <b>',
      active: false,
      locale: 'kaa',
    })
    expect((await convertMessages('admin', room, conversion)).body).toMatchObject({
      data: { id: readId(convertedAnswer) },
      meta: { duplicate: true },
    })
  })
  it('requires an answer for an FAQ', async () => {
    const { room, question } = await writeConversation()
    expect(await convertMessages('admin', room, { to: 'faq', message_ids: [question] })).toMatchObject({
      status: 422,
      body: { error: { code: 'convert.no-answer' } },
    })
  })
})

describe('POST /api/chatrooms/:id/convert', () => {
  it('refuses notes, deleted messages, and messages of other rooms in a conversion', async () => {
    const { room, question, note } = await writeConversation()
    const otherMessage = await testDesk.sendMessage('customer', await testDesk.room('colleague'))
    const deletedMessage = await testDesk.sendMessage('customer', room)
    await testDesk.ask('customer', 'DELETE', `/chatmessages/${deletedMessage}`)
    for (const id of [note, otherMessage, deletedMessage, 999_999])
      expect(await convertMessages('admin', room, { to: 'consultation', message_ids: [question, id] })).toMatchObject({
        status: 422,
        body: { error: { details: { errors: [{ path: ['message_ids'] }] } } },
      })
  })
  it('refuses to convert messages without a question', async () => {
    const { room, answer } = await writeConversation()
    expect(await convertMessages('consultant', room, { to: 'consultation', message_ids: [answer] })).toMatchObject({
      status: 422,
      body: { error: { code: 'convert.no-question' } },
    })
  })
  it('refuses a conversion by callers who do not answer in the room', async () => {
    const { room, question } = await writeConversation()
    const conversion = { to: 'consultation', message_ids: [question] }
    for (const [callerName, status] of [
      ['customer', 403],
      ['neighbour', 404],
      ['colleague', 404],
      ['admin', 200],
    ] as const)
      expect((await convertMessages(callerName, room, conversion)).status).toBe(status)
  })
  it('refuses to convert a text that is too long for a question', async () => {
    const room = await testDesk.room()
    const ids = []
    for (const letter of ['a', 'b', 'c'])
      ids.push(await testDesk.sendMessage('customer', room, `${letter} `.repeat(1_999)))
    expect(await convertMessages('consultant', room, { to: 'consultation', message_ids: ids })).toMatchObject({
      status: 422,
      body: { error: { details: { errors: [{ path: ['question'] }] } } },
    })
  })
  it('refuses to convert a text that is too long before masking, even if the masked text is short', async () => {
    const room = await testDesk.room()
    const ids = []
    for (const letter of ['a', 'b', 'c'])
      ids.push(await testDesk.sendMessage('customer', room, `https://agro.uz/?${letter.repeat(3_900)}`))
    const question = { path: ['question'], code: 'validation.maxLength' }
    expect(await convertMessages('consultant', room, { to: 'consultation', message_ids: ids })).toMatchObject({
      status: 422,
      body: { error: { details: { errors: [question] } } },
    })
  })
  it.each([
    {},
    { to: 'news', message_ids: [1] },
    { to: 'faq', message_ids: [] },
    { to: 'faq', message_ids: 'all' },
    { to: 'faq', message_ids: [1], locale: 'de' },
    { to: 'faq', message_ids: Array.from({ length: 51 }, (_, index) => index + 1) },
  ])('refuses to convert messages with the body %j with 422', async (data) =>
    expect((await convertMessages('admin', await testDesk.room(), data)).status).toBe(422),
  )
})
