import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { errorAnswer, fakeApi, owner } from '../../testing/fake-api.ts'
import { noConsultations } from '../../testing/no-consultations.ts'
import { renderApp } from '../../testing/render-app.tsx'

beforeEach(() => localStorage.setItem('token', 'a'))

const testTime = '2026-03-01T10:00:00.000Z'
const question = (id: number, text: string, consultant: number | null) => ({
  id,
  attributes: {
    question: text,
    status: consultant === null ? 'new' : 'assigned',
    createdAt: testTime,
    updatedAt: testTime,
    version: 1,
    waiting_since: testTime,
    warn_at: testTime,
    due_at: testTime,
    consultant: { data: consultant === null ? null : { id: consultant, attributes: { username: 'timur' } } },
  },
})
const list = {
  data: [question(7, 'Pale leaves', null), question(8, 'Dry soil', 6)],
  meta: { pagination: { page: 1, pageSize: 15, pageCount: 1, total: 2 }, counts: noConsultations.meta.counts },
}

it('assigns selected questions with one note, and keeps a refused one in the dialog with the reason', async () => {
  const calls = fakeApi({
    'GET /api/users/me': owner,
    'GET /api/consultations': list,
    'GET /api/users': { data: [{ id: 9, username: 'gulshat', name: 'Gulshat', surname: 'M.' }], count: 1, meta: {} },
    'POST /api/consultations/7/assign': { data: question(7, 'Pale leaves', 9), meta: {} },
    'POST /api/consultations/8/assign': () => errorAnswer(422, 'UnprocessableEntityError', 'no', 'state.step'),
  })
  const user = userEvent.setup()
  renderApp('/app/consultation')
  expect((await screen.findAllByText(/overdue/)).length).toBeGreaterThan(0)
  await user.click(await screen.findByRole('checkbox', { name: 'Select all rows of this page' }))
  await user.click(await screen.findByRole('button', { name: 'Assign' }))
  const dialog = await screen.findByRole('dialog', { name: 'Assign 2 questions' })
  await user.type(within(dialog).getByRole('combobox', { name: /Consultant/ }), 'Gul')
  await user.click(await screen.findByRole('option', { name: /Gulshat/ }))
  await user.type(within(dialog).getByRole('textbox', { name: /Note for the colleague/ }), 'Knows soil')
  await user.click(within(dialog).getByRole('button', { name: 'Assign' }))
  const refusal = await within(dialog).findByRole('alert')
  expect(refusal.textContent).toContain('Dry soil')
  const bodies = calls.filter(({ method }) => method === 'POST').map(({ body }) => body)
  expect(bodies).toEqual([
    { data: { to: 9, note: 'Knows soil', from: null } },
    { data: { to: 9, note: 'Knows soil', from: 6 } },
  ])
  await user.click(within(dialog).getByRole('button', { name: 'Assign' }))
  await waitFor(() => expect(calls.filter(({ path }) => path === '/api/consultations/8/assign')).toHaveLength(2))
  expect(calls.filter(({ path }) => path === '/api/consultations/7/assign')).toHaveLength(1)
})
