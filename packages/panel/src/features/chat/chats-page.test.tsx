import type { ChatAttachment } from '@dala/model'
import { screen, waitFor, within, fireEvent } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import * as database from 'fake-indexeddb'
import { loadDrafts } from '../../lib/drafts/draft-store.ts'
import { errorAnswer, fakeApi, type FakeCall } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { noConsultations } from '../../testing/no-consultations.ts'
import { saveDraft, readDraft, reloadDrafts } from './composer/drafts.ts'
// Loaded ahead: the first test would otherwise wait for the code of the page.
import './chats-page.tsx'
import { closeOutbox, readQueue } from './outbox/outbox.ts'
import { readOutbox, writeOutbox } from './outbox/store.ts'
import { stopSender } from './outbox/sender.ts'

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

const lastMessage = { id: 11, text: 'Is it late?', kind: 'message', createdAt: '2026-03-01T10:00:00.000Z' }
const scalars = {
  room: 'room-1',
  unread_message: 1,
  last_message: lastMessage,
  createdAt: lastMessage.createdAt,
  updatedAt: lastMessage.createdAt,
  rev: 11,
  state: 'open',
  waiting_since: lastMessage.createdAt,
  warn_at: null,
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
const makeRoomAnswer = (owner: typeof gulshat | null) => ({
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
const noAttachments: readonly ChatAttachment[] = []
const message = (id: number, text: string, sender = aybek, client_id: string | null = null) => ({
  id,
  room: 1,
  sender,
  text,
  kind: 'message',
  client_id,
  seq: id,
  seen: false,
  attachments: noAttachments,
  createdAt: lastMessage.createdAt,
  updatedAt: lastMessage.createdAt,
  reply_to: null,
  quoted: null,
  edited_at: null,
})
const thread = (...results: ReturnType<typeof message>[]) => ({
  results,
  cursor: { has_older: false, has_newer: false },
  rev: 11,
})
const pagination = { page: 1, pageSize: 30, pageCount: 1, total: 1 }
const counts = { all: 1, mine: 1, unassigned: 0, unread: 1, waiting: 1, breached: 0 }
const makeAnswers = (owner: typeof gulshat | null) => ({
  'GET /api/users/me': consultant,
  'GET /api/get_customized_rooms': { results: [row(owner)], pagination, counts },
  'GET /api/chatrooms/1': makeRoomAnswer(owner),
  'GET /api/chatmessages': thread(message(10, 'Salam'), message(11, 'Is it late?')),
  'GET /api/seen_messages': { data: { room: 1, unread_message: 0, last_read_seq: 11 } },
  'GET /api/consultations': noConsultations,
})
const sentMessagesOf = (calls: readonly FakeCall[]) =>
  calls.filter(({ method, path }) => method === 'POST' && path === '/api/chatmessages')

// The outbox needs a database; drafts are in localStorage, which is empty at the start of every test.
beforeAll(async () => {
  await loadDrafts()
  for (const [name, databasePart] of Object.entries(database)) vi.stubGlobal(name, databasePart)
})

beforeEach(async () => {
  localStorage.setItem('token', 'a')
  reloadPage()
  await writeOutbox(
    [],
    (await readOutbox(4)).map(({ clientId }) => clientId),
  )
})

/** Clears the chat's state in memory, as a page reload does. */
function reloadPage(): void {
  stopSender()
  closeOutbox()
  reloadDrafts()
}

/** Starts to edit the last chat message and returns its text field. */
async function editLastMessage(user: ReturnType<typeof userEvent.setup>): Promise<HTMLElement> {
  await user.click((await screen.findAllByRole('button', { name: /^Actions/ })).at(-1) ?? document.body)
  await user.click(await screen.findByRole('menuitem', { name: 'Edit message' }))
  return await screen.findByRole('textbox', { name: 'Edit message' })
}

describe('the chat desk', () => {
  it('asks the user to choose a room while no room is open', async () => {
    fakeApi(makeAnswers(gulshat))
    renderApp('/app/chats')
    expect(await screen.findByText('Please select a chat to send messages')).toBeTruthy()
    const room = await screen.findByRole('link', { name: /Aybek/ })
    expect(room.textContent).toContain('1 unread message')
  })

  it('reports a failure to load the rooms in place, without a toast, and can retry', async () => {
    let isWorking = false
    const { 'GET /api/get_customized_rooms': roomsAnswer, ...otherAnswers } = makeAnswers(gulshat)
    fakeApi({
      ...otherAnswers,
      'GET /api/get_customized_rooms': () =>
        isWorking ? Response.json(roomsAnswer) : errorAnswer(500, 'InternalServerError', 'Because of the test'),
    })
    const user = userEvent.setup()
    renderApp('/app/chats')
    const failure = await screen.findByText('The chats could not be loaded')
    const alert = failure.closest<HTMLElement>('[role="alert"]') ?? document.body
    const toasts = screen.queryByRole('region', { name: 'Notifications' })
    expect(toasts?.textContent ?? '').not.toContain('Because of the test')
    isWorking = true
    await user.click(within(alert).getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('link', { name: /Aybek/ })).toBeTruthy()
  })

  it('shows a chat room as read only after the server has confirmed it', async () => {
    let answerSeen: () => void = () => undefined
    const seenSignal = new Promise<void>((resolve) => (answerSeen = resolve))
    let isSeen = false
    const makeFreshPage = () => ({ results: [{ ...row(gulshat), unread_message: isSeen ? 0 : 1 }], pagination, counts })
    const calls = fakeApi({
      ...makeAnswers(gulshat),
      'GET /api/get_customized_rooms': () => Response.json(makeFreshPage()),
    })
    const originalFetch = globalThis.fetch
    globalThis.fetch = async (address, init) => {
      const answer = originalFetch(address, init)
      if (typeof address === 'string' && address.includes('/seen_messages')) {
        await seenSignal
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
    // The mark above unread messages stays while the room is open.
    expect(within(log).getByText('1 new')).toBeTruthy()
  })

  it('sends queued messages in order and once after a reload, and keeps the draft', async () => {
    let isWorking = false
    const storedMessages: ReturnType<typeof message>[] = []
    const calls = fakeApi({
      ...makeAnswers(gulshat),
      ...changesAnswer(storedMessages),
      'POST /api/chatmessages': ({ body }) => {
        if (!isWorking) return Promise.reject(new TypeError('network'))
        storedMessages.push(message(12 + storedMessages.length, textOf(body), gulshat, clientIdOf(body)))
        return Response.json({ data: { id: 12, attributes: {} }, meta: {}, rev: 11 + storedMessages.length })
      },
    })
    const user = userEvent.setup()
    const firstApp = renderApp('/app/chats/1')
    const field = await screen.findByRole('textbox', { name: 'Message' })
    await user.type(field, 'one{Enter}two{Enter}three{Enter}')
    await waitFor(() => expect(screen.getAllByText('Waiting to be sent')).toHaveLength(3))
    await user.type(field, 'and bring')
    saveDraft(4, 1, 'note', { text: 'ask Timur' })
    await waitFor(async () => expect(await readOutbox(4)).toHaveLength(3))
    firstApp.unmount()
    reloadPage()

    isWorking = true
    calls.length = 0
    renderApp('/app/chats/1')
    expect(await screen.findByDisplayValue('and bring')).toBeTruthy()
    await waitFor(() => expect(storedMessages.map(({ text }) => text)).toEqual(['one', 'two', 'three']))
    await waitFor(async () => expect(await readOutbox(4)).toEqual([]))
    expect(sentMessagesOf(calls)).toHaveLength(3)
    await waitFor(() => expect(readQueue()).toEqual([]))
    expect(within(screen.getByRole('log')).getAllByText('two')).toHaveLength(1)
    expect([readDraft(4, 1, 'message').text, readDraft(4, 1, 'note').text]).toEqual(['and bring', 'ask Timur'])
  })

  it('blocks later messages behind a refused one, and retries the refused message with the same client id', async () => {
    let isWorking = false
    const storedMessages: ReturnType<typeof message>[] = []
    const calls = fakeApi({
      ...makeAnswers(gulshat),
      ...changesAnswer(storedMessages),
      'POST /api/chatmessages': ({ body }) => {
        if (!isWorking) return errorAnswer(422, 'ValidationError', 'too much')
        storedMessages.push(message(12 + storedMessages.length, textOf(body), gulshat, clientIdOf(body)))
        return Response.json({ data: { id: 12, attributes: {} }, meta: {}, rev: 11 + storedMessages.length })
      },
    })
    const user = userEvent.setup()
    renderApp('/app/chats/1')
    const field = await screen.findByRole('textbox', { name: 'Message' })
    await user.type(field, 'Come at five{Enter}or six{Enter}')
    expect(await screen.findByText('Not sent: too much')).toBeTruthy()
    expect(screen.getByText('Waiting for the message before it')).toBeTruthy()
    isWorking = true
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(storedMessages.map(({ text }) => text)).toEqual(['Come at five', 'or six']))
    await waitFor(() => expect(screen.queryByText(/Not sent/)).toBeNull())
    const ids = sentMessagesOf(calls).map(({ body }) => clientIdOf(body))
    expect(ids).toHaveLength(3)
    expect(new Set(ids).size).toBe(2)
  })

  it('asks before it sends a message that has waited for longer than a day', async () => {
    const yesterdayTime = new Date(Date.now() - 25 * 3_600_000).toISOString()
    const outboxMessage = {
      clientId: 'old',
      user: 4,
      room: 1,
      kind: 'message',
      text: 'Tomorrow',
      attachments: [],
    } as const
    await writeOutbox(
      [{ ...outboxMessage, replyTo: null, quoted: null, at: yesterdayTime, order: 1, state: 'queued', tries: 0 }],
      [],
    )
    const calls = fakeApi({
      ...makeAnswers(gulshat),
      'POST /api/chatmessages': { data: { id: 12, attributes: {} }, meta: {}, rev: 11 },
    })
    const user = userEvent.setup()
    renderApp('/app/chats/1')
    expect(await screen.findByText('Written more than a day ago. Send it now?')).toBeTruthy()
    expect(sentMessagesOf(calls)).toHaveLength(0)
    await user.click(screen.getByRole('button', { name: 'Send now' }))
    await waitFor(() => expect(sentMessagesOf(calls).map(({ body }) => clientIdOf(body))).toEqual(['old']))
  })

  it('keeps the text and closes the composer when the room is assigned to another consultant', async () => {
    let owner = gulshat
    fakeApi({
      ...makeAnswers(gulshat),
      'GET /api/chatrooms/1': () => Response.json(makeRoomAnswer(owner)),
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

  it('names the colleague who took a free room first', async () => {
    const error = { status: 409, name: 'ConflictError', message: 'x', code: 'desk.taken', details: { owner: timur } }
    let owner: typeof timur | null = null
    const calls = fakeApi({
      ...makeAnswers(null),
      'GET /api/chatrooms/1': () => Response.json(makeRoomAnswer(owner)),
      'POST /api/chatrooms/1/assign': () => {
        owner = timur
        return Response.json({ data: null, error }, { status: 409 })
      },
    })
    const user = userEvent.setup()
    renderApp('/app/chats/1')
    const takeButton = await screen.findByRole('button', { name: 'Take over' })
    expect(screen.getByText('Nobody has this chat yet.')).toBeTruthy()
    await user.click(takeButton)
    expect(await screen.findByText('Timur already has this')).toBeTruthy()
    expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull()
    expect(calls.find(({ path }) => path.endsWith('/assign'))?.body).toEqual({ data: { to: 4, from: null } })
  })

  it('closes a room that is no longer visible to the user, and shows the unsent text', async () => {
    let isGone = false
    let answer: () => void = () => undefined
    const typingSignal = new Promise<void>((resolve) => (answer = resolve))
    fakeApi({
      ...makeAnswers(gulshat),
      'GET /api/chatrooms/1': () =>
        isGone ? errorAnswer(404, 'NotFoundError', 'Not Found') : Response.json(makeRoomAnswer(gulshat)),
      'POST /api/chatmessages': async () => {
        await typingSignal
        isGone = true
        return errorAnswer(404, 'NotFoundError', 'Not Found')
      },
    })
    const user = userEvent.setup()
    renderApp('/app/chats/1')
    const field = await screen.findByRole('textbox', { name: 'Message' })
    await user.type(field, 'Come at five{Enter}')
    await user.type(field, 'or six')
    answer()
    expect(await screen.findByText('This chat is now assigned to someone else.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Take over' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Write a note' })).toBeNull()
    expect(screen.getByText('or six')).toBeTruthy()
  })

  it('reports an unsent message in another room, and shows it where that room is no longer visible', async () => {
    let isGone = false
    const refusal = Promise.withResolvers<void>()
    fakeApi({
      ...makeAnswers(gulshat),
      'GET /api/chatrooms/1': () =>
        isGone ? errorAnswer(404, 'NotFoundError', 'Not Found') : Response.json(makeRoomAnswer(gulshat)),
      'GET /api/chatrooms/1/changes': () => errorAnswer(404, 'NotFoundError', 'Not Found'),
      'POST /api/chatmessages': async () => {
        await refusal.promise
        return errorAnswer(403, 'ForbiddenError', 'x', 'chat.not-your-voice')
      },
    })
    const user = userEvent.setup()
    const { router, queryClient } = renderApp('/app/chats/1')
    await user.type(await screen.findByRole('textbox', { name: 'Message' }), 'Come at five{Enter}')
    await router.navigate({ href: '/app/chats' })
    expect(await screen.findByText('Please select a chat to send messages')).toBeTruthy()
    isGone = true
    queryClient.removeQueries({ queryKey: ['resource', 'chatrooms', 'open', 1] })
    refusal.resolve()
    expect(await screen.findByText(/another consultant · Come at five/)).toBeTruthy()
    await user.click(await screen.findByRole('link', { name: '1 message was not sent' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/chats/1'))
    expect(await screen.findByText('Come at five')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByText('1 message was not sent')).toBeNull())
  })

  it('keeps the focus at a message that is retried', async () => {
    let isWorking = false
    const storedMessages: ReturnType<typeof message>[] = []
    fakeApi({
      ...makeAnswers(gulshat),
      ...changesAnswer(storedMessages),
      'POST /api/chatmessages': ({ body }) => {
        if (!isWorking) return errorAnswer(422, 'ValidationError', 'too much')
        storedMessages.push(message(12, textOf(body), gulshat, clientIdOf(body)))
        return Response.json({ data: { id: 12, attributes: {} }, meta: {}, rev: 12 })
      },
    })
    const user = userEvent.setup()
    renderApp('/app/chats/1')
    await user.type(await screen.findByRole('textbox', { name: 'Message' }), 'Come at five{Enter}')
    isWorking = true
    await user.click(await screen.findByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(screen.queryByText(/Not sent/)).toBeNull())
    expect(document.activeElement?.textContent).toContain('Come at five')
  })

  it('lets a user who may not write to the customer retry a note', async () => {
    let isWorking = false
    const calls = fakeApi({
      ...makeAnswers(timur),
      'POST /api/chatmessages': () =>
        isWorking
          ? Response.json({ data: { id: 12, attributes: {} }, meta: {}, rev: 11 })
          : errorAnswer(422, 'ValidationError', 'too much'),
    })
    const user = userEvent.setup()
    renderApp('/app/chats/1')
    await user.click(await screen.findByRole('button', { name: 'Write a note' }))
    await user.type(await screen.findByRole('textbox', { name: 'Internal note' }), 'Ask Timur{Enter}')
    const retryButton = await screen.findByRole('button', { name: 'Try again' })
    isWorking = true
    await user.click(retryButton)
    await waitFor(() => expect(sentMessagesOf(calls)).toHaveLength(2))
  })

  it('saves an edited message on Enter, and keeps the focus at the message', async () => {
    const now = new Date().toISOString()
    const ownMessage = { ...message(11, 'Come at fife', gulshat), createdAt: now, updatedAt: now }
    const calls = fakeApi({
      ...makeAnswers(gulshat),
      'GET /api/chatmessages': thread(message(10, 'Salam'), ownMessage),
      'PUT /api/chatmessages/11': { data: { id: 11, attributes: {} }, meta: {}, rev: 12 },
    })
    const user = userEvent.setup()
    renderApp('/app/chats/1')
    await user.type(await editLastMessage(user), '{Shift>}{Enter}{/Shift}or six{Enter}')
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Edit message' })).toBeNull())
    expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      data: { text: 'Come at fife\nor six' },
    })
    expect(document.activeElement?.textContent).toContain('Come at fife')
  })

  it('keeps a note a note when the room is assigned to its author during typing', async () => {
    let owner: typeof gulshat | null = null
    const takenResponse = Promise.withResolvers<void>()
    const calls = fakeApi({
      ...makeAnswers(null),
      'GET /api/chatrooms/1': () => Response.json(makeRoomAnswer(owner)),
      'POST /api/chatrooms/1/assign': async () => {
        await takenResponse.promise
        owner = gulshat
        return Response.json({ data: { id: 1, attributes: {} }, meta: {}, rev: 11 })
      },
      'POST /api/chatmessages': { data: { id: 12, attributes: {} }, meta: {}, rev: 12 },
    })
    const user = userEvent.setup()
    renderApp('/app/chats/1')
    await user.click(await screen.findByRole('button', { name: 'Write a note' }))
    const note = await screen.findByRole('textbox', { name: 'Internal note' })
    await user.type(note, 'He owes')
    await user.click(screen.getByRole('button', { name: 'Take over' }))
    await user.type(note, ' for seeds')
    takenResponse.resolve()
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Take over' })).toBeNull())
    await user.keyboard(' since May{Enter}')
    await waitFor(() => expect(sentMessagesOf(calls)).toHaveLength(1))
    expect(sentMessagesOf(calls)[0]?.body).toMatchObject({
      data: { kind: 'note', text: 'He owes for seeds since May' },
    })
  })

  it('opens the reply field in a room the user has taken over, beside an earlier note', async () => {
    let owner: typeof gulshat | null = null
    saveDraft(4, 1, 'note', { text: 'Old note' })
    fakeApi({
      ...makeAnswers(null),
      'GET /api/chatrooms/1': () => Response.json(makeRoomAnswer(owner)),
      'POST /api/chatrooms/1/assign': () => {
        owner = gulshat
        return Response.json({ data: { id: 1, attributes: {} }, meta: {}, rev: 11 })
      },
    })
    renderApp('/app/chats/1')
    await userEvent.setup().click(await screen.findByRole('button', { name: 'Take over' }))
    expect(await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })).toMatchObject({ value: '' })
    expect(readDraft(4, 1, 'note').text).toBe('Old note')
  })

  it('keeps the edit of a message that scrolls out of view, and reports a failed save', async () => {
    const now = new Date().toISOString()
    const ownMessage = { ...message(11, 'Ten litres', gulshat), createdAt: now, updatedAt: now }
    const refusal = Promise.withResolvers<void>()
    fakeApi({
      ...makeAnswers(gulshat),
      'GET /api/chatmessages': thread(message(10, 'Salam'), ownMessage),
      'GET /api/chatrooms/1/changes': { results: [], rev: 11, complete: true, reset: false },
      'PUT /api/chatmessages/11': async () => {
        await refusal.promise
        return errorAnswer(500, 'InternalServerError', 'internal server error', 'server.internal')
      },
    })
    const user = userEvent.setup()
    const { router } = renderApp('/app/chats/1')
    const field = await editLastMessage(user)
    await user.clear(field)
    await user.type(field, 'One litre{Enter}')
    await router.navigate({ href: '/app/chats' })
    expect(await screen.findByText('Please select a chat to send messages')).toBeTruthy()
    refusal.resolve()
    expect(await screen.findByText('Message was not saved')).toBeTruthy()
    await router.navigate({ href: '/app/chats/1' })
    const editField = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Edit message' })
    expect(editField.value).toBe('One litre')
    expect(document.activeElement).not.toBe(editField)
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(await screen.findByText('Ten litres')).toBeTruthy()
  })

  it('leaves the focus where the user is writing when an edited message is saved', async () => {
    const now = new Date().toISOString()
    const ownMessage = { ...message(11, 'Ten litres', gulshat), createdAt: now, updatedAt: now }
    const pendingSave = Promise.withResolvers<void>()
    fakeApi({
      ...makeAnswers(gulshat),
      'GET /api/chatmessages': thread(message(10, 'Salam'), ownMessage),
      'PUT /api/chatmessages/11': async () => {
        await pendingSave.promise
        return Response.json({ data: { id: 11, attributes: {} }, meta: {}, rev: 12 })
      },
    })
    const user = userEvent.setup()
    renderApp('/app/chats/1')
    await user.type(await editLastMessage(user), ' a day{Enter}')
    const composer = screen.getByRole('textbox', { name: 'Message' })
    await user.click(composer)
    pendingSave.resolve()
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Edit message' })).toBeNull())
    expect(document.activeElement).toBe(composer)
  })

  it('moves the focus to the messages of a room that the user may only read', async () => {
    fakeApi({
      ...makeAnswers(null),
      'GET /api/get_customized_rooms': { results: [row(null)], pagination, counts },
    })
    const user = userEvent.setup()
    renderApp('/app/chats')
    await user.click(await screen.findByRole('link', { name: /Aybek/ }))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('log')))
  })

  it('keeps a message sent before the room is loaded again, and shows what it waits for', async () => {
    const changes = { results: [], rev: 11, complete: true, reset: false }
    const calls = fakeApi({
      ...makeAnswers(gulshat),
      'GET /api/chatrooms/1/changes': changes,
      'POST /api/chatmessages': { data: { id: 12, attributes: {} }, meta: {}, rev: 12 },
    })
    const changesSignal = Promise.withResolvers<void>()
    const user = userEvent.setup()
    renderApp('/app/chats/1')
    const field = await screen.findByRole('textbox', { name: 'Message' })
    const originalFetch = globalThis.fetch
    globalThis.fetch = async (address, init) => {
      if (typeof address === 'string' && address.includes('/changes')) await changesSignal.promise
      return originalFetch(address, init)
    }
    window.dispatchEvent(new Event('online'))
    await user.type(field, 'Come at five{Enter}')
    expect(await screen.findByText('Catching up…')).toBeTruthy()
    expect([field.textContent, sentMessagesOf(calls)]).toEqual(['Come at five', []])
    changesSignal.resolve()
    await waitFor(() => expect(screen.queryByText('Catching up…')).toBeNull())
    await user.type(field, '{Enter}')
    await waitFor(() => expect(sentMessagesOf(calls)).toHaveLength(1))
  })

  it('shows a document of a message as a download, and a picture as a picture', async () => {
    const picture = { url: '/uploads/a.png', name: 'leaf.png', mime: 'image/png', size: 3, width: 40, height: 30 }
    const sizes = { size: 1250, width: null, height: null }
    const document = { url: '/uploads/b.xlsx', name: 'Prices.xlsx', mime: 'application/x', ...sizes }
    const attachments = [picture, document]
    fakeApi({
      ...makeAnswers(gulshat),
      'GET /api/chatmessages': thread({ ...message(11, 'Look'), attachments }),
    })
    renderApp('/app/chats/1')
    const link = await screen.findByRole('link', { name: 'Download Prices.xlsx' })
    expect([link.getAttribute('href'), link.hasAttribute('download')]).toEqual(['/uploads/b.xlsx', true])
    expect(screen.getByText('Excel · 1.3 MB')).toBeTruthy()
    expect(screen.getAllByRole('img').map((image) => image.getAttribute('src'))).toEqual(['/uploads/a.png'])
  })

  it('takes a document of the draft, and refuses other files with a reason', async () => {
    const sizes = { size: 12, width: null, height: null }
    saveDraft(4, 1, 'message', {
      attachments: [{ url: '/uploads/c.pdf', name: 'plan.pdf', mime: 'application/pdf', ...sizes }],
    })
    const calls = fakeApi({ ...makeAnswers(gulshat), 'POST /api/chatmessages': () => errorAnswer(422, 'x', 'no') })
    renderApp('/app/chats/1')
    const user = userEvent.setup({ applyAccept: false })
    const field = await screen.findByRole('textbox', { name: 'Message' })
    const files = await screen.findByRole('list', { name: 'Files of the message' })
    expect(within(files).getByText('plan.pdf')).toBeTruthy()
    expect(files.querySelector('img')).toBeNull()
    await user.click(field)
    fireEvent.paste(field, { clipboardData: { files: [new File(['MZ'], 'setup.exe')] } })
    expect((await within(files).findByRole('alert')).textContent).toMatch(/^Pictures, PDF, Word/)
    expect(within(files).queryByRole('button', { name: 'Upload setup.exe again' })).toBeNull()
    await user.click(within(files).getByRole('button', { name: 'Remove setup.exe' }))
    await user.click(screen.getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(sentMessagesOf(calls)).toHaveLength(1))
    expect(sentMessagesOf(calls)[0]?.body).toMatchObject({
      data: { text: null, attachments: [{ url: '/uploads/c.pdf' }] },
    })
  })

  it('breaks the line of a message on Shift+Enter, and sends no empty message', async () => {
    const calls = fakeApi(makeAnswers(gulshat))
    const user = userEvent.setup()
    renderApp('/app/chats/1')
    const field = await screen.findByRole('textbox', { name: 'Message' })
    await user.type(field, '  {Enter}')
    await user.type(field, 'a{Shift>}{Enter}{/Shift}b')
    expect(sentMessagesOf(calls)).toHaveLength(0)
    expect(readDraft(4, 1, 'message').text).toBe('  a\nb')
  })
})

/** Answer of the API to the call `changes`, with messages that were stored in the meantime. */
const changesAnswer = (storedMessages: ReturnType<typeof message>[]) => ({
  'GET /api/chatmessages': () =>
    Response.json({ ...thread(message(11, 'Is it late?'), ...storedMessages), rev: 11 + storedMessages.length }),
  'GET /api/chatrooms/1/changes': ({ query }: FakeCall) => {
    const afterSeq = Number(new URLSearchParams(query).get('after'))
    const results = storedMessages
      .filter(({ seq }) => seq > afterSeq)
      .map((data) => ({ rev: data.seq, prev: data.seq - 1, type: 'created', data }))
    return Response.json({ results, rev: 11 + storedMessages.length, complete: true, reset: false })
  },
})

function textOf(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('data' in body)) return ''
  const { data } = body
  return typeof data === 'object' && data !== null && 'text' in data ? String(data.text) : ''
}

function clientIdOf(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('data' in body)) return ''
  const { data } = body
  return typeof data === 'object' && data !== null && 'client_id' in data ? String(data.client_id) : ''
}
