import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeApi, owner } from '../../../testing/fake-api.ts'
import { fakePush } from '../../../testing/fake-push.ts'
import { renderApp } from '../../../testing/render-app.tsx'

let browser: ReturnType<typeof fakePush> | undefined
afterEach(() => {
  browser?.end()
  browser = undefined
  vi.restoreAllMocks()
})

it('shows a waiting customer through the service worker, with the tag that a push about the chat has', async () => {
  localStorage.setItem('token', 'a')
  browser = fakePush({ permission: 'granted' })
  vi.spyOn(document, 'hasFocus').mockReturnValue(false)
  const line = (id: number) => ({
    id,
    kind: 'desk.waiting',
    params: { customer: 'Aysánem' },
    address: `/chats/${id}`,
    createdAt: new Date().toISOString(),
    readAt: null,
  })
  let lines = [line(1)]
  const page = { page: 1, pageSize: 20, pageCount: 1, total: 1 }
  const calls = fakeApi({
    'GET /api/users/me': owner,
    'GET /api/notices': () => Response.json({ data: lines, meta: { pagination: page, unread: lines.length } }),
  })
  const { queryClient } = renderApp('/app/news')
  await screen.findByRole('button', { name: 'Notifications, 1 unread' })
  await waitFor(() => expect(calls.some(({ path }) => path === '/api/get_customized_rooms')).toBe(true))
  lines = [line(2), line(1)]
  await queryClient.invalidateQueries({ queryKey: ['notices'] })
  await waitFor(() => expect(browser?.shown).toHaveLength(1))
  expect(browser.shown[0]).toMatchObject({
    title: 'Aysánem is waiting for an answer.',
    options: { tag: '/app/chats/2', data: { address: '/app/chats/2' } },
  })
})
