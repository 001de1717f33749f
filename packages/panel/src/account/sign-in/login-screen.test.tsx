import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { lastSearchOf, rememberSearch } from '../../lib/last-search.ts'
import { errorAnswer, fakeApi, lastCallTo, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

afterEach(() => vi.unstubAllGlobals())

async function fill(identifier: string, password: string) {
  const user = userEvent.setup()
  await user.type(await screen.findByLabelText('Username or email'), identifier)
  await user.type(screen.getByLabelText('Password'), password)
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
}

describe('signing in', () => {
  it('stores the token at sign-in and goes to the requested page', async () => {
    const calls = fakeApi({ 'POST /api/auth/local': { jwt: 'abc', user: owner }, 'GET /api/users/me': owner })
    const { router } = renderApp('/app/chats?page=2')
    await fill(' owner ', 'secret1')
    await waitFor(() => expect(router.state.location.href).toBe('/app/chats?page=2'))
    // The focused sign-in form is gone, so the new page has the focus.
    await waitFor(() => expect(document.activeElement?.id).toBe('main'))
    expect(localStorage.getItem('token')).toBe('abc')
    expect(lastCallTo(calls, '/api/auth/local')).toMatchObject({ body: { identifier: 'owner', password: 'secret1' } })
  })

  it('reports missing sign-in fields without a call', async () => {
    const calls = fakeApi({})
    renderApp('/user/login')
    await userEvent.setup().click(await screen.findByRole('button', { name: 'Sign in' }))
    expect(screen.getByText('Please enter your email address')).toBeDefined()
    expect(screen.getByText('Please enter your password')).toBeDefined()
    expect(document.activeElement).toBe(screen.getByLabelText('Username or email'))
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('shows a refused sign-in as a toast and in the form, and keeps the input', async () => {
    fakeApi({
      'POST /api/auth/local': () =>
        errorAnswer(400, 'ValidationError', 'Invalid identifier or password', 'auth.invalid-credentials'),
    })
    renderApp('/user/login')
    await fill('owner', 'wrong')
    expect((await screen.findByRole('alert')).textContent).toBe('Invalid email or password')
    expect((await screen.findAllByText('Incorrect email or password')).length).toBeGreaterThan(0)
    expect(screen.getByLabelText<HTMLInputElement>('Username or email').value).toBe('owner')
    expect(localStorage.getItem('token')).toBeNull()
  })

  it('shows and hides the password', async () => {
    fakeApi({})
    renderApp('/user/login')
    const field = await screen.findByLabelText<HTMLInputElement>('Password')
    await userEvent.setup().click(screen.getByRole('button', { name: 'Show password' }))
    expect(field.type).toBe('text')
    expect(screen.getByRole('button', { name: 'Hide password' })).toBeDefined()
  })
})

describe('the end of a session', () => {
  it('signs out on a 401, forgets the display mode and remembers the page to return to', async () => {
    localStorage.setItem('token', 'old')
    localStorage.setItem('display-mode', 'thumb')
    fakeApi({
      'GET /api/users/me': () =>
        errorAnswer(401, 'UnauthorizedError', 'Missing or invalid credentials', 'auth.unauthorized'),
    })
    const { router } = renderApp('/app/chats')
    await waitFor(() => expect(router.state.location.pathname).toBe('/user/login'))
    expect(router.state.location.search).toEqual({ from: '/app/chats' })
    expect(localStorage.getItem('token')).toBeNull()
    expect(localStorage.getItem('display-mode')).toBeNull()
  })

  it('signs out even when the server does not answer', async () => {
    localStorage.setItem('token', 'x')
    localStorage.setItem('display-mode', 'image')
    rememberSearch('/app/news', { q: 'a name' })
    const calls = fakeApi({
      'GET /api/users/me': owner,
      'POST /api/auth/logout': () => errorAnswer(500, 'InternalServerError', 'x'),
    })
    const { router } = renderApp('/app/chats')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Account: Aysánem Qurbanbaeva' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Sign out' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/user/login'))
    expect(calls.some(({ path, authorization }) => path === '/api/auth/logout' && authorization === 'Bearer x')).toBe(
      true,
    )
    expect(localStorage.getItem('token')).toBeNull()
    expect(localStorage.getItem('display-mode')).toBeNull()
    expect(lastSearchOf('/app/news')).toEqual({})
  })
})

describe('the language of an account', () => {
  const answers = {
    'POST /api/auth/local': { jwt: 'abc', user: owner },
    'GET /api/users/me': { ...owner, language: 'uz' },
  }
  it('uses the language of an account in the panel where no language was chosen', async () => {
    fakeApi(answers)
    renderApp('/user/login')
    const user = userEvent.setup()
    await user.type(await screen.findByLabelText('Username or email'), 'owner')
    await user.type(screen.getByLabelText('Password'), 'secret1')
    localStorage.removeItem('current-language')
    await user.click(screen.getByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(document.documentElement.lang).toBe('uz'))
  })

  it('does not replace a language that was chosen in the browser', async () => {
    fakeApi(answers)
    const { router } = renderApp('/user/login')
    await fill('owner', 'secret1')
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/consultants'))
    expect(document.documentElement.lang).toBe('en')
  })

  it('sets the language of the panel from the link of an e-mail', async () => {
    fakeApi({})
    localStorage.removeItem('current-language')
    renderApp('/user/reset-password?code=c0de&invited=1&lang=kaa')
    await waitFor(() => expect(document.documentElement.lang).toBe('kaa'))
    expect(localStorage.getItem('current-language')).toBe('kaa')
  })
})
