import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

const post = (id: number, status: string, version = 2) => ({
  id,
  attributes: {
    title: `Post ${id}`,
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
    views: 0,
    locale: 'en',
    version,
    createdAt: '2026-03-09T06:00:00.000Z',
    updatedAt: '2026-03-09T06:00:00.000Z',
    user: { data: { id: 3, attributes: { name: 'Aybek', surname: null, username: 'aybek' } } },
    localizations: { data: [] },
  },
})
const list = (...entries: object[]) => ({ data: entries, meta: { pagination: { page: 1, pageSize: 2 } } })
const answers = {
  'GET /api/users/me': owner,
  'GET /api/tradinposts/5': { data: post(5, 'on_hold'), meta: {} },
  'GET /api/tradinposts': list(post(5, 'on_hold'), post(6, 'on_hold')),
}
const buttons = () => screen.getAllByRole('button').map(({ textContent }) => textContent)

beforeEach(() => localStorage.setItem('token', 'a'))

describe('a decision', () => {
  it('needs a reason where the model says so, and keeps it when a colleague was faster', async () => {
    const calls = fakeApi({
      ...answers,
      'PUT /api/tradinposts/5': () =>
        Response.json(
          {
            data: null,
            error: {
              status: 422,
              name: 'UnprocessableEntityError',
              message: 'status cannot change from processed to rejected',
              code: 'state.step',
              details: { from: 'processed', to: 'rejected', allowed: ['on_hold', 'archived'] },
            },
          },
          { status: 422 },
        ),
    })
    renderApp('/app/trading-post/seen/5')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Reject' }))
    const dialog = await screen.findByRole('dialog', { name: 'Reject this post?' })
    const inside = within(dialog)
    await user.click(inside.getByRole('button', { name: 'Reject' }))
    expect(inside.getByText('Please give a reason')).toBeTruthy()
    expect(calls.some(({ method }) => method === 'PUT')).toBe(false)
    await user.type(inside.getByRole('textbox', { name: /Reason for rejection/ }), 'No photo')
    await user.click(inside.getByRole('button', { name: 'Reject' }))
    const refusal = await inside.findByRole('alert')
    expect(refusal.textContent).toContain('Possible now: Back to ON HOLD and Archive')
    expect(inside.getByRole<HTMLTextAreaElement>('textbox', { name: /Reason for rejection/ }).value).toBe('No photo')
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
      data: { status: 'rejected', reason: 'No photo', version: 2 },
    })
  })

  it('leaves a way to the next post that waits', async () => {
    let status = 'on_hold'
    fakeApi({
      ...answers,
      'GET /api/tradinposts/5': () => Response.json({ data: post(5, status), meta: {} }),
      'PUT /api/tradinposts/5': () => {
        status = 'processed'
        return Response.json({ data: post(5, status, 3), meta: {} })
      },
    })
    renderApp('/app/trading-post/seen/5')
    await userEvent.setup().click(await screen.findByRole('button', { name: 'Approve' }))
    expect(await screen.findByRole('button', { name: 'Archive' })).toBeTruthy()
    expect(document.activeElement?.textContent).toBe('Decision')
    const next = screen.getByRole('link', { name: 'Next one waiting' })
    expect(next.getAttribute('href')).toBe('/app/trading-post/seen/6')
  })

  it('offers an author his own steps only', async () => {
    const author = { ...owner, id: 3, role: { id: 4, name: 'Authenticated', type: 'authenticated' } }
    fakeApi({
      ...answers,
      'GET /api/users/me': author,
      'GET /api/tradinposts/5': { data: post(5, 'rejected'), meta: {} },
    })
    renderApp('/app/trading-post/seen/5')
    expect(await screen.findByRole('button', { name: 'Appeal' })).toBeTruthy()
    expect(buttons()).not.toContain('Approve')
  })
})
