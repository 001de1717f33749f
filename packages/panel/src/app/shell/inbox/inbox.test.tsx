import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { errorAnswer, fakeApi, owner } from '../../../testing/fake-api.ts'
import { renderApp } from '../../../testing/render-app.tsx'

beforeEach(() => localStorage.setItem('token', 'a'))

const notice = (id: number, kind: string, params: object, address: string | null, readAt: string | null) => ({
  id,
  kind,
  params,
  address,
  createdAt: new Date().toISOString(),
  readAt,
})
const notices = {
  data: [
    notice(3, 'view.shared', { name: 'Dry districts', by: 'Aysánem' }, '/settings/tags?view=1', null),
    notice(2, 'bulk.finished', { resource: 'news', count: 5, changed: 4, refused: 1, job: 9 }, null, null),
    notice(1, 'post.processed', { title: 'Wheat' }, null, '2026-01-01T00:00:00.000Z'),
  ],
  meta: { pagination: { page: 1, pageSize: 20, pageCount: 1, total: 3 }, unread: 2 },
}
const answers = {
  'GET /api/users/me': owner,
  'GET /api/notices': notices,
  'POST /api/notices/read': { ok: true },
}

async function openInbox(name: RegExp | string) {
  const { router } = renderApp('/app/news')
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name }))
  return { router, user, panel: within(await screen.findByRole('dialog', { name: 'Notifications' })) }
}

describe('the inbox', () => {
  it('shows the number of unread notices, and each notice in the user’s language', async () => {
    fakeApi(answers)
    const { panel } = await openInbox('Notifications, 2 unread')
    expect(await panel.findByText('News: the changes are complete. Changed: 4, refused: 1, total: 5.')).toBeTruthy()
    expect(panel.getByText('Aysánem shared the view “Dry districts” with you.')).toBeTruthy()
  })

  it('opens the address of a notice and marks the notice as read', async () => {
    const calls = fakeApi(answers)
    const { router, user, panel } = await openInbox(/^Notifications/)
    await user.click(await panel.findByRole('link', { name: /Dry districts/ }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/settings/tags'))
    expect(router.state.location.search).toEqual({ view: '1' })
    expect(calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([{ data: { ids: [3] } }])
  })

  it('marks all notices as read with one press', async () => {
    const calls = fakeApi(answers)
    const { user, panel } = await openInbox(/^Notifications/)
    await user.click(await panel.findByRole('button', { name: 'Mark all as read' }))
    expect(calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([{ data: { all: true } }])
  })

  it('reports a failure to load the inbox, and affects nothing else', async () => {
    fakeApi({ ...answers, 'GET /api/notices': () => errorAnswer(500, 'InternalServerError', 'Broken') })
    const { panel } = await openInbox('Notifications')
    expect(await panel.findByText('Notifications could not be loaded.')).toBeTruthy()
    expect(panel.getByRole('button', { name: 'Try again' })).toBeTruthy()
  })
})

describe('the sheet of keyboard shortcuts', () => {
  it('opens the sheet of keyboard shortcuts by its key, except while the user types', async () => {
    fakeApi(answers)
    renderApp('/app/news')
    await screen.findByRole('button', { name: /^Notifications/ })
    const user = userEvent.setup()
    await user.type(await screen.findByRole('searchbox'), '?')
    expect(screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })).toBeNull()
    screen.getByRole('main').focus()
    await user.keyboard('?')
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy()
  })
})
