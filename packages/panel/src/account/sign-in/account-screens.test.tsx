import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { errorAnswer, type FakeCall, fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

afterEach(() => vi.unstubAllGlobals())

/** The calls that the page sent, without the request for the server's settings. */
const sentCallsOf = (calls: readonly FakeCall[]) => calls.filter(({ method }) => method === 'POST')

const type = async (label: string, text: string) => {
  await userEvent.setup().type(await screen.findByLabelText(label), text)
}
const pressButton = async (name: string) => {
  await userEvent.setup().click(screen.getByRole('button', { name }))
}

describe('two-step sign-in', () => {
  it('asks for the second-step code after the correct password, and sends both', async () => {
    const calls = fakeApi({
      'POST /api/auth/local': ({ body }) =>
        typeof body === 'object' && body !== null && 'code' in body
          ? Response.json({ jwt: 'abc', user: owner })
          : Response.json(
              { data: null, error: { status: 422, name: 'X', message: 'A code is needed', details: { totp: true } } },
              { status: 422 },
            ),
      'GET /api/users/me': owner,
    })
    renderApp('/user/login')
    await type('Username or email', 'owner')
    await type('Password', 'secret1')
    await pressButton('Sign in')
    const code = await screen.findByLabelText('Code from the app')
    await waitFor(() => expect(document.activeElement).toBe(code))
    // The code field, which has just appeared, is not marked as invalid while it is empty.
    expect(code.getAttribute('aria-invalid')).toBeNull()
    await type('Code from the app', '123456')
    await pressButton('Sign in')
    await waitFor(() => expect(localStorage.getItem('token')).toBe('abc'))
    expect(sentCallsOf(calls)[1]?.body).toEqual({ identifier: 'owner', password: 'secret1', code: '123456' })
  })
})

describe('registering', () => {
  it('checks the registration fields with the messages of the product, and stores the token', async () => {
    const calls = fakeApi({
      'POST /api/auth/local/register': { jwt: 'new', user: owner },
      'GET /api/users/me': owner,
    })
    renderApp('/user/register')
    await screen.findByRole('heading', { name: 'Create an account' })
    await pressButton('Register')
    expect(screen.getByText('Please enter a username')).toBeDefined()
    expect(screen.getByText('Please enter your email address')).toBeDefined()
    expect(screen.getByText('Please enter your password')).toBeDefined()
    expect(document.activeElement).toBe(screen.getByLabelText('Username'))
    await type('Username', ' oral ')
    await type('Email', 'oral@example.org')
    await type('Password', 'abc')
    expect(screen.getByText('Password must be between 4 and 16 characters')).toBeDefined()
    expect(sentCallsOf(calls)).toEqual([])
    await type('Password', 'd5')
    await pressButton('Register')
    await waitFor(() => expect(localStorage.getItem('token')).toBe('new'))
    expect(sentCallsOf(calls)[0]?.body).toEqual({ username: 'oral', email: 'oral@example.org', password: 'abcd5' })
  })

  it('reports that a user name is taken, and keeps the input', async () => {
    fakeApi({
      'POST /api/auth/local/register': () =>
        errorAnswer(400, 'ApplicationError', 'Email or Username are already taken', 'auth.taken'),
    })
    renderApp('/user/register')
    await type('Username', 'oral')
    await type('Email', 'oral@example.org')
    await type('Password', 'abcd5')
    await pressButton('Register')
    expect((await screen.findByRole('alert')).textContent).toBe('This email or username is already taken')
    expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe('oral')
    expect(screen.queryByText('Incorrect email or password')).toBeNull()
  })
})

describe('settings of the server', () => {
  const settings = (registration: boolean, min: number, max: number) => ({
    'GET /api/auth/settings': {
      registration,
      password: { min, max },
      name: { en: null, ru: null, uz: null, kaa: null },
    },
  })

  it('explains that registration is closed, and links nowhere to it', async () => {
    fakeApi(settings(false, 4, 16))
    const { router } = renderApp('/user/login')
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Register' })).toBeNull())
    await router.navigate({ to: '/user/register' })
    expect(await screen.findByRole('heading', { name: 'Registration is closed' })).toBeDefined()
    expect(screen.queryByLabelText('Password')).toBeNull()
  })

  it('checks a new password by the limits of this server and shows its strength', async () => {
    const calls = fakeApi({ ...settings(true, 15, 64), 'POST /api/auth/local/register': { jwt: 'new', user: owner } })
    renderApp('/user/register')
    expect(await screen.findByText('15 to 64 characters')).toBeDefined()
    await type('Username', 'oral')
    await type('Email', 'oral@example.org')
    await type('Password', 'Fourteen-chars')
    await pressButton('Register')
    expect(screen.getByText('Password must be between 15 and 64 characters')).toBeDefined()
    await type('Password', ' and then some more')
    expect(await screen.findByText('Hard to guess')).toBeDefined()
    await pressButton('Register')
    await waitFor(() => expect(sentCallsOf(calls)).toHaveLength(1))
  })
})

describe('too many attempts', () => {
  afterEach(() => vi.useRealTimers())

  it('counts the wait after too many attempts down, keeps the input, and continues automatically', async () => {
    const calls = fakeApi({
      'POST /api/auth/local': () =>
        Response.json(
          { data: null, error: { status: 429, name: 'X', message: 'x', code: 'auth.throttled', details: {} } },
          { status: 429, headers: { 'Retry-After': '65' } },
        ),
    })
    renderApp('/user/login')
    await type('Username or email', 'owner')
    await type('Password', 'secret1')
    // The test fakes the date only: a faked interval would stop the animation frames of the test window.
    vi.useFakeTimers({ toFake: ['Date'] })
    await pressButton('Sign in')
    expect(await screen.findByText('Try again in 1:05.')).toBeDefined()
    const button = screen.getByRole('button', { name: 'Sign in' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    await pressButton('Sign in')
    expect(sentCallsOf(calls)).toHaveLength(1)
    vi.setSystemTime(Date.now() + 60_000)
    expect(await screen.findByText('Try again in 0:05.')).toBeDefined()
    vi.setSystemTime(Date.now() + 5_000)
    await waitFor(() => expect(screen.queryByText(/Try again in/)).toBeNull())
    expect(button.getAttribute('aria-disabled')).toBeNull()
    expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('secret1')
  })
})

describe('the input of sign-in pages', () => {
  it('restores the input of sign-in pages after a reload, except the password', async () => {
    fakeApi({})
    const firstApp = renderApp('/user/login')
    await type('Username or email', 'owner')
    await type('Password', 'secret1')
    firstApp.unmount()
    renderApp('/user/login')
    expect((await screen.findByLabelText<HTMLInputElement>('Username or email')).value).toBe('owner')
    expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('')
    expect(JSON.stringify(sessionStorage)).not.toContain('secret1')
  })
})

describe('an invitation', () => {
  it('shows a separate greeting to invited users and signs them in', async () => {
    fakeApi({ 'POST /api/auth/reset-password': { jwt: 'in', user: owner }, 'GET /api/users/me': owner })
    renderApp('/user/reset-password?code=c0de&invited=1')
    expect(await screen.findByRole('heading', { name: 'Choose your password' })).toBeDefined()
    expect(screen.queryByRole('link', { name: 'Send the link again' })).toBeNull()
    await type('New password', 'abcd5')
    await type('Repeat password', 'abcd5')
    await pressButton('Save password and sign in')
    await waitFor(() => expect(localStorage.getItem('token')).toBe('in'))
  })
})

describe('a forgotten password', () => {
  it('requests the e-mail for a forgotten password and shows the same answer for every address', async () => {
    const calls = fakeApi({ 'POST /api/auth/forgot-password': { ok: true } })
    renderApp('/user/forgot-password')
    await type('Email', 'nobody@example.org')
    await pressButton('Send link')
    expect(await screen.findByText(/If nobody@example.org belongs to an account/)).toBeDefined()
    expect(sentCallsOf(calls)[0]?.body).toEqual({ email: 'nobody@example.org' })
    expect(screen.getByRole('button', { name: 'Send the link again' })).toBeDefined()
  })

  it('requires the new password twice and sets it with the code of the e-mail', async () => {
    const calls = fakeApi({
      'POST /api/auth/reset-password': { jwt: 'reset', user: owner },
      'GET /api/users/me': owner,
    })
    renderApp('/user/reset-password?code=c0de')
    await type('New password', 'abcd5')
    await type('Repeat password', 'abcd')
    await pressButton('Save password')
    expect(sentCallsOf(calls)).toEqual([])
    expect(screen.getByText('Passwords do not match')).toBeDefined()
    await type('Repeat password', '5')
    await pressButton('Save password')
    await waitFor(() => expect(localStorage.getItem('token')).toBe('reset'))
    expect(sentCallsOf(calls)[0]?.body).toEqual({ code: 'c0de', password: 'abcd5', passwordConfirmation: 'abcd5' })
  })

  it('explains that an old password code has expired and links to a new one', async () => {
    fakeApi({
      'POST /api/auth/reset-password': () =>
        errorAnswer(400, 'ValidationError', 'Incorrect code provided', 'auth.code'),
    })
    renderApp('/user/reset-password?code=old')
    await type('New password', 'abcd5')
    await type('Repeat password', 'abcd5')
    await pressButton('Save password')
    expect((await screen.findByRole('alert')).textContent).toMatch(/expired/)
    expect(screen.getByRole('link', { name: 'Send the link again' })).toBeDefined()
  })

  it('leads without a password code to the page that requests one', async () => {
    fakeApi({})
    renderApp('/user/reset-password')
    expect((await screen.findByRole('link', { name: 'Send link' })).getAttribute('href')).toBe('/user/forgot-password')
  })
})

describe('confirming an e-mail', () => {
  it('confirms an e-mail address on a press, not when the page opens', async () => {
    const calls = fakeApi({ 'POST /api/auth/confirm-email': { ok: true } })
    renderApp('/user/confirm-email?code=c0de')
    const button = await screen.findByRole('button', { name: 'Confirm the address' })
    expect(sentCallsOf(calls)).toEqual([])
    await userEvent.click(button)
    expect(await screen.findByText(/The address is confirmed/)).toBeDefined()
    expect(sentCallsOf(calls)[0]?.body).toEqual({ code: 'c0de' })
    expect(screen.queryByRole('button', { name: 'Confirm the address' })).toBeNull()
    expect(screen.getByRole('link', { name: 'Go to the panel' })).toBeDefined()
  })

  it('explains that an old confirming link has expired, and links to a new one', async () => {
    fakeApi({
      'POST /api/auth/confirm-email': () => errorAnswer(400, 'ValidationError', 'Incorrect code provided', 'auth.code'),
    })
    renderApp('/user/confirm-email?code=old')
    await screen.findByRole('button', { name: 'Confirm the address' })
    await pressButton('Confirm the address')
    expect((await screen.findByRole('alert')).textContent).toMatch(/expired or has already been used/)
    expect(screen.getByRole('link', { name: 'Security' }).getAttribute('href')).toBe('/app/profile/security')
  })

  it('retries the confirmation of an e-mail address after a failure', async () => {
    let isServerUp = false
    fakeApi({
      'POST /api/auth/confirm-email': () =>
        isServerUp ? Response.json({ ok: true }) : errorAnswer(400, 'ApplicationError', 'x', 'user.email-taken'),
    })
    renderApp('/user/confirm-email?code=c0de')
    await screen.findByRole('button', { name: 'Confirm the address' })
    await pressButton('Confirm the address')
    expect((await screen.findByRole('alert')).textContent).toMatch(/taken|already/i)
    isServerUp = true
    await pressButton('Confirm the address')
    expect(await screen.findByText(/The address is confirmed/)).toBeDefined()
  })

  it('asks for the confirming link of the e-mail when the page is opened without a code', async () => {
    fakeApi({})
    renderApp('/user/confirm-email')
    expect(await screen.findByText('Open this page from the link in the email.')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Confirm the address' })).toBeNull()
  })
})

describe('password managers', () => {
  it.each([
    ['/user/login', { 'Username or email': 'username', Password: 'current-password' }],
    ['/user/register', { Username: 'username', Email: 'email', Password: 'new-password' }],
    ['/user/reset-password?code=abc', { 'New password': 'new-password', 'Repeat password': 'new-password' }],
  ])('sets autocomplete attributes on %s, and allows paste', async (address, fields) => {
    fakeApi({
      'GET /api/auth/settings': {
        registration: true,
        password: { min: 4, max: 16 },
        name: { en: null, ru: null, uz: null, kaa: null },
      },
    })
    renderApp(address)
    for (const [label, value] of Object.entries(fields)) {
      const input = await screen.findByLabelText<HTMLInputElement>(label)
      expect(input.getAttribute('autocomplete')).toBe(value)
      await userEvent.setup().click(input)
      await userEvent.setup().paste('pasted-7')
      expect(input.value).toBe('pasted-7')
    }
  })
})
