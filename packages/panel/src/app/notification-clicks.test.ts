import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { fakeApi, owner } from '../testing/fake-api.ts'
import { fakePush } from '../testing/fake-push.ts'
import { renderApp } from '../testing/render-app.tsx'
import { followNotifications } from './notification-clicks.ts'

it('opens the page of a pressed notification without a reload', async () => {
  localStorage.setItem('token', 'a')
  fakeApi({ 'GET /api/users/me': owner })
  const { worker, end } = fakePush({ permission: 'granted' })
  try {
    const { router, queryClient } = renderApp('/app/profile/notifications')
    followNotifications(router, queryClient)
    await screen.findByRole('heading', { level: 1 })
    worker.dispatchEvent(new MessageEvent('message', { data: { type: 'open', address: '/app/settings/tags?page=4' } }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/settings/tags'))
    expect(router.state.location.search).toEqual({ page: '4' })
  } finally {
    end()
  }
})
