import { resources } from '@dala/model'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { bodies } from '../../testing/tags.ts'

const consultant = {
  ...owner,
  id: 7,
  is_consultant: true,
  role: { id: 4, name: 'Authenticated', type: 'authenticated' },
}
const person = (id: number) => ({ data: { id, attributes: { username: `u${id}`, name: null, surname: null } } })

const post = (user: number, status: string) => ({
  data: {
    id: 1,
    attributes: {
      title: 'Rice',
      description: null,
      negotiable: false,
      delivery: false,
      phone: null,
      currency: 'UZS',
      status,
      reason: null,
      public_note: 'Well done',
      locale: 'en',
      version: 1,
      updatedAt: '2026-03-01T10:00:00.000Z',
      tradingposttype: { data: { id: 2, attributes: { name: 'Selling' } } },
      user: person(user),
      images: { data: [] },
      localizations: { data: [] },
    },
  },
  meta: {},
})

const openPost = (me: object, data: object) => {
  const calls = fakeApi({
    'GET /api/users/me': { ...me },
    'GET /api/tradinposts/1': { ...data },
    'PUT /api/tradinposts/1': { ...data },
  })
  // Shared form, without the slots of the trading post screen.
  const labelPrefix = 'tradinposts'
  const posts = {
    path: 'posts',
    readPath: 'posts',
    editPath: 'posts',
    section: 'market',
    labelPrefix,
    resource: resources.tradinposts,
  } as const
  renderApp('/app/posts/1', [posts])
  return calls
}

beforeEach(() => localStorage.setItem('token', 'a'))

describe('the rights of a user in a form', () => {
  it('shows the record of somebody else in a read-only form, and explains why', async () => {
    openPost(consultant, post(8, 'processed'))
    expect(await screen.findByText(/you do not have permission to change it/)).toBeTruthy()
    expect(screen.getByRole('textbox', { name: /^Title/ })).toHaveProperty('readOnly', true)
    expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull()
    await userEvent.setup().click(screen.getByRole('button', { name: 'More actions' }))
    expect(await screen.findByRole('menuitem', { name: 'History' })).toBeTruthy()
    expect(screen.queryByRole('menuitem', { name: 'Delete' })).toBeNull()
  })

  it('opens the fields of the user’s grant, and offers only the user’s own transitions', async () => {
    const calls = openPost(consultant, post(7, 'rejected'))
    const user = userEvent.setup()
    expect(await screen.findByText(/You may change some of these fields/)).toBeTruthy()
    expect(screen.getByRole('textbox', { name: 'Note to the author' })).toHaveProperty('readOnly', true)
    const title = screen.getByRole('textbox', { name: /^Title/ })
    expect(title).toHaveProperty('readOnly', false)
    await user.click(screen.getByRole('combobox', { name: 'Status' }))
    const states = await screen.findAllByRole('option')
    expect(states.map(({ textContent }) => textContent)).toEqual(['Rejected', 'ON HOLD'])
    await user.click(states[1] as HTMLElement)
    await user.type(title, '!')
    await user.click(screen.getByRole('button', { name: 'Save changes' }))
    expect(await screen.findByText(/updated successfully/)).toBeTruthy()
    expect(bodies(calls)).toEqual([
      ['PUT', '/api/tradinposts/1', { data: { status: 'on_hold', title: 'Rice!', version: 1 } }],
    ])
  })

  it('requires a reason where the transition of a record needs one', async () => {
    const calls = openPost(owner, post(8, 'on_hold'))
    const user = userEvent.setup()
    await user.click(await screen.findByRole('combobox', { name: 'Status' }))
    expect(screen.queryByRole('textbox', { name: /^Reason/ })).toBeNull()
    await user.click(await screen.findByRole('option', { name: 'Rejected' }))
    const reason = await screen.findByRole('textbox', { name: /^Reason/ })
    expect(reason.getAttribute('aria-required')).toBe('true')
    await user.click(screen.getByRole('button', { name: 'Save changes' }))
    expect(await screen.findByText('Please give a reason')).toBeTruthy()
    expect(document.activeElement).toBe(reason)
    expect(bodies(calls)).toEqual([])
    await user.type(reason, 'No picture')
    await user.click(screen.getByRole('button', { name: 'Save changes' }))
    expect(await screen.findByText(/updated successfully/)).toBeTruthy()
    expect(bodies(calls)).toMatchObject([
      ['PUT', '/api/tradinposts/1', { data: { status: 'rejected', reason: 'No picture' } }],
    ])
  })

  it('refuses the form of a new record in place', async () => {
    fakeApi({ 'GET /api/users/me': { ...consultant } })
    renderApp('/app/settings/tags/new')
    expect(await screen.findByText('No permission')).toBeTruthy()
    expect(screen.queryByRole('textbox', { name: /^Name/ })).toBeNull()
  })

  it('keeps the password of an account unless another password is typed', async () => {
    const account = { ...owner, id: 3, version: 2, email: 'a@example.org', username: 'azat', region: null }
    const calls = fakeApi({
      'GET /api/users/me': owner,
      'GET /api/users/3': account,
      'PUT /api/users/3': account,
    })
    renderApp('/app/people/users/3?view=edit')
    const user = userEvent.setup()
    const password = await screen.findByLabelText('Password')
    expect(screen.getByText('Leave it empty to keep the current password.')).toBeTruthy()
    await user.type(password, 'abc')
    await user.clear(password)
    await user.tab()
    await user.type(screen.getByRole('textbox', { name: /^Phone/ }), '1')
    await user.click(screen.getByRole('button', { name: 'Save changes' }))
    expect(await screen.findByText(/updated successfully/)).toBeTruthy()
    expect(bodies(calls)).toEqual([['PUT', '/api/users/3', { phone: '1', version: 2 }]])
    expect(within(document.body).queryByText('Please enter your password')).toBeNull()
  })
})
