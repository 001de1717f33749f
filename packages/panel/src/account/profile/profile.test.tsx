import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { errorAnswer, fakeApi, lastCallTo, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

const fullProfile = {
  ...owner,
  middlename: null,
  phone: '+998 90 000 00 00',
  language: 'ru',
  blocked: false,
  version: 3,
  updatedAt: '2026-01-05T04:00:00.000Z',
}

beforeEach(() => localStorage.setItem('token', 'a'))

it('shows in the profile the fields that every user may edit, and saves them under their own id', async () => {
  const calls = fakeApi({
    'GET /api/users/me': fullProfile,
    'PUT /api/users/1': { ...fullProfile, surname: 'Saparova' },
  })
  renderApp('/app/profile')
  const user = userEvent.setup()
  const surname = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Surname/ })
  for (const name of [/^Username/, /^Email/, /^Role/, /^Password/]) expect(screen.queryByLabelText(name)).toBeNull()
  await user.clear(surname)
  await user.type(surname, 'Saparova')
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(lastCallTo(calls, '/api/users/1')?.body).toMatchObject({ surname: 'Saparova' }))
  expect(calls.some(({ method, path }) => method === 'GET' && path === '/api/users/1')).toBe(false)
})

it('offers in the profile the language of e-mails for the panel too', async () => {
  fakeApi({ 'GET /api/users/me': fullProfile })
  renderApp('/app/profile')
  await userEvent.click(await screen.findByRole('button', { name: /Show the panel in this language too/ }))
  await waitFor(() => expect(document.documentElement.lang).toBe('ru'))
})

it.each(['/app/profile', '/app/profile/security', '/app/permissions'])(
  'reports on %s that the current user could not be loaded, and tries again',
  async (address) => {
    let isDown = true
    fakeApi({
      'GET /api/users/me': () =>
        isDown ? errorAnswer(500, 'InternalServerError', 'x', 'server.internal') : Response.json(fullProfile),
      'GET /api/auth/two-step': { on: false, since: null, recovery_left: 0, required: false },
      'GET /api/auth/sessions': { data: [] },
      'GET /api/auth/change-email': { email: 'a@example.org', confirmed: true, pending: null },
    })
    renderApp(address)
    const retryButton = await screen.findByRole('button', { name: 'Try again' })
    expect(screen.getByText('This part could not be loaded')).toBeTruthy()
    isDown = false
    await userEvent.click(retryButton)
    expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy()
    await waitFor(() => expect(screen.queryByText('This part could not be loaded')).toBeNull())
  },
)
