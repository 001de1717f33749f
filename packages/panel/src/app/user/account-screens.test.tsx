import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { errorAnswer, fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

afterEach(() => vi.unstubAllGlobals())

const type = async (label: string, text: string) => {
  await userEvent.setup().type(await screen.findByLabelText(label), text)
}
const press = async (name: string) => {
  await userEvent.setup().click(screen.getByRole('button', { name }))
}

describe('two-step sign-in', () => {
  it('asks for the code after the right password, and sends both', async () => {
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
    await press('Sign in')
    const code = await screen.findByLabelText('Code of the app')
    await waitFor(() => expect(document.activeElement).toBe(code))
    await type('Code of the app', '123456')
    await press('Sign in')
    await waitFor(() => expect(localStorage.getItem('token')).toBe('abc'))
    expect(calls[1]?.body).toEqual({ identifier: 'owner', password: 'secret1', code: '123456' })
  })
})

describe('registering', () => {
  it('checks in the words of the product before anything is sent, and keeps the token', async () => {
    const calls = fakeApi({
      'POST /api/auth/local/register': { jwt: 'new', user: owner },
      'GET /api/users/me': owner,
    })
    renderApp('/user/register')
    await screen.findByRole('heading', { name: 'Create an account' })
    await press('Register')
    expect(screen.getByText('Please enter your email address')).toBeDefined()
    expect(screen.getByText('Please enter your password')).toBeDefined()
    expect(document.activeElement).toBe(screen.getByLabelText('Username'))
    await type('Username', ' oral ')
    await type('Email', 'oral@example.org')
    await type('Password', 'abc')
    expect(screen.getByText('Password must be between 4 and 16 characters')).toBeDefined()
    expect(calls).toEqual([])
    await type('Password', 'd5')
    await press('Register')
    await waitFor(() => expect(localStorage.getItem('token')).toBe('new'))
    expect(calls[0]?.body).toEqual({ username: 'oral', email: 'oral@example.org', password: 'abcd5' })
  })

  it('says that a name is taken, and keeps what was typed', async () => {
    fakeApi({
      'POST /api/auth/local/register': () =>
        errorAnswer(400, 'ApplicationError', 'Email or Username are already taken', 'auth.taken'),
    })
    renderApp('/user/register')
    await type('Username', 'oral')
    await type('Email', 'oral@example.org')
    await type('Password', 'abcd5')
    await press('Register')
    expect((await screen.findByRole('alert')).textContent).toBe('This email or username is already taken')
    expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe('oral')
    expect(screen.queryByText('Incorrect email or password')).toBeNull()
  })
})

describe('a forgotten password', () => {
  it('asks for the letter and says the same for everybody', async () => {
    const calls = fakeApi({ 'POST /api/auth/forgot-password': { ok: true } })
    renderApp('/user/forgot-password')
    await type('Email', 'nobody@example.org')
    await press('Send link')
    expect(await screen.findByText(/If nobody@example.org belongs to an account/)).toBeDefined()
    expect(calls[0]?.body).toEqual({ email: 'nobody@example.org' })
    expect(screen.getByRole('button', { name: 'Send the link again' })).toBeDefined()
  })

  it('is set anew with the code of the letter, both times the same', async () => {
    const calls = fakeApi({
      'POST /api/auth/reset-password': { jwt: 'reset', user: owner },
      'GET /api/users/me': owner,
    })
    renderApp('/user/reset-password?code=c0de')
    await type('New password', 'abcd5')
    await type('Repeat password', 'abcd')
    await press('Save password')
    expect(calls).toEqual([])
    expect(screen.getByText('Passwords do not match')).toBeDefined()
    await type('Repeat password', '5')
    await press('Save password')
    await waitFor(() => expect(localStorage.getItem('token')).toBe('reset'))
    expect(calls[0]?.body).toEqual({ code: 'c0de', password: 'abcd5', passwordConfirmation: 'abcd5' })
  })

  it('an old code is refused in words with the way to a new one', async () => {
    fakeApi({
      'POST /api/auth/reset-password': () =>
        errorAnswer(400, 'ValidationError', 'Incorrect code provided', 'auth.code'),
    })
    renderApp('/user/reset-password?code=old')
    await type('New password', 'abcd5')
    await type('Repeat password', 'abcd5')
    await press('Save password')
    expect((await screen.findByRole('alert')).textContent).toMatch(/expired/)
    expect(screen.getByRole('link', { name: 'Send the link again' })).toBeDefined()
  })

  it('without a code leads to the page that sends one', async () => {
    fakeApi({})
    renderApp('/user/reset-password')
    expect((await screen.findByRole('link', { name: 'Send link' })).getAttribute('href')).toBe('/user/forgot-password')
  })
})
