import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { errorAnswer, fakeApi, lastCallTo, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

beforeEach(() => localStorage.setItem('token', 'a'))

const remover = { id: 9, username: 'aygul', first_name: 'Aygul', last_name: 'Seytova', avatar: null }
const line = {
  resource: 'news',
  id: 7,
  name: 'Rain',
  at: '2026-03-01T10:00:00.000Z',
  by: remover,
  until: '2026-03-31T10:00:00.000Z',
  locales: ['ru', 'uz'],
  whole: true,
  parts: 0,
}
const trash = (...data: object[]) => ({ data, meta: { pagination: { page: 1, pageSize: 20, total: data.length } } })

it('lists deleted records and restores one of them', async () => {
  let isRestored = false
  const calls = fakeApi({
    'GET /api/users/me': owner,
    'GET /api/trash': () => Response.json(isRestored ? trash() : trash(line)),
    'POST /api/news/7/restore': () => {
      isRestored = true
      return Response.json({ data: { id: 7, attributes: {} }, meta: {} })
    },
  })
  renderApp('/app/trash')
  expect(await screen.findByText('Rain')).toBeTruthy()
  expect(screen.getByText(/Aygul Seytova/)).toBeTruthy()
  expect(screen.getByText('31.03.2026')).toBeTruthy()
  await userEvent.setup().click(screen.getByRole('button', { name: 'Restore “Rain”' }))
  expect(await screen.findByText('The trash is empty')).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Open' })).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Trash' }))
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toContain('POST /api/news/7/restore')
})

it('shows beside a deleted record why it cannot be restored', async () => {
  fakeApi({
    'GET /api/users/me': owner,
    'GET /api/trash': trash({ ...line, name: 'Snow' }),
    'POST /api/news/7/restore': () => errorAnswer(409, 'ConflictError', 'The name is taken'),
  })
  renderApp('/app/trash')
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Restore “Snow”' }))
  expect((await screen.findByRole('alert')).textContent).toContain('The name is taken')
  expect(screen.getByText('Snow')).toBeTruthy()
})

it('filters the trash by the kind in its address', async () => {
  const calls = fakeApi({ 'GET /api/users/me': owner, 'GET /api/trash': trash({ ...line, name: 'Hail' }) })
  const { router } = renderApp('/app/trash')
  const user = userEvent.setup()
  await screen.findByText('Hail')
  await user.click(screen.getByRole('combobox', { name: 'Kind of record' }))
  await user.click(await screen.findByRole('option', { name: 'Tags' }))
  await waitFor(() => expect(lastCallTo(calls, '/api/trash')?.query).toContain('resource=tags'))
  expect(router.state.location.search).toEqual({ kind: 'tags' })
})

it('shows a failure to load the trash, with a button to try again', async () => {
  fakeApi({
    'GET /api/users/me': owner,
    'GET /api/trash': () => errorAnswer(500, 'InternalServerError', 'no', 'server.internal'),
  })
  renderApp('/app/trash')
  expect(await screen.findByText('The trash could not be loaded')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
})
