import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { callServer } from '../../api/client.ts'
import { setViewedRole } from '../../api/viewing.ts'
import { errorAnswer, fakeApi, lastCallTo, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

const otherSession = '0b5f6a3e-1c2d-4e3f-8a9b-00000000000b'
const session = (id: string, change: object = {}) => ({
  id,
  current: false,
  agent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36',
  address: '10.0.0.7',
  created_at: '2026-01-05T04:00:00.000Z',
  last_seen_at: '2026-01-06T04:00:00.000Z',
  expires_at: '2026-02-06T04:00:00.000Z',
  ...change,
})
const offState = { on: false, since: null, recovery_left: 0, required: false }
const on = { on: true, since: '2026-01-05T04:00:00.000Z', recovery_left: 9, required: false }
const base = {
  'GET /api/users/me': owner,
  'GET /api/auth/settings': {
    registration: true,
    password: { min: 4, max: 16 },
    name: { en: null, ru: null, uz: null, kaa: null },
  },
  'GET /api/auth/two-step': offState,
  'GET /api/auth/change-email': { email: 'owner@example.org', confirmed: true, pending: null },
  'GET /api/auth/sessions': {
    data: [
      session('0b5f6a3e-1c2d-4e3f-8a9b-00000000000a', { current: true }),
      session(otherSession, { agent: 'okhttp/4.12.0' }),
    ],
  },
}
const setup = {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/Dala:owner?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Dala',
  recovery: Array.from({ length: 10 }, (_, index) => `aaaa-bbbb-cccc-ddd${index}`),
}
const findSection = (name: string | RegExp) => screen.findByRole('region', { name })

beforeEach(() => localStorage.setItem('token', 'a'))

describe('the e-mail part', () => {
  const settledProfile = { email: 'owner@example.org', confirmed: true, pending: null }

  it('sends a confirming link with the password, shows a wrong password at its field, and loses no input', async () => {
    let isWrong = true
    let state: object = settledProfile
    const calls = fakeApi({
      ...base,
      'GET /api/auth/change-email': () => Response.json(state),
      'POST /api/auth/change-email': () => {
        if (isWrong) return errorAnswer(400, 'ValidationError', 'x', 'auth.current-password')
        state = { ...settledProfile, pending: 'nobody@example.org' }
        return Response.json({ ok: true })
      },
    })
    renderApp('/app/profile/security')
    const user = userEvent.setup()
    const form = within(await findSection('Email'))
    expect(await form.findByText(/owner@example.org/)).toBeTruthy()
    const address = form.getByLabelText<HTMLInputElement>('New email')
    await user.type(address, 'nobody')
    await user.click(form.getByRole('button', { name: 'Change email' }))
    expect(lastCallTo(calls, '/api/auth/change-email')?.body).toBeUndefined()
    await user.type(address, '@example.org')
    await user.type(form.getByLabelText('Current password'), 'old-one')
    await user.click(form.getByRole('button', { name: 'Change email' }))
    expect(await form.findByText('The current password is wrong')).toBeTruthy()
    expect(address.value).toBe('nobody@example.org')
    isWrong = false
    await user.click(form.getByRole('button', { name: 'Change email' }))
    expect(await form.findByText(/the link that we sent to nobody@example.org/)).toBeTruthy()
    await waitFor(() => expect(address.value).toBe(''))
    expect(calls.findLast(({ method }) => method === 'POST')?.body).toEqual({
      email: 'nobody@example.org',
      currentPassword: 'old-one',
    })
  })

  it('shows the pending e-mail address, sends its link again and cancels the change', async () => {
    let state: object = { ...settledProfile, pending: 'fresh@example.org' }
    const calls = fakeApi({
      ...base,
      'GET /api/auth/change-email': () => Response.json(state),
      'POST /api/auth/change-email/resend': { ok: true },
      'DELETE /api/auth/change-email': () => {
        state = settledProfile
        return Response.json({ ok: true })
      },
    })
    renderApp('/app/profile/security')
    const user = userEvent.setup()
    const form = within(await findSection('Email'))
    await user.click(await form.findByRole('button', { name: 'Send the link again' }))
    expect(await screen.findByText('We sent a link to fresh@example.org')).toBeTruthy()
    expect(lastCallTo(calls, '/api/auth/change-email/resend')?.method).toBe('POST')
    await user.click(form.getByRole('button', { name: 'Cancel the change' }))
    await waitFor(() => expect(form.queryByRole('button', { name: 'Cancel the change' })).toBeNull())
    expect(await screen.findByText('The address was not changed')).toBeTruthy()
    expect(document.activeElement).toBe(form.getByLabelText('New email'))
  })

  it('shows an unconfirmed e-mail without a cancel button', async () => {
    fakeApi({
      ...base,
      'GET /api/auth/change-email': { email: 'owner@example.org', confirmed: false, pending: 'owner@example.org' },
      'POST /api/auth/change-email/resend': () =>
        Response.json(
          { data: null, error: { status: 429, name: 'X', message: 'x', code: 'auth.throttled', details: {} } },
          { status: 429, headers: { 'Retry-After': '3665' } },
        ),
    })
    renderApp('/app/profile/security')
    const form = within(await findSection('Email'))
    expect(await form.findByText(/Your address is not confirmed yet/)).toBeTruthy()
    expect(form.queryByRole('button', { name: 'Cancel the change' })).toBeNull()
    await userEvent.click(form.getByRole('button', { name: 'Send the link again' }))
    expect(await form.findByText(/1:01:0\d/)).toBeTruthy()
    expect(form.getByRole('button', { name: 'Send the link again' }).getAttribute('aria-disabled')).toBe('true')
  })
})

describe('the password part', () => {
  it('shows a wrong current password at its field, keeps the input, and empties the fields after a change', async () => {
    let isWrong = true
    const calls = fakeApi({
      ...base,
      'POST /api/auth/change-password': () =>
        isWrong
          ? errorAnswer(400, 'ValidationError', 'x', 'auth.current-password')
          : Response.json({ jwt: 'a', user: owner }),
    })
    renderApp('/app/profile/security')
    const user = userEvent.setup()
    const form = within(await findSection('Password'))
    const currentField = form.getByLabelText<HTMLInputElement>('Current password')
    await user.type(currentField, 'old-one')
    await user.type(form.getByLabelText('New password'), 'Cotton-26')
    expect(await form.findByText('Fair')).toBeTruthy()
    await user.type(form.getByLabelText('Repeat password'), 'Cotton-2')
    await user.click(form.getByRole('button', { name: 'Change password' }))
    expect(form.getByText('Passwords do not match')).toBeTruthy()
    await user.type(form.getByLabelText('Repeat password'), '6')
    await user.click(form.getByRole('button', { name: 'Change password' }))
    expect(await form.findByText('The current password is wrong')).toBeTruthy()
    expect(currentField.getAttribute('aria-invalid')).toBe('true')
    expect(currentField.value).toBe('old-one')
    isWrong = false
    await user.click(form.getByRole('button', { name: 'Change password' }))
    expect(await screen.findByText('Password changed')).toBeTruthy()
    expect(currentField.value).toBe('')
    expect(lastCallTo(calls, '/api/auth/change-password')?.body).toEqual({
      currentPassword: 'old-one',
      password: 'Cotton-26',
      passwordConfirmation: 'Cotton-26',
    })
  })
})

describe('two-step sign-in', () => {
  it('sets two-step sign-in up by password, code to scan, recovery codes and first code', async () => {
    let state: object = offState
    const calls = fakeApi({
      ...base,
      'GET /api/auth/two-step': () => Response.json(state),
      'POST /api/auth/two-step': setup,
      'POST /api/auth/two-step/confirm': ({ body }) => {
        if (JSON.stringify(body) !== '{"code":"123456"}')
          return errorAnswer(400, 'ValidationError', 'x', 'auth.two-step-code')
        state = on
        return Response.json({ ok: true })
      },
    })
    renderApp('/app/profile/security')
    const user = userEvent.setup()
    const box = within(await findSection('Two-step sign-in'))
    await user.click(await box.findByRole('button', { name: 'Set up' }))
    await user.type(box.getByLabelText('Current password'), 'Harvest-2026')
    await user.click(box.getByRole('button', { name: 'Next' }))
    expect(await box.findByRole('img', { name: /QR code/ })).toBeTruthy()
    expect(box.getByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP')).toBeTruthy()
    expect(within(box.getByRole('list', { name: /recovery codes/ })).getAllByRole('listitem')).toHaveLength(10)
    const code = box.getByLabelText('Code from the app')
    await user.type(code, '000000')
    await user.click(box.getByRole('button', { name: 'Turn on' }))
    expect(await box.findByText('First save the codes and tick the box.')).toBeTruthy()
    expect(document.activeElement).toBe(box.getByRole('checkbox', { name: 'I have saved the codes' }))
    expect(lastCallTo(calls, '/api/auth/two-step/confirm')).toBeUndefined()
    await user.click(box.getByRole('checkbox', { name: 'I have saved the codes' }))
    await user.click(box.getByRole('button', { name: 'Turn on' }))
    expect(await box.findByText('The code is wrong or has already been used')).toBeTruthy()
    await user.clear(code)
    await user.type(code, '123456')
    await user.click(box.getByRole('button', { name: 'Turn on' }))
    expect(await box.findByText('Recovery codes left')).toBeTruthy()
    expect(box.queryByText(/JBSW/)).toBeNull()
    expect(document.activeElement).toBe(box.getByRole('button', { name: 'New recovery codes' }))
  })

  it('turns two-step sign-in off with password and code', async () => {
    let state: object = on
    const calls = fakeApi({
      ...base,
      'GET /api/auth/two-step': () => Response.json(state),
      'DELETE /api/auth/two-step': () => {
        state = offState
        return Response.json({ ok: true })
      },
    })
    renderApp('/app/profile/security')
    const user = userEvent.setup()
    const box = within(await findSection('Two-step sign-in'))
    await user.click(await box.findByRole('button', { name: 'Turn off' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Turn off two-step sign-in?' }))
    await user.type(dialog.getByLabelText('Current password'), 'Harvest-2026')
    await user.type(dialog.getByLabelText('Code from the app'), 'aaaa-bbbb-cccc-dddd')
    await user.click(dialog.getByRole('button', { name: 'Turn off' }))
    const setUp = await box.findByRole('button', { name: 'Set up' })
    await waitFor(() => expect(document.activeElement).toBe(setUp))
    const deleteCall = calls.find(({ method }) => method === 'DELETE')
    expect(deleteCall?.body).toEqual({ password: 'Harvest-2026', code: 'aaaa-bbbb-cccc-dddd' })
  })

  it('offers no way to turn two-step sign-in off where the role requires it', async () => {
    fakeApi({ ...base, 'GET /api/auth/two-step': { ...on, required: true } })
    renderApp('/app/profile/security')
    const box = within(await findSection('Two-step sign-in'))
    expect(await box.findByText(/cannot be turned off/)).toBeTruthy()
    expect(box.queryByRole('button', { name: 'Turn off' })).toBeNull()
    expect(box.getByRole('button', { name: 'New recovery codes' })).toBeTruthy()
  })

  it('asks for no password where two-step sign-in cannot be changed', async () => {
    setViewedRole('admin')
    fakeApi(base)
    renderApp('/app/profile/security')
    const button = await screen.findByRole('button', { name: 'Set up' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    await userEvent.click(button)
    expect(within(await findSection(/Two-step/)).queryByLabelText('Current password')).toBeNull()
    setViewedRole(undefined)
  })

  it('moves the focus into the question about new codes and back to the button that opened the question', async () => {
    fakeApi({ ...base, 'GET /api/auth/two-step': on })
    renderApp('/app/profile/security')
    const user = userEvent.setup()
    const button = await screen.findByRole('button', { name: 'New recovery codes' })
    await user.click(button)
    const dialog = within(await screen.findByRole('dialog', { name: 'New recovery codes' }))
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Current password')))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(button))
  })

  it('shows new recovery codes until the user confirms that they are stored', async () => {
    fakeApi({
      ...base,
      'GET /api/auth/two-step': on,
      'POST /api/auth/two-step/recovery': { recovery: setup.recovery },
    })
    renderApp('/app/profile/security')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'New recovery codes' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'New recovery codes' }))
    await user.type(dialog.getByLabelText('Current password'), 'x')
    await user.type(dialog.getByLabelText('Code from the app'), '123456')
    await user.click(dialog.getByRole('button', { name: 'Create codes' }))
    expect(await dialog.findByText('aaaa-bbbb-cccc-ddd9')).toBeTruthy()
    await user.keyboard('{Escape}')
    await user.click(dialog.getByRole('button', { name: 'OK' }))
    expect(dialog.getByText('aaaa-bbbb-cccc-ddd9')).toBeTruthy()
    await user.click(dialog.getByRole('checkbox', { name: 'I have saved the codes' }))
    await user.click(dialog.getByRole('button', { name: 'OK' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('a second step that the role requires', () => {
  it('redirects from any refused call to the required second step, without a toast, and explains why', async () => {
    const refuse = () => errorAnswer(403, 'ForbiddenError', 'x', 'auth.two-step-required')
    fakeApi({
      ...base,
      'GET /api/auth/two-step': { ...offState, required: true },
      'GET /api/users': refuse,
      'GET /api/consultants/load': refuse,
      'GET /api/roles': refuse,
    })
    const { router, queryClient } = renderApp('/app/consultants?page=2')
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/profile/security'))
    expect(router.state.location.search).toEqual({ from: '/app/consultants?page=2' })
    expect(await screen.findByText(/Your role requires two-step sign-in/)).toBeTruthy()
    expect(screen.queryByText('No permission')).toBeNull()
    expect(localStorage.getItem('token')).toBe('a')
    // Refused calls of the security page do not redirect.
    const { href } = router.state.location
    const refusedCall = queryClient.query({ queryKey: ['refused'], queryFn: () => callServer('GET', '/roles') })
    await expect(refusedCall).rejects.toMatchObject({ code: 'auth.two-step-required' })
    expect(router.state.location.href).toBe(href)
  })

  it('returns to the requested page once the required second step is on', async () => {
    fakeApi({ ...base, 'GET /api/auth/two-step': { ...on, required: true } })
    const { router } = renderApp('/app/profile/security?from=%2Fapp%2Fmedia')
    await userEvent.click(await screen.findByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/media'))
  })

  it('ignores a return address outside the panel', async () => {
    fakeApi({ ...base, 'GET /api/auth/two-step': { ...on, required: true } })
    renderApp('/app/profile/security?from=https%3A%2F%2Fexample.org')
    expect(await screen.findByText(/cannot be turned off/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull()
  })
})

describe('sessions', () => {
  it('ends sessions one by one, or all others after a question', async () => {
    const calls = fakeApi({
      ...base,
      [`DELETE /api/auth/sessions/${otherSession}`]: () =>
        errorAnswer(404, 'NotFoundError', 'Not Found', 'record.not-found'),
      'POST /api/auth/sessions/end-others': { ok: true, ended: 1 },
    })
    renderApp('/app/profile/security')
    const user = userEvent.setup()
    const box = within(await findSection(/^Sessions/))
    expect(await box.findByText('Chrome, Windows')).toBeTruthy()
    expect(box.getByText('This device')).toBeTruthy()
    // The present session ends only by signing out.
    expect(box.getAllByRole('button', { name: /^End:/ })).toHaveLength(1)
    await user.click(box.getByRole('button', { name: 'End: okhttp' }))
    expect(await box.findByRole('alert')).toBeTruthy()
    await user.click(box.getByRole('button', { name: 'End all other sessions' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'End all other sessions?' }))
    expect(lastCallTo(calls, '/api/auth/sessions/end-others')).toBeUndefined()
    await user.click(dialog.getByRole('button', { name: 'End all other sessions' }))
    expect(await screen.findByText('1 session ended')).toBeTruthy()
  })
})
