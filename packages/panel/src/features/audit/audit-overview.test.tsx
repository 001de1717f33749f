import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { errorAnswer, fakeApi, lastCallTo, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

beforeEach(() => localStorage.setItem('token', 'a'))

const line = {
  id: 5,
  attributes: {
    action: 'record.update',
    user: { data: { id: 9, attributes: { username: 'aygul', name: 'Aygul', surname: 'Seytova' } } },
    resource: 'tags',
    entry: 7,
    details: { code: 'x' },
    address: '203.0.113.9',
    request_id: 'r-1',
    seal: null,
    hash: null,
    createdAt: '2026-03-01T10:00:00.000Z',
    updatedAt: '2026-03-01T10:00:00.000Z',
    version: 1,
  },
}
const change = { locale: 'en', operation: 'update', changes: { name: { before: 'Wool', after: 'Cotton' } } }
const answers = {
  'GET /api/users/me': owner,
  'GET /api/audit/5': { data: line, meta: {} },
  'GET /api/audit/5/changes': { data: [change], meta: { withheld: false } },
  'GET /api/tags/7': () => errorAnswer(404, 'NotFoundError', 'Not Found', 'record.not-found'),
}

it('shows the user, the address, and values before and after; names a deleted record by its id', async () => {
  fakeApi(answers)
  renderApp('/app/audit/5')
  expect(await screen.findByRole('heading', { name: 'Record changed' })).toBeTruthy()
  expect(await screen.findByText('Wool')).toBeTruthy()
  expect(screen.getByText('Cotton')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Aygul Seytova' }).getAttribute('href')).toContain('/people/users/9')
  expect(await screen.findByText(/№ 7/)).toBeTruthy()
  expect(screen.getByText('Not sealed yet')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'More actions' })).toBeNull()
})

it('shows the page of an audit line at the address of a form', async () => {
  fakeApi(answers)
  renderApp('/app/audit/5?view=edit')
  expect(await screen.findByText('Cotton')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
})

it('shows that audit values are withheld, and retries changes that failed to load', async () => {
  let isFailing = true
  fakeApi({
    ...answers,
    'GET /api/audit/5/changes': () =>
      isFailing
        ? errorAnswer(500, 'InternalServerError', 'Internal Server Error')
        : Response.json({ data: [], meta: { withheld: true } }),
  })
  renderApp('/app/audit/5')
  const alert = await screen.findByRole('alert')
  isFailing = false
  await userEvent.click(within(alert).getByRole('button'))
  expect(await screen.findByText(/hidden from your role/)).toBeTruthy()
})

it('filters the audit log by the label of a kind of record', async () => {
  const pagination = { page: 1, pageSize: 25, pageCount: 1, total: 1 }
  const calls = fakeApi({ ...answers, 'GET /api/audit': { data: [line], meta: { pagination } } })
  renderApp('/app/audit')
  const user = userEvent.setup()
  expect(await screen.findByRole('link', { name: 'Record changed' })).toBeTruthy()
  expect(screen.getByText('Tag')).toBeTruthy()
  await user.click(screen.getByRole('combobox', { name: 'Kind of record' }))
  await user.click(await screen.findByRole('option', { name: 'Tag' }))
  // The filter chip shows the label of the kind of record, not its name in the model.
  expect(await screen.findByText('Kind of record: Tag')).toBeTruthy()
  expect(decodeURIComponent(lastCallTo(calls, '/api/audit')?.query ?? '')).toContain('[resource][$eqi]=tags')
})

it('shows why a user was blocked and who took over; hides an empty list of changes', async () => {
  const blockingLine = {
    ...line,
    attributes: {
      ...line.attributes,
      action: 'user.block',
      resource: 'users',
      entry: 9,
      details: { reason: 'Lost the phone', to: '', rooms: '2' },
    },
  }
  fakeApi({
    ...answers,
    'GET /api/audit/5': { data: blockingLine, meta: {} },
    'GET /api/audit/5/changes': { data: [], meta: { withheld: false } },
    'GET /api/users/9': () => errorAnswer(404, 'NotFoundError', 'Not Found', 'record.not-found'),
  })
  renderApp('/app/audit/5')
  expect(await screen.findByText('Reason')).toBeTruthy()
  expect(screen.getByText('Lost the phone')).toBeTruthy()
  expect(screen.getByText('Back to the queue')).toBeTruthy()
  expect(screen.queryByText('What changed')).toBeNull()
})
