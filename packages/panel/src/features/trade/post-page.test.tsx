import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

const post = (status: string, draft: object = {}) => ({
  id: 5,
  attributes: {
    title: 'Post 5',
    description: 'Fresh',
    price: 16_500,
    currency: 'UZS',
    negotiable: true,
    delivery: false,
    phone: '+998 00 300-00-01',
    status,
    reason: null,
    public_note: null,
    expires_at: null,
    edit_state: null,
    views: 0,
    locale: 'en',
    version: 2,
    createdAt: '2026-03-09T06:00:00.000Z',
    updatedAt: '2026-03-09T06:00:00.000Z',
    user: { data: { id: 3, attributes: { name: 'Aybek', surname: null, username: 'aybek' } } },
    localizations: { data: [] },
    ...draft,
  },
})
const answers = {
  'GET /api/users/me': { ...owner, id: 3, role: { id: 4, name: 'Authenticated', type: 'authenticated' } },
  'GET /api/tradinposts': { data: [], meta: { pagination: { page: 1, pageSize: 2 } } },
}

beforeEach(() => localStorage.setItem('token', 'a'))

describe('the page of a post for its author', () => {
  it('offers only the author’s own transitions of a post, and lists the remaining ones after a refusal', async () => {
    fakeApi({
      ...answers,
      'GET /api/tradinposts/5': { data: post('rejected'), meta: {} },
      'PUT /api/tradinposts/5': () =>
        Response.json(
          {
            data: null,
            error: {
              status: 422,
              name: 'UnprocessableEntityError',
              message: 'status cannot change from rejected to on_hold',
              code: 'state.step',
              details: { from: 'rejected', to: 'on_hold', allowed: [] },
            },
          },
          { status: 422 },
        ),
    })
    renderApp('/app/trading-post/seen/5')
    const appealButton = await screen.findByRole('button', { name: 'Appeal' })
    expect(screen.queryByRole('button', { name: /Approve/ })).toBeNull()
    await userEvent.setup().click(appealButton)
    expect((await screen.findByRole('alert')).textContent).toContain('Nothing is possible now.')
  })

  it('shows the pending edit of a post beside the public text, and withdraws the edit', async () => {
    let edit_state: string | null = 'waiting'
    const calls = fakeApi({
      ...answers,
      'GET /api/tradinposts/5': () => Response.json({ data: post('processed', { edit_state }), meta: {} }),
      'GET /api/tradinposts/5/edit': {
        data: {
          state: 'waiting',
          at: '2026-03-09T06:00:00.000Z',
          changes: [{ field: 'price', locale: null, before: 16_500, after: 20_000 }],
        },
        meta: {},
      },
      'DELETE /api/tradinposts/5/edit': () => {
        edit_state = null
        return Response.json({ ok: true })
      },
    })
    renderApp('/app/trading-post/seen/5')
    expect(await screen.findByText('Your changes are waiting for a moderator')).toBeTruthy()
    await userEvent.setup().click(screen.getByRole('button', { name: 'Withdraw the changes' }))
    expect(await screen.findByRole('button', { name: 'Archive' })).toBeTruthy()
    expect(calls.some(({ method }) => method === 'DELETE')).toBe(true)
  })
})
