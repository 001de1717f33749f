import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { chatMessage } from '../../testing/chat-message.ts'
import { errorAnswer, fakeApi, type FakeCall, lastCallTo } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { noConsultations } from '../../testing/no-consultations.ts'
// Loaded ahead: the first test would otherwise wait for the code of the page.
import './chats-page.tsx'
import { reloadDrafts } from './composer/drafts.ts'
import { setReplyTarget } from './composer/use-reply-target.ts'

const person = (id: number, first_name: string) => ({
  id,
  username: first_name,
  first_name,
  last_name: null,
  avatar: null,
})
const [gulshat, aybek, timur] = [person(4, 'Gulshat'), person(5, 'Aybek'), person(6, 'Timur')]
const me = (role: string, is_consultant: boolean) => ({
  id: 4,
  username: 'gulshat',
  email: 'g@example.org',
  name: 'Gulshat',
  surname: null,
  is_consultant,
  role: { id: 4, name: 'x', type: role },
})
const testTime = '2026-03-01T10:00:00.000Z'
const lastMessage = { id: 11, text: 'Is it late?', kind: 'message', createdAt: testTime }
const scalars = {
  room: 'room-1',
  unread_message: 0,
  last_message: lastMessage,
  createdAt: testTime,
  updatedAt: testTime,
  rev: 11,
  state: 'open',
  waiting_since: testTime,
  warn_at: testTime,
  due_at: testTime,
  language: 'kaa',
}
const row = (id: number, sender = aybek) => ({ ...scalars, id, sender, receiver: gulshat, assignee: null, tags: [] })
const link = ({ id, ...attributes }: typeof gulshat) => ({
  data: { id, attributes: { ...attributes, avatar: { data: null } } },
})
const emptyAnswer = { data: null }
const makeRoomAnswer = (owner: typeof gulshat | null, roomFields: object = {}) => ({
  data: {
    id: 1,
    attributes: {
      ...scalars,
      ...roomFields,
      version: 1,
      sender: link(aybek),
      receiver: owner ? link(owner) : emptyAnswer,
      assignee: emptyAnswer,
      region: emptyAnswer,
      category: emptyAnswer,
      tags: { data: [] },
    },
  },
})
const pagination = { page: 1, pageSize: 30, pageCount: 1, total: 1 }
const counts = { all: 2, mine: 2, unassigned: 0, unread: 1, waiting: 2, breached: 2 }
const reply = (id: number, locale: string, title: string, text: string) => ({ id, attributes: { title, text, locale } })
const answers = (owner: typeof gulshat | null = gulshat, roomFields: object = {}) => ({
  'GET /api/users/me': me('authenticated', true),
  'GET /api/get_customized_rooms': {
    results: [row(1), row(2, timur)],
    pagination,
    counts,
  },
  'GET /api/chatrooms/1': makeRoomAnswer(owner, roomFields),
  'GET /api/chatrooms/1/changes': { results: [], rev: 11, complete: true, reset: false },
  'GET /api/chatmessages': { results: [], cursor: { has_older: false, has_newer: false }, rev: 11 },
  'GET /api/seen_messages': { data: { room: 1, unread_message: 0, last_read_seq: 11 } },
  'GET /api/consultations': noConsultations,
  'GET /api/list-views': { data: [], meta: { pagination } },
  'GET /api/replytemplates': {
    data: [
      reply(1, 'ru', 'Норма', 'Внесите {{amount}} кг'),
      reply(2, 'kaa', 'Sálem', 'Sálem, {{customer_name}}! Men {{consultant_name}}.'),
    ],
    meta: { pagination },
  },
  'POST /api/chatmessages': { data: { id: 12, attributes: {} }, meta: {}, rev: 12 },
})
const sentMessages = (calls: readonly FakeCall[]) =>
  calls.filter(({ method, path }) => method === 'POST' && path === '/api/chatmessages').map(({ body }) => body)
const fieldOf = (name: string) => screen.findByRole<HTMLTextAreaElement>('textbox', { name })

beforeEach(() => {
  localStorage.setItem('token', 'a')
  localStorage.setItem('chat-sound', 'off')
  reloadDrafts()
  setReplyTarget(1, null)
})

describe('canned replies', () => {
  it('opens canned replies at a slash, in the language of the room first, and fills them in', async () => {
    fakeApi(answers())
    const user = userEvent.setup()
    renderApp('/app/chats/1')
    const field = await fieldOf('Message')
    await user.type(field, 'Ok /')
    const list = await screen.findByRole('listbox', { name: 'Quick replies' })
    expect(
      within(list)
        .getAllByRole('option')
        .map(({ ariaSelected }) => ariaSelected),
    ).toEqual(['true', 'false'])
    await user.keyboard('{Enter}')
    expect(field.value).toBe('Ok Sálem, Aybek! Men Gulshat.')
    expect(screen.queryByRole('listbox')).toBeNull()
  })

  it('names the region of a canned reply in the language of the reply, not in that of the panel', async () => {
    const xorazm = { id: 12, attributes: { locale: 'uz', name: 'Xorazm viloyati' } }
    const region = {
      data: { id: 11, attributes: { locale: 'en', name: 'Khorezm Region', localizations: { data: [xorazm] } } },
    }
    const room = makeRoomAnswer(gulshat).data
    const template = reply(5, 'uz', 'Narxlar', '{{region}} boʻyicha')
    const calls = fakeApi({
      ...answers(),
      'GET /api/chatrooms/1': { data: { ...room, attributes: { ...room.attributes, region } } },
      'GET /api/replytemplates': { data: [template], meta: { pagination: { pageCount: 1 } } },
    })
    const user = userEvent.setup()
    renderApp('/app/chats/1')
    const field = await fieldOf('Message')
    await user.type(field, '/nar')
    await screen.findByRole('listbox', { name: 'Quick replies' })
    await user.keyboard('{Enter}')
    expect(field.value).toBe('Xorazm viloyati boʻyicha')
    expect(lastCallTo(calls, '/api/chatrooms/1')?.query).toContain('populate[region][populate]=localizations')
  })

  it('blocks sending a canned reply while a variable is open, and moves the focus to the variable', async () => {
    const calls = fakeApi(answers())
    const user = userEvent.setup()
    renderApp('/app/chats/1')
    const field = await fieldOf('Message')
    await user.type(field, '/нор')
    await screen.findByRole('listbox')
    await user.keyboard('{Enter}{Enter}')
    expect(sentMessages(calls)).toEqual([])
    await user.click(await screen.findByRole('button', { name: 'Fill in amount' }))
    expect(field.value.slice(field.selectionStart, field.selectionEnd)).toBe('{{amount}}')
    await user.keyboard('20{Enter}')
    await waitFor(() =>
      expect(sentMessages(calls)).toMatchObject([{ data: { text: 'Внесите 20 кг', kind: 'message' } }]),
    )
  })

  it('leaves a slash in the message after Escape', async () => {
    fakeApi(answers())
    const user = userEvent.setup()
    renderApp('/app/chats/1')
    const field = await fieldOf('Message')
    await user.type(field, '/s')
    await screen.findByRole('listbox')
    await user.keyboard('{Escape}a')
    expect(field.value).toBe('/sa')
    expect(screen.queryByRole('listbox')).toBeNull()
  })
})

describe('the note field', () => {
  it('stores a separate draft of the note that never contains the reply', async () => {
    const calls = fakeApi(answers())
    const user = userEvent.setup()
    renderApp('/app/chats/1')
    await user.type(await fieldOf('Message'), 'To the farmer')
    await user.keyboard('{Alt>}[KeyN]{/Alt}')
    const note = await fieldOf('Internal note')
    expect(note.value).toBe('')
    expect(screen.getByText('visible to staff only')).toBeTruthy()
    await user.type(note, 'Call him{Enter}')
    await waitFor(() => expect(sentMessages(calls)).toMatchObject([{ data: { text: 'Call him', kind: 'note' } }]))
    await user.keyboard('{Alt>}[KeyN]{/Alt}')
    expect((await fieldOf('Message')).value).toBe('To the farmer')
  })

  it('lets the desk write notes where another consultant answers', async () => {
    const unwritableRoom = { can_write: false, cannot_write_reason: 'not-owner' }
    const calls = fakeApi({ ...answers(timur, unwritableRoom), 'GET /api/users/me': me('admin', false) })
    const user = userEvent.setup()
    renderApp('/app/chats/1')
    expect(await screen.findByText('You cannot write on behalf of another consultant')).toBeTruthy()
    expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Write a note' }))
    await user.type(await fieldOf('Internal note'), 'Look at the leaf{Enter}')
    await waitFor(() => expect(sentMessages(calls)).toMatchObject([{ data: { kind: 'note' } }]))
  })

  it('explains why nobody can write to a customer whose account is deleted', async () => {
    fakeApi(answers(gulshat, { can_write: false, cannot_write_reason: 'customer-removed' }))
    renderApp('/app/chats/1')
    expect(await screen.findByText(/The customer’s account is closed/)).toBeTruthy()
  })
})

describe('handing over', () => {
  it('requires a note to hand a room over, names the current owner after a conflict, and lets staff continue', async () => {
    const takenError = {
      status: 409,
      name: 'ConflictError',
      message: 'x',
      code: 'desk.taken',
      details: { owner: aybek },
    }
    let tryCount = 0
    const calls = fakeApi({
      ...answers(timur, { can_write: false, cannot_write_reason: 'not-owner' }),
      'GET /api/users/me': me('admin', false),
      'GET /api/chatrooms/takers': {
        data: [{ consultant: person(8, 'Nodira'), online: true, open: 3, language: 'uz', categories: ['Water'] }],
      },
      'POST /api/chatrooms/1/assign': () => {
        tryCount += 1
        if (tryCount === 1) return Response.json({ data: null, error: takenError }, { status: 409 })
        return Response.json({ data: { id: 1, attributes: {} }, meta: {}, rev: 11 })
      },
    })
    const user = userEvent.setup()
    renderApp('/app/chats/1?person=open')
    await user.click(await screen.findByRole('button', { name: 'Hand over' }))
    const dialog = await screen.findByRole('dialog')
    await user.click(await within(dialog).findByRole('combobox'))
    const option = await screen.findByRole('option', { name: /Nodira/ })
    expect(option.textContent).toContain('Online · 3 open chats · Oʻzbekcha · Water')
    await user.click(option)
    await user.click(within(dialog).getByRole('button', { name: 'Hand over' }))
    expect(tryCount).toBe(0)
    await user.type(within(dialog).getByRole('textbox', { name: /Note/ }), 'Soil')
    await user.click(within(dialog).getByRole('button', { name: 'Hand over' }))
    expect(await within(dialog).findByText('Aybek already has this')).toBeTruthy()
    await user.click(within(dialog).getByRole('button', { name: 'Try again with the current owner' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(lastCallTo(calls, '/api/chatrooms/1/assign')?.body).toEqual({ data: { to: 8, from: 5, note: 'Soil' } })
  })

  it('sends the owner at the time the hand-over dialog opened, not the current owner', async () => {
    let owner = timur
    const calls = fakeApi({
      ...answers(timur, { can_write: false, cannot_write_reason: 'not-owner' }),
      'GET /api/users/me': me('admin', false),
      'GET /api/chatrooms/1': () => Response.json(makeRoomAnswer(owner, { can_write: false })),
      'GET /api/chatrooms/takers': {
        data: [{ consultant: person(8, 'Nodira'), online: true, open: 3, language: 'uz', categories: [] }],
      },
      'POST /api/chatrooms/1/assign': { data: { id: 1, attributes: {} }, meta: {}, rev: 11 },
    })
    const user = userEvent.setup()
    const { queryClient } = renderApp('/app/chats/1?person=open')
    await user.click(await screen.findByRole('button', { name: 'Hand over' }))
    const dialog = await screen.findByRole('dialog')
    owner = aybek
    await queryClient.invalidateQueries()
    await user.click(await within(dialog).findByRole('combobox'))
    await user.click(await screen.findByRole('option', { name: /Nodira/ }))
    await user.type(within(dialog).getByRole('textbox', { name: /Note/ }), 'Soil')
    await user.click(within(dialog).getByRole('button', { name: 'Hand over' }))
    await waitFor(() => expect(lastCallTo(calls, '/api/chatrooms/1/assign')).toBeDefined())
    expect(lastCallTo(calls, '/api/chatrooms/1/assign')?.body).toMatchObject({ data: { to: 8, from: 6 } })
  })
})

describe('the description of a room', () => {
  it('saves the language of a room', async () => {
    const calls = fakeApi({ ...answers(), 'PUT /api/chatrooms/1': makeRoomAnswer(gulshat, { language: 'ru' }) })
    const user = userEvent.setup()
    renderApp('/app/chats/1?person=open')
    const language = async () => screen.findAllByRole('combobox', { name: 'Language' })
    await waitFor(async () => expect((await language()).at(-1)?.textContent).toContain('Qaraqalpaqsha'))
    await user.click((await language()).at(-1) ?? document.body)
    await user.click(await screen.findByRole('option', { name: 'Русский' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
        data: { category: null, region: null, language: 'ru', tags: [], version: 1 },
      }),
    )
  })
})

describe('an unsaved edit of a room’s description', () => {
  it('keeps an unsaved edit through changes of the room elsewhere, and saves it over the current version', async () => {
    let storedRoom = makeRoomAnswer(gulshat)
    const change = (attributes: object, version: number) => {
      const { data } = storedRoom
      storedRoom = { ...storedRoom, data: { ...data, attributes: { ...data.attributes, ...attributes, version } } }
    }
    const calls = fakeApi({
      ...answers(),
      'GET /api/chatrooms/1': () => Response.json(storedRoom),
      'PUT /api/chatrooms/1': () => {
        change({ language: 'ru' }, 3)
        return Response.json(storedRoom)
      },
    })
    const user = userEvent.setup()
    const { queryClient } = renderApp('/app/chats/1?person=open')
    const form = await screen.findByRole('form', { name: 'About this chat' })
    const language = () => within(form).getByRole('combobox', { name: 'Language' })
    await user.click(language())
    await user.click(await screen.findByRole('option', { name: 'Русский' }))
    change({ state: 'waiting_customer' }, 2)
    await queryClient.invalidateQueries({ queryKey: ['resource', 'chatrooms'] })
    await waitFor(() => expect(calls.filter(({ path }) => path === '/api/chatrooms/1').length).toBeGreaterThan(1))
    expect(language().textContent).toContain('Русский')
    within(form).getByRole('button', { name: 'Save' }).focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(within(form).queryByRole('button', { name: 'Save' })).toBeNull())
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
      data: { category: null, region: null, language: 'ru', tags: [], version: 2 },
    })
    expect(document.activeElement).toBe(form)
  })
})

describe('the list of rooms', () => {
  it('combines the filters of the room list', async () => {
    const calls = fakeApi(answers())
    const user = userEvent.setup()
    const { router } = renderApp('/app/chats')
    await user.click(await screen.findByRole('button', { name: /^Waiting/ }))
    await user.click(screen.getByRole('button', { name: /^Unread/ }))
    await user.click(screen.getByRole('button', { name: /^Mine/ }))
    await waitFor(() => expect(router.state.location.search).toEqual({ waiting: 'yes', unread: 'yes', who: 'mine' }))
    await waitFor(() =>
      expect(lastCallTo(calls, '/api/get_customized_rooms')?.query).toContain(
        'filters[unread]=true&filters[waiting]=true&filters[assignee]=me',
      ),
    )
  })

  it('filters the room list by overdue rooms and by state', async () => {
    const calls = fakeApi(answers())
    const user = userEvent.setup()
    const { router } = renderApp('/app/chats?state=closed')
    await user.click(await screen.findByRole('button', { name: /^Overdue/ }))
    await waitFor(() => expect(router.state.location.search).toEqual({ breached: 'yes', state: 'closed' }))
    await waitFor(() =>
      expect(lastCallTo(calls, '/api/get_customized_rooms')?.query).toContain(
        'filters[breached]=true&filters[state]=closed',
      ),
    )
    expect(screen.getByRole('combobox', { name: 'State' }).textContent).toContain('Close')
  })

  it('ends a wait without a reply after a question, with the reason', async () => {
    const calls = fakeApi({
      ...answers(),
      'POST /api/chatrooms/1/no-reply': { ...makeRoomAnswer(gulshat, { waiting_since: null }), meta: {}, rev: 12 },
    })
    const user = userEvent.setup()
    renderApp('/app/chats/1?person=open')
    await user.click(await screen.findByRole('button', { name: 'No reply needed' }))
    const dialog = await screen.findByRole('dialog', { name: 'No reply needed' })
    await user.type(within(dialog).getByRole('textbox', { name: 'Reason, if there is one' }), 'Thanks only')
    await user.click(within(dialog).getByRole('button', { name: 'No reply needed' }))
    await waitFor(() =>
      expect(lastCallTo(calls, '/api/chatrooms/1/no-reply')?.body).toEqual({ data: { reason: 'Thanks only' } }),
    )
  })

  it('reopens a closed room from the pane about the person', async () => {
    const closedRoom = { state: 'closed', waiting_since: null, warn_at: null, due_at: null }
    const calls = fakeApi({
      ...answers(gulshat, closedRoom),
      'POST /api/chatrooms/1/state': { ...makeRoomAnswer(gulshat), meta: {}, rev: 12 },
    })
    const user = userEvent.setup()
    renderApp('/app/chats/1?person=open')
    const reopenButton = await screen.findByRole('button', { name: 'Open again' })
    expect(screen.queryByRole('button', { name: 'No reply needed' })).toBeNull()
    await user.click(reopenButton)
    await waitFor(() => expect(lastCallTo(calls, '/api/chatrooms/1/state')?.body).toEqual({ data: { state: 'open' } }))
  })

  it('filters the room list by category and by the minimum wait of the customer', async () => {
    const names = { data: [{ id: 8, attributes: { name: 'Pests', locale: 'en' } }], meta: { pagination } }
    const calls = fakeApi({ ...answers(), 'GET /api/consultationcategories': names, 'GET /api/regions': names })
    const user = userEvent.setup()
    const { router } = renderApp('/app/chats?over=45')
    const wait = await screen.findByRole('combobox', { name: 'Length of the wait' })
    expect(wait.textContent).toContain('Waiting longer than 45 min')
    await user.click(screen.getByRole('combobox', { name: 'Category' }))
    await user.click(await screen.findByRole('option', { name: 'Pests' }))
    await waitFor(() => expect(router.state.location.search).toEqual({ over: '45', category: '8' }))
    await waitFor(() =>
      expect(lastCallTo(calls, '/api/get_customized_rooms')?.query).toContain(
        'filters[category]=8&filters[waiting_over]=45',
      ),
    )
  })

  it('searches messages between two days, and explains days in the wrong order', async () => {
    const calls = fakeApi({ ...answers(), 'GET /api/chatmessages/search': { results: [], pagination } })
    const user = userEvent.setup()
    const { router } = renderApp('/app/chats?q=soil&in=messages&from=2026-03-05')
    const lastDayField = await screen.findByRole('textbox', { name: 'Last day' })
    await user.type(lastDayField, '04.03.2026')
    expect(screen.getByRole('alert').textContent).toBe('The last day must not be before the first.')
    expect(lastDayField.getAttribute('aria-invalid')).toBe('true')
    await user.clear(lastDayField)
    await user.type(lastDayField, '06.03.2026')
    await waitFor(() => expect(router.state.location.search).toMatchObject({ from: '2026-03-05', to: '2026-03-06' }))
    await waitFor(() =>
      expect(lastCallTo(calls, '/api/chatmessages/search')?.query).toContain('q=soil&from=2026-03-05&to=2026-03-06'),
    )
    await user.click(screen.getByRole('button', { name: 'Chats' }))
    await waitFor(() => expect(router.state.location.search).toEqual({ q: 'soil' }))
  })

  it('replaces the room list by messages when the open room is searched', async () => {
    const calls = fakeApi({ ...answers(), 'GET /api/chatmessages/search': { results: [], pagination } })
    const user = userEvent.setup()
    renderApp('/app/chats/1?q=soil')
    await user.click(await screen.findByRole('button', { name: 'This chat' }))
    await waitFor(() => expect(lastCallTo(calls, '/api/chatmessages/search')?.query).toContain('q=soil&room=1'))
  })

  it('searches messages of all rooms when the address asks for the open room and no room is open', async () => {
    fakeApi({ ...answers(), 'GET /api/chatmessages/search': { results: [], pagination } })
    renderApp('/app/chats?q=soil&in=room')
    const choice = await screen.findByRole('group', { name: 'Search in' })
    const pressedButtons = within(choice).getAllByRole('button', { pressed: true })
    expect(pressedButtons.map(({ textContent }) => textContent)).toEqual(['Messages'])
  })

  it('moves between rooms with the arrow keys, and has one tab stop', async () => {
    fakeApi(answers())
    const user = userEvent.setup()
    renderApp('/app/chats')
    const [firstLink, secondLink] = await screen.findAllByRole('link', { name: /overdue/ })
    expect([firstLink?.tabIndex, secondLink?.tabIndex]).toEqual([0, -1])
    await user.click(screen.getByRole('searchbox', { name: 'Search chats' }))
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(firstLink)
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(secondLink)
    expect([firstLink?.tabIndex, secondLink?.tabIndex]).toEqual([-1, 0])
  })

  it('offers a message search when no room matches, and keeps the focus', async () => {
    const emptyAnswer = { results: [], pagination: { ...pagination, total: 0 }, counts }
    fakeApi({
      ...answers(),
      'GET /api/get_customized_rooms': emptyAnswer,
      'GET /api/chatmessages/search': { results: [], pagination },
    })
    const user = userEvent.setup()
    const { router } = renderApp('/app/chats?q=late')
    await user.click(await screen.findByRole('button', { name: 'Search messages' }))
    await waitFor(() => expect(router.state.location.href).toBe('/app/chats?q=late&in=messages'))
    expect(document.activeElement).not.toBe(document.body)
  })

  it('replaces the room list by found messages, which open the thread at their position', async () => {
    const hit = {
      message: chatMessage(9, { text: lastMessage.text, sender: aybek }),
      room: { id: 1, sender: aybek, receiver: gulshat, assignee: null },
      snippet: [
        { text: 'Is it ', hit: false },
        { text: 'late', hit: true },
      ],
    }
    fakeApi({ ...answers(), 'GET /api/chatmessages/search': { results: [hit], pagination } })
    const user = userEvent.setup()
    const { router } = renderApp('/app/chats?q=late')
    await user.click(await screen.findByRole('button', { name: 'Messages' }))
    const hitLink = await screen.findByRole('link', { name: /Is it\s*late/ })
    expect(hitLink.querySelector('mark')?.textContent).toBe('late')
    await user.click(hitLink)
    await waitFor(() => expect(router.state.location.href).toBe('/app/chats/1?q=late&in=messages&at=9'))
  })
})

describe('the board', () => {
  const figures = { open: 1, waiting: 1, oldest_wait: testTime, overdue: 0, breaches_today: 2 }
  it('reassigns selected rooms of the board and shows the result for each room', async () => {
    const calls = fakeApi({
      ...answers(),
      'GET /api/users/me': me('admin', false),
      'GET /api/chatrooms/board': { data: [{ consultant: timur, online: true, ...figures }], unassigned: figures },
      'GET /api/chatrooms/takers': {
        data: [{ consultant: person(8, 'Nodira'), online: false, open: 0, language: null, categories: [] }],
      },
      'POST /api/chatrooms/reassign': {
        results: [
          { room: 1, ok: true },
          { room: 2, ok: false, code: 'desk.taken', owner: gulshat },
        ],
      },
    })
    const user = userEvent.setup()
    renderApp('/app/chats?view=board')
    await user.click(await screen.findByRole('button', { name: 'Timur' }))
    await user.click(await screen.findByRole('checkbox', { name: 'Select all' }))
    await user.click(screen.getByRole('button', { name: 'Hand over 2 chats' }))
    const dialog = await screen.findByRole('dialog')
    await user.click(await within(dialog).findByRole('combobox'))
    await user.click(await screen.findByRole('option', { name: /Nodira/ }))
    await user.type(within(dialog).getByRole('textbox', { name: /Note/ }), 'Ill today')
    await user.click(within(dialog).getByRole('button', { name: 'Hand over' }))
    expect(await screen.findByText('1 chat handed over')).toBeTruthy()
    expect(screen.getByText('Timur: already with Gulshat')).toBeTruthy()
    expect(lastCallTo(calls, '/api/chatrooms/reassign')?.body).toEqual({
      data: { rooms: [1, 2], from: timur.id, to: 8, note: 'Ill today' },
    })
  })

  it('marks an overdue wait on the board', async () => {
    const lateFigures = { ...figures, overdue: 1 }
    fakeApi({
      ...answers(),
      'GET /api/users/me': me('admin', false),
      'GET /api/chatrooms/board': { data: [{ consultant: timur, online: true, ...lateFigures }], unassigned: figures },
    })
    renderApp('/app/chats?view=board')
    const row = (await screen.findByRole('button', { name: 'Timur' })).closest('tr')
    expect(row?.textContent).toMatch(/, overdue/)
    const queue = screen.getByRole('button', { name: 'Without a consultant' }).closest('tr')
    expect(queue?.textContent).not.toMatch(/, overdue/)
  })

  it('hides the board from users who may not reassign rooms', async () => {
    const calls = fakeApi({ ...answers(), 'GET /api/chatrooms/board': () => errorAnswer(403, 'ForbiddenError', 'x') })
    renderApp('/app/chats?view=board')
    expect(await screen.findByText('Please select a chat to send messages')).toBeTruthy()
    expect(lastCallTo(calls, '/api/chatrooms/board')).toBeUndefined()
  })
})
