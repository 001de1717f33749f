import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { errorAnswer, fakeApi, type FakeCall } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { readKeptText, reloadKeptTexts } from './kept-texts.ts'
import { reloadOutbox } from './outbox.ts'

const person = (id: number, first_name: string) => ({
  id,
  username: first_name,
  first_name,
  last_name: null,
  avatar: null,
})
const [gulshat, aybek, timur] = [person(4, 'Gulshat'), person(5, 'Aybek'), person(6, 'Timur')]
const me = { id: 4, username: 'gulshat', email: 'g@example.org', name: 'Gulshat', surname: null, is_consultant: true }
const consultant = { ...me, role: { id: 4, name: 'Registered user', type: 'authenticated' } }

const last = { id: 11, text: 'Is it late?', kind: 'message', createdAt: '2026-03-01T10:00:00.000Z' }
const scalars = {
  room: 'room-1',
  unread_message: 1,
  last_message: last,
  createdAt: last.createdAt,
  updatedAt: last.createdAt,
  rev: 11,
  state: 'open',
  waiting_since: last.createdAt,
  due_at: null,
  language: 'kaa',
}
const row = (owner: typeof gulshat | null) => ({
  ...scalars,
  id: 1,
  sender: aybek,
  receiver: owner,
  assignee: null,
  tags: [],
})
const link = ({ id, ...attributes }: typeof gulshat) => ({
  data: { id, attributes: { ...attributes, avatar: { data: null } } },
})
const wrapped = (owner: typeof gulshat | null) => ({
  data: {
    id: 1,
    attributes: {
      ...scalars,
      version: 1,
      sender: link(aybek),
      receiver: owner ? link(owner) : { data: null },
      assignee: { data: null },
      region: { data: null },
      category: { data: null },
      tags: { data: [] },
    },
  },
})
const message = (id: number, text: string, sender = aybek, client_id: string | null = null) => ({
  id,
  room: 1,
  sender,
  text,
  kind: 'message',
  client_id,
  seq: id,
  seen: false,
  attachments: [],
  createdAt: last.createdAt,
  updatedAt: last.createdAt,
  reply_to: null,
  edited_at: null,
})
const thread = (...results: ReturnType<typeof message>[]) => ({
  results,
  cursor: { has_older: false, has_newer: false },
  rev: 11,
})
const pagination = { page: 1, pageSize: 30, pageCount: 1, total: 1 }
const answersFor = (owner: typeof gulshat | null) => ({
  'GET /api/users/me': consultant,
  'GET /api/get_customized_rooms': { results: [row(owner)], pagination, counts: { all: 1, unread: 1 } },
  'GET /api/chatrooms/1': wrapped(owner),
  'GET /api/chatmessages': thread(message(10, 'Salam'), message(11, 'Is it late?')),
  'GET /api/seen_messages': { data: { room: 1, unread_message: 0, last_read_seq: 11 } },
  'GET /api/consultations': { data: [], meta: { pagination } },
})
const sent = (calls: readonly FakeCall[]) =>
  calls.filter(({ method, path }) => method === 'POST' && path === '/api/chatmessages')

beforeEach(() => {
  localStorage.setItem('token', 'a')
  reloadOutbox()
  reloadKeptTexts()
})

describe('the chat desk', () => {
  it('asks for a choice while there is none', async () => {
    fakeApi(answersFor(gulshat))
    renderApp('/app/chats')
    expect(await screen.findByText('Please select a chat to send messages')).toBeTruthy()
    const room = await screen.findByRole('link', { name: /Aybek/ })
    expect(room.textContent).toContain('1 unread message')
  })

  it('shows a room as read only when the server has said so', async () => {
    let answerSeen: () => void = () => undefined
    const seen = new Promise<void>((resolve) => (answerSeen = resolve))
    let isSeen = false
    const fresh = () => ({ results: [{ ...row(gulshat), unread_message: isSeen ? 0 : 1 }], pagination })
    const calls = fakeApi({ ...answersFor(gulshat), 'GET /api/get_customized_rooms': () => Response.json(fresh()) })
    const answered = globalThis.fetch
    globalThis.fetch = async (address, init) => {
      const answer = answered(address, init)
      if (typeof address === 'string' && address.includes('/seen_messages')) {
        await seen
        isSeen = true
      }
      return answer
    }
    renderApp('/app/chats/1')
    const log = await screen.findByRole('log')
    expect(within(log).getByText('1 new')).toBeTruthy()
    await waitFor(() => expect(calls.some(({ path }) => path === '/api/seen_messages')).toBe(true))
    expect(calls.find(({ path }) => path === '/api/seen_messages')?.query).toBe('?room=1&upTo=11')
    expect(screen.getByText('1 unread message')).toBeTruthy()
    answerSeen()
    await waitFor(() => expect(screen.queryByText('1 unread message')).toBeNull())
    // What was new stays marked while the room is open.
    expect(within(log).getByText('1 new')).toBeTruthy()
  })

  it('keeps a message that failed, over a reload too, and sends it again as the same one', async () => {
    let works = false
    const stored: ReturnType<typeof message>[] = []
    const calls = fakeApi({
      ...answersFor(gulshat),
      'GET /api/chatmessages': () => Response.json(thread(message(11, 'Is it late?'), ...stored)),
      'POST /api/chatmessages': ({ body }) => {
        if (!works) return errorAnswer(500, 'InternalServerError', 'x')
        stored.push(message(12, 'Come at five', gulshat, clientIdOf(body)))
        return Response.json({ data: { id: 12, attributes: {} }, meta: {}, rev: 12 })
      },
    })
    const user = userEvent.setup()
    const first = renderApp('/app/chats/1')
    const field = await screen.findByRole('textbox', { name: 'Message' })
    await user.type(field, 'Come at five{Enter}')
    expect(await screen.findByText(/Not sent/)).toBeTruthy()
    expect(screen.queryByDisplayValue('Come at five')).toBeNull()
    await user.type(field, 'and bring')
    first.unmount()
    reloadOutbox()
    reloadKeptTexts()

    works = true
    renderApp('/app/chats/1')
    expect(await screen.findByDisplayValue('and bring')).toBeTruthy()
    await user.click(await screen.findByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(screen.queryByText(/Not sent/)).toBeNull())
    const ids = sent(calls).map(({ body }) => clientIdOf(body))
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
    await waitFor(() => expect(localStorage.getItem('outbox/chat/4/1')).toBeNull())
    expect(within(screen.getByRole('log')).getAllByText('Come at five')).toHaveLength(1)
  })

  it('keeps the text when the room went to somebody else meanwhile, and closes the composer', async () => {
    let owner = gulshat
    fakeApi({
      ...answersFor(gulshat),
      'GET /api/chatrooms/1': () => Response.json(wrapped(owner)),
      'POST /api/chatmessages': () => {
        owner = timur
        return errorAnswer(
          403,
          'ForbiddenError',
          'you cannot write on behalf of another consultant',
          'chat.not-your-voice',
        )
      },
    })
    const user = userEvent.setup()
    renderApp('/app/chats/1')
    await user.type(await screen.findByRole('textbox', { name: 'Message' }), 'Come at five{Enter}')
    expect(await screen.findByText('Answered by Timur')).toBeTruthy()
    expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull()
    expect(screen.getByText('Come at five')).toBeTruthy()
    expect(screen.getByText(/Not sent: You cannot write on behalf of another consultant/)).toBeTruthy()
  })

  it('says who was quicker when a free room is taken', async () => {
    const error = { status: 409, name: 'ConflictError', message: 'x', code: 'desk.taken', details: { owner: timur } }
    const calls = fakeApi({
      ...answersFor(null),
      'POST /api/chatrooms/1/assign': () => Response.json({ data: null, error }, { status: 409 }),
    })
    const user = userEvent.setup()
    renderApp('/app/chats/1')
    await user.click(await screen.findByRole('button', { name: 'Take over' }))
    expect(await screen.findByText('Timur has this already')).toBeTruthy()
    expect(calls.find(({ path }) => path.endsWith('/assign'))?.body).toEqual({ data: { to: 4, from: null } })
  })

  it('breaks the line with Shift, and sends no empty message', async () => {
    const calls = fakeApi(answersFor(gulshat))
    const user = userEvent.setup()
    renderApp('/app/chats/1')
    const field = await screen.findByRole('textbox', { name: 'Message' })
    await user.type(field, '  {Enter}')
    await user.type(field, 'a{Shift>}{Enter}{/Shift}b')
    expect(sent(calls)).toHaveLength(0)
    expect(readKeptText(4, 1).text).toBe('  a\nb')
  })
})

function clientIdOf(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('data' in body)) return ''
  const { data } = body
  return typeof data === 'object' && data !== null && 'client_id' in data ? String(data.client_id) : ''
}
