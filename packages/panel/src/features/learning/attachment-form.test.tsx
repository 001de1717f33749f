import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

beforeEach(() => localStorage.setItem('token', 'a'))

it('shows the document of an attachment with its size, and removes it', async () => {
  const file = { id: 5, attributes: { name: 'plan.pdf', mime: 'application/pdf', size: 1_200, url: '/uploads/a.pdf' } }
  const attributes = { name: 'Plan', kind: 'document', version: 1, locale: 'en', active: true, order: 0 }
  const attachment = {
    id: 3,
    attributes: { ...attributes, file: { data: file }, localizations: { data: [] } },
  }
  const calls = fakeApi({
    'GET /api/users/me': owner,
    'GET /api/attachments/3': { data: attachment, meta: {} },
    'PUT /api/attachments/3': { data: attachment, meta: {} },
  })
  renderApp('/app/attachments/3')
  const user = userEvent.setup()
  expect(await screen.findByRole('link', { name: 'plan.pdf' })).toHaveProperty('pathname', '/uploads/a.pdf')
  expect(screen.getByText(/^1\.2/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Remove the document' }))
  expect(screen.queryByRole('link', { name: 'plan.pdf' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({ data: { file: null } }),
  )
})
