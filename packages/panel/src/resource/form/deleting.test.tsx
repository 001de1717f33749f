import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { errorAnswer, fakeApi } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { tagAnswers, tagFamily } from '../../testing/tags.ts'

beforeEach(() => localStorage.setItem('token', 'a'))

const answers = { ...tagAnswers, 'DELETE /api/tags/5': { data: tagFamily, meta: {} } }

async function openDeleteDialog() {
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog', { name: 'Do you want to delete this?' })
  return { user, dialog, confirm: within(dialog).getByRole('button', { name: 'Delete' }) }
}

describe('deleting a record', () => {
  it('returns to the list after deleting a record, without requesting the record again', async () => {
    const calls = fakeApi(answers)
    const { router } = renderApp('/app/settings/tags/5')
    const { user, confirm } = await openDeleteDialog()
    await user.click(confirm)
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/settings/tags'))
    await waitFor(() => expect(calls.at(-1)?.path).not.toMatch(/tags\/5$/))
    const removalIndex = calls.findIndex(({ method }) => method === 'DELETE')
    expect(calls.slice(removalIndex + 1).map(({ path }) => path)).not.toContain('/api/tags/5')
  })

  it('blocks the deletion while other records need the record, and lists them with links', async () => {
    const uses = [
      { resource: 'news', field: 'tags', count: 2, rule: 'restrict', records: [{ id: 7, name: 'Rice news' }] },
      { resource: 'regions', field: null, count: 1, rule: 'cascade', records: [] },
    ]
    fakeApi({ ...answers, 'GET /api/tags/5/uses': { data: uses } })
    renderApp('/app/settings/tags/5')
    const { dialog, confirm } = await openDeleteDialog()
    expect(await within(dialog).findByText(/cannot be deleted while these need it/)).toBeTruthy()
    expect(within(dialog).getByRole('link', { name: 'Rice news' }).getAttribute('href')).toBe('/app/news/7')
    expect(within(dialog).getByText(/1 record of “Regions” will be deleted too/)).toBeTruthy()
    expect(confirm.getAttribute('aria-disabled')).toBe('true')
  })

  it('offers an undo that restores the deleted record', async () => {
    const calls = fakeApi({ ...answers, 'POST /api/tags/5/restore': { data: tagFamily, meta: {} } })
    renderApp('/app/settings/tags/5')
    const { user, dialog, confirm } = await openDeleteDialog()
    expect(within(dialog).getByText(/restored from the trash for 30 days/)).toBeTruthy()
    await user.click(confirm)
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Tag restored')).toBeTruthy()
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toContain('POST /api/tags/5/restore')
  })

  it('links from the message about a deletion to the trash', async () => {
    fakeApi(answers)
    const { router } = renderApp('/app/settings/tags/5')
    const { user, confirm } = await openDeleteDialog()
    await user.click(confirm)
    await user.click(await screen.findByRole('button', { name: 'Trash' }))
    await waitFor(() => expect(router.state.location.href).toBe('/app/trash?kind=tags'))
  })

  it('explains why the deleted record cannot be restored', async () => {
    fakeApi({
      ...answers,
      'POST /api/tags/5/restore': () => errorAnswer(409, 'ConflictError', 'taken', 'restore.taken'),
    })
    renderApp('/app/settings/tags/5')
    const { user, confirm } = await openDeleteDialog()
    await user.click(confirm)
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('It could not be restored')).toBeTruthy()
  })
})
