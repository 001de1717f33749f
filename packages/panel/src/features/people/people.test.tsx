import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { errorAnswer, fakeApi, lastCallTo, owner } from '../../testing/fake-api.ts'
import { noConsultations } from '../../testing/no-consultations.ts'
import { noCounts } from '../../testing/queue-counts.ts'
import { renderApp } from '../../testing/render-app.tsx'

const role = (id: number, type: string, name: string) => ({ id, name, type })
const roles = [
  role(1, 'owner', 'Owner'),
  role(2, 'super-admin', 'Super administrator'),
  role(3, 'admin', 'Administrator'),
  role(4, 'authenticated', 'Registered user'),
  role(5, 'public', 'Guest'),
]
const rolesAnswer = {
  data: roles.map(({ id, ...attributes }) => ({ id, attributes })),
  meta: { pagination: { page: 1, pageSize: 100 } },
}
const account = (id: number, change: object = {}) => ({
  id,
  username: `person-${id}`,
  email: `person-${id}@example.org`,
  name: 'Gulshat',
  surname: 'M.',
  blocked: false,
  active: true,
  is_consultant: true,
  last_seen_at: null,
  createdAt: '2025-01-06T04:00:00.000Z',
  updatedAt: '2025-01-06T04:00:00.000Z',
  version: 1,
  role: roles[3],
  ...change,
})
const as = (type: string, change: object = {}) => ({
  ...owner,
  role: roles.find((listedRole) => listedRole.type === type),
  ...change,
})
const emptyAnswer = { data: [], meta: { pagination: { page: 1, pageSize: 5, pageCount: 0, total: 0 } } }
const base = {
  'GET /api/users/me': owner,
  'GET /api/roles': rolesAnswer,
  'GET /api/consultations': noConsultations,
  'GET /api/tradinposts': { data: [], meta: { ...emptyAnswer.meta, counts: noCounts } },
  'GET /api/chatrooms': { results: [], pagination: emptyAnswer.meta.pagination },
  'GET /api/consultants/load': { data: [{ id: 4, open: 1, answered: 3, finished: 2, all: 4, rooms: 1, waiting: 1 }] },
  'GET /api/users/4': account(4),
}

beforeEach(() => localStorage.setItem('token', 'a'))

describe('the list of consultants', () => {
  it('requests the open work of all rows of consultants once', async () => {
    const loadQueries = [4, 6].map((id) => ({ id, open: 0, answered: id, finished: 0, all: 9, rooms: 0, waiting: 0 }))
    const calls = fakeApi({
      ...base,
      'GET /api/users': { data: [account(4), account(6)], count: 2, meta: {} },
      'GET /api/consultants/load': { data: loadQueries },
    })
    renderApp('/app/consultants')
    expect(await screen.findByText('4 of 9')).toBeTruthy()
    expect(await screen.findByText('6 of 9')).toBeTruthy()
    expect(calls.filter(({ path }) => path === '/api/consultants/load').map(({ query }) => query)).toEqual(['?ids=4,6'])
  })
})

describe('the page of a consultant', () => {
  it('keeps the rest of a consultant’s page when one part fails, and retries that part', async () => {
    // The menu counts consultations too: the order of the two requests does not matter.
    let isDown = true
    fakeApi({
      ...base,
      'GET /api/consultations': () =>
        isDown ? errorAnswer(500, 'InternalServerError', 'x') : Response.json(noConsultations),
    })
    renderApp('/app/consultants/4')
    const failureAlert = await screen.findByRole('alert')
    expect(await screen.findByText('3 of 4')).toBeTruthy()
    isDown = false
    await userEvent.click(within(failureAlert).getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('No consultations yet')).toBeTruthy()
  })

  it('hides the work and the actions of a colleague from another consultant', async () => {
    const calls = fakeApi({ ...base, 'GET /api/users/me': as('authenticated', { id: 9, is_consultant: true }) })
    renderApp('/app/consultants/4')
    expect(await screen.findByRole('heading', { level: 1, name: 'Gulshat M.' })).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Block' })).toBeNull()
    expect(screen.queryByText('Workload')).toBeNull()
    expect(calls.some(({ path }) => path === '/api/consultants/load')).toBe(false)
  })

  const noOpenWork = { 'GET /api/users/4/open-work': { consultations: 0, rooms: 0 } }

  it('requires a reason to block a consultant', async () => {
    const calls = fakeApi({ ...base, ...noOpenWork, 'POST /api/users/4/block': account(4, { blocked: true }) })
    renderApp('/app/consultants/4')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Block' }))
    const dialog = await screen.findByRole('dialog', { name: 'Block this user?' })
    await user.click(within(dialog).getByRole('button', { name: 'Block' }))
    const reason = within(dialog).getByRole('textbox', { name: /^Reason/ })
    expect(reason.getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(reason)
    expect(lastCallTo(calls, '/api/users/4/block')).toBeUndefined()
    await user.type(reason, ' Left the company ')
    await user.click(within(dialog).getByRole('button', { name: 'Block' }))
    expect(await screen.findByText('User blocked')).toBeTruthy()
    expect(lastCallTo(calls, '/api/users/4/block')?.body).toEqual({ reason: 'Left the company' })
  })

  it('gives the open work of a blocked consultant to a person or to the queue in the same step', async () => {
    const calls = fakeApi({
      ...base,
      'GET /api/users/4/open-work': { consultations: 2, rooms: 1 },
      'GET /api/users': { data: [account(6, { name: 'Azat', surname: 'N.' })], count: 1, meta: {} },
      'POST /api/users/4/block': account(4, { blocked: true }),
    })
    renderApp('/app/consultants/4')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Block' }))
    const dialog = await screen.findByRole('dialog', { name: 'Block this user?' })
    expect(await within(dialog).findByText('Still open: 2 consultations and 1 chat.')).toBeTruthy()
    await user.type(within(dialog).getByRole('textbox', { name: /^Reason/ }), 'Left')
    await user.click(within(dialog).getByRole('button', { name: 'Block' }))
    expect(within(dialog).getByText('Choose who takes over')).toBeTruthy()
    expect(lastCallTo(calls, '/api/users/4/block')).toBeUndefined()
    await user.click(within(dialog).getByRole('combobox', { name: /^Hand over to/ }))
    await user.click(await screen.findByRole('option', { name: /Azat N\./ }))
    await user.click(within(dialog).getByRole('button', { name: 'Block' }))
    expect(await screen.findByText('User blocked')).toBeTruthy()
    expect(lastCallTo(calls, '/api/users/4/block')?.body).toEqual({ reason: 'Left', handover: { to: 6 } })
  })

  it('asks for the hand-over when work arrived during the blocking of a consultant', async () => {
    let openWork = { consultations: 0, rooms: 0 }
    fakeApi({
      ...base,
      'GET /api/users/4/open-work': () => Response.json(openWork),
      'POST /api/users/4/block': () => {
        openWork = { consultations: 1, rooms: 0 }
        return errorAnswer(409, 'ConflictError', 'x', 'user.open-work')
      },
    })
    renderApp('/app/consultants/4')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Block' }))
    const dialog = await screen.findByRole('dialog', { name: 'Block this user?' })
    await user.type(within(dialog).getByRole('textbox', { name: /^Reason/ }), 'Left')
    await user.click(within(dialog).getByRole('button', { name: 'Block' }))
    expect((await within(dialog).findByRole('alert')).textContent).toContain('open consultations')
    expect(await within(dialog).findByText('Still open: 1 consultation.')).toBeTruthy()
  })

  it('ends one or all sessions of a person after a confirmation; shows a refusal beside the sessions', async () => {
    const otherSession = '0b5f6a3e-1c2d-4e3f-8a9b-00000000000b'
    const session = (id: string, agent: string) => ({
      id,
      agent,
      address: '10.0.0.7',
      created_at: '2026-01-05T04:00:00.000Z',
      last_seen_at: '2026-01-06T04:00:00.000Z',
      expires_at: '2026-02-06T04:00:00.000Z',
    })
    let sessions = [
      session('0b5f6a3e-1c2d-4e3f-8a9b-00000000000a', 'Mozilla/5.0 (Windows NT 10.0) Firefox/144.0'),
      session(otherSession, 'okhttp/4.12.0'),
    ]
    const calls = fakeApi({
      ...base,
      'GET /api/users/4/sessions': () => Response.json({ data: sessions }),
      [`DELETE /api/users/4/sessions/${otherSession}`]: () => {
        sessions = sessions.slice(0, 1)
        return Response.json({ ok: true })
      },
      'POST /api/users/4/sign-out': () => errorAnswer(403, 'ForbiddenError', 'x', 'user.rank'),
    })
    renderApp('/app/consultants/4')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Access' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Sessions' }))
    const list = await screen.findByRole('dialog', { name: 'Sessions' })
    expect(await within(list).findByText('Firefox, Windows')).toBeTruthy()
    await user.click(within(list).getByRole('button', { name: 'End: okhttp' }))
    await waitFor(() => expect(within(list).queryByText('okhttp')).toBeNull())
    expect(lastCallTo(calls, `/api/users/4/sessions/${otherSession}`)).toBeTruthy()
    await user.click(within(list).getByRole('button', { name: 'End all sessions' }))
    const dialog = await screen.findByRole('dialog', { name: 'End all sessions?' })
    await user.click(within(dialog).getByRole('button', { name: 'End all sessions' }))
    expect((await within(dialog).findByRole('alert')).textContent).toContain('below your own role')
  })

  it('shows invitations, reasons of blocking, and presence of people', async () => {
    fakeApi({
      ...base,
      'GET /api/users/4': account(4, { confirmed: false, last_seen_at: null }),
      'GET /api/users/5': account(5, { confirmed: false, last_seen_at: new Date().toISOString() }),
      'GET /api/users/6': account(6, { blocked: true, blocked_reason: 'Left the company' }),
    })
    const { router } = renderApp('/app/consultants/4')
    expect(await screen.findByRole('button', { name: 'Send invitation again' })).toBeTruthy()
    expect(screen.getAllByText('Invited').length).toBeGreaterThan(0)
    // An account that registered itself was not invited.
    await router.navigate({ to: '/app/consultants/5' })
    expect(await screen.findByText('Email not confirmed')).toBeTruthy()
    expect(screen.queryByText('Invited')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Send invitation again' })).toBeNull()
    expect(screen.getAllByText('Online').length).toBeGreaterThan(0)
    await router.navigate({ to: '/app/consultants/6' })
    expect(await screen.findByText('Left the company')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Send invitation again' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Unblock' })).toBeTruthy()
  })
})

describe('the invitation dialog', () => {
  it('shows refusals of an invitation at their fields, keeps typed text, and names the address of the letter', async () => {
    let isTaken = true
    const calls = fakeApi({
      ...base,
      'GET /api/users': { data: [account(4)], count: 1, meta: {} },
      'POST /api/users/invite': () =>
        isTaken
          ? Response.json(
              {
                data: null,
                error: {
                  status: 400,
                  name: 'ApplicationError',
                  message: 'Email already taken',
                  code: 'user.email-taken',
                  details: {
                    errors: [{ path: ['email'], message: 'Email already taken', name: 'x', code: 'user.email-taken' }],
                  },
                },
              },
              { status: 400 },
            )
          : Response.json(account(9, { confirmed: false }), { status: 201 }),
    })
    renderApp('/app/people/users')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Invite' }))
    const dialog = await screen.findByRole('dialog', { name: 'Invite' })
    await user.click(within(dialog).getByRole('button', { name: 'Send invitation' }))
    const email = within(dialog).getByRole<HTMLInputElement>('textbox', { name: /^Email/ })
    expect(email.getAttribute('aria-invalid')).toBe('true')
    await user.type(email, 'new@example.org')
    await user.type(within(dialog).getByRole('textbox', { name: /^First name/ }), 'Aybek')
    await user.click(within(dialog).getByRole('button', { name: 'Send invitation' }))
    expect(await within(dialog).findByText('This email is already taken')).toBeTruthy()
    expect(email.value).toBe('new@example.org')
    isTaken = false
    await user.click(within(dialog).getByRole('button', { name: 'Send invitation' }))
    expect(await screen.findByText('The invitation is on its way to new@example.org')).toBeTruthy()
    expect(lastCallTo(calls, '/api/users/invite')?.body).toEqual({
      email: 'new@example.org',
      name: 'Aybek',
      role: 4,
      language: 'en',
      is_consultant: false,
    })
  })

  it('hides the invitation dialog from users who may grant no staff role', async () => {
    fakeApi({ ...base, 'GET /api/users/me': as('admin'), 'GET /api/staff': emptyAnswer })
    renderApp('/app/people/staff')
    expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Invite' })).toBeNull()
  })
})

describe('the user’s own account', () => {
  const ownAnswers = { ...base, 'GET /api/users/1': account(1, { role: roles[0], is_consultant: false }) }

  it('offers neither blocking nor deleting for the user’s own account', async () => {
    fakeApi(ownAnswers)
    renderApp('/app/people/users/1')
    expect(await screen.findByRole('link', { name: 'Edit' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Security' }).getAttribute('href')).toBe('/app/profile/security')
    expect(screen.queryByRole('button', { name: 'Access' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Block' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'More actions' }))
    expect(await screen.findByRole('menuitem', { name: 'History' })).toBeTruthy()
    expect(screen.queryByRole('menuitem', { name: 'Delete' })).toBeNull()
  })

  it('keeps the role and the password of the user’s own account in the form, and explains why', async () => {
    fakeApi(ownAnswers)
    renderApp('/app/people/users/1?view=edit')
    expect(await screen.findByText('You cannot change your own role.')).toBeTruthy()
    expect(screen.getByRole('combobox', { name: /^Role/ }).getAttribute('aria-disabled')).toBe('true')
    expect(screen.getByText(/enter the current one/)).toBeTruthy()
    expect(screen.queryByLabelText(/^Password/)).toBeNull()
  })
})

describe('saving an account as blocked', () => {
  it('leads from saving an account as blocked to the hand-over if there is open work', async () => {
    const calls = fakeApi({
      ...base,
      'GET /api/users/4/open-work': { consultations: 1, rooms: 0 },
      'GET /api/users': emptyAnswer,
      'PUT /api/users/4': () => errorAnswer(409, 'ConflictError', 'x', 'user.open-work'),
      'POST /api/users/4/block': account(4, { blocked: true }),
    })
    renderApp('/app/people/users/4?view=edit')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('switch', { name: /^Blocked/ }))
    await user.click(screen.getByRole('button', { name: 'Save changes' }))
    await user.click(await screen.findByRole('button', { name: 'Hand over and block' }))
    const dialog = await screen.findByRole('dialog', { name: 'Block this user?' })
    await user.type(within(dialog).getByRole('textbox', { name: /^Reason/ }), 'Left')
    await user.click(await within(dialog).findByRole('combobox', { name: /^Hand over to/ }))
    await user.click(await screen.findByRole('option', { name: /Back to the queue/ }))
    await user.click(within(dialog).getByRole('button', { name: 'Block' }))
    expect(await screen.findByText('User blocked')).toBeTruthy()
    expect(lastCallTo(calls, '/api/users/4/block')?.body).toEqual({ reason: 'Left', handover: { to: null } })
  })
})

describe('a new account', () => {
  it('starts a new account with the lowest role and offers only roles the user may grant', async () => {
    fakeApi({ ...base, 'GET /api/users/me': as('super-admin') })
    renderApp('/app/people/users/new')
    const rolePicker = await screen.findByRole('combobox', { name: /^Role/ })
    expect(await within(rolePicker).findByText('Registered user')).toBeTruthy()
    // A role that the form selects in advance is no change by the user.
    expect(screen.queryByText('Unsaved changes')).toBeNull()
    await userEvent.click(rolePicker)
    const offeredOptions = (await screen.findAllByRole('option')).map(({ textContent }) => textContent)
    expect(offeredOptions).toEqual(['Administrator', 'Registered user'])
  })

  it('counts a new account as staff from the role of administrators up', async () => {
    fakeApi(base)
    renderApp('/app/people/staff/new')
    await userEvent.click(await screen.findByRole('combobox', { name: /^Role/ }))
    const offeredOptions = (await screen.findAllByRole('option')).map(({ textContent }) => textContent)
    expect(offeredOptions).toEqual(['Owner', 'Super administrator', 'Administrator'])
  })

  it('shows a taken address at the field of a new account, and keeps the typed text', async () => {
    const calls = fakeApi({
      ...base,
      'POST /api/users': () =>
        Response.json(
          {
            data: null,
            error: {
              status: 400,
              name: 'ApplicationError',
              message: 'Email already taken',
              code: 'user.email-taken',
              details: {
                errors: [{ path: ['email'], message: 'Email already taken', name: 'x', code: 'user.email-taken' }],
              },
            },
          },
          { status: 400 },
        ),
    })
    renderApp('/app/people/users/new')
    const user = userEvent.setup()
    await user.type(await screen.findByRole('textbox', { name: /^Username/ }), 'gulshat')
    const email = screen.getByRole<HTMLInputElement>('textbox', { name: /^Email/ })
    await user.type(email, 'g@example.org')
    await user.type(screen.getByLabelText(/^Password/), 'Cotton-24')
    expect(screen.getByText('Fair')).toBeTruthy()
    await within(screen.getByRole('combobox', { name: /^Role/ })).findByText('Registered user')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('This email is already taken')).toBeTruthy()
    expect(email.value).toBe('g@example.org')
    expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({ username: 'gulshat', role: 4 })
  })
})
