import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { fakeApi } from '../testing/fake-api.ts'
import { renderApp } from '../testing/render-app.tsx'
import { tagAnswers, tagFamily } from '../testing/tags.ts'

it('leads from a deleted record to its list, and does not ask for the record again', async () => {
  localStorage.setItem('token', 'a')
  const calls = fakeApi({ ...tagAnswers, 'DELETE /api/tags/5': { data: tagFamily, meta: {} } })
  const { router } = renderApp('/app/settings/tags/5')
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog', { name: 'Do you want to delete this?' })
  await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/settings/tags'))
  await waitFor(() => expect(calls.at(-1)?.path).not.toMatch(/tags\/5$/))
  const removal = calls.findIndex(({ method }) => method === 'DELETE')
  expect(calls.slice(removal + 1).map(({ path }) => path)).not.toContain('/api/tags/5')
})
