import { chosenKinds, noticeDeclarations } from '@dala/model'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { errorAnswer, fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

beforeEach(() => localStorage.setItem('token', 'a'))

/** An API that stores choices as the server does. */
function fakeChoices({ refuses = false } = {}) {
  let kinds = chosenKinds.map((kind) => {
    const { inbox, letter, push } = noticeDeclarations[kind]
    return { kind, inbox, letter, push }
  })
  return fakeApi({
    'GET /api/users/me': owner,
    'GET /api/notices/choices': () => Response.json({ data: { kinds } }),
    'PUT /api/notices/choices': ({ body }) => {
      if (refuses) return errorAnswer(500, 'InternalServerError', 'Broken')
      const sentKinds = (body as { data: { kinds: Record<string, object> } }).data.kinds
      kinds = kinds.map((noticeKind) => ({ ...noticeKind, ...sentKinds[noticeKind.kind] }))
      return Response.json({ data: { kinds } })
    },
  })
}
const switchOf = (event: string) => screen.findByRole('switch', { name: `In the panel: ${event}` })

it('shows a row for each kind of notices with the ways chosen for it', async () => {
  fakeChoices()
  renderApp('/app/profile/notifications')
  expect(await screen.findByRole('heading', { level: 1, name: 'Notification settings' })).toBeTruthy()
  await switchOf('A new question is waiting')
  expect(screen.getAllByRole('switch', { name: /^In the panel: / })).toHaveLength(chosenKinds.length)
  expect(screen.getAllByRole('switch', { name: /^On devices: / })).toHaveLength(chosenKinds.length)
  const letters = screen.getAllByRole('combobox').map(({ textContent }) => textContent)
  const names = { off: 'Never', now: 'At once', daily: 'Once a day' }
  expect(letters).toEqual(chosenKinds.map((kind) => names[noticeDeclarations[kind].letter]))
})

it('stores each changed choice of notices at once, by the keyboard too', async () => {
  const calls = fakeChoices()
  renderApp('/app/profile/notifications')
  const user = userEvent.setup()
  ;(await switchOf('Somebody shares a view with you')).focus()
  await user.keyboard(' ')
  await user.click(screen.getByRole('combobox', { name: 'Email: A new question is waiting' }))
  await user.click(await screen.findByRole('option', { name: 'At once' }))
  const readSentBodies = () => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)
  await waitFor(() =>
    expect(readSentBodies()).toEqual([
      { data: { kinds: { 'view.shared': { inbox: false } } } },
      { data: { kinds: { 'consultation.asked': { letter: 'now' } } } },
    ]),
  )
  expect((await switchOf('Somebody shares a view with you')).getAttribute('aria-checked')).toBe('false')
})

it('takes back a choice of notices that the server refuses, and reports the refusal', async () => {
  fakeChoices({ refuses: true })
  renderApp('/app/profile/notifications')
  await userEvent.click(await switchOf('Somebody shares a view with you'))
  await waitFor(async () =>
    expect((await switchOf('Somebody shares a view with you')).getAttribute('aria-checked')).toBe('true'),
  )
  expect(await screen.findByText('Broken')).toBeTruthy()
})
