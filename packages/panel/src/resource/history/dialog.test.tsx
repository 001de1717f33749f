import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { errorAnswer, fakeApi, lastCallTo } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { bodies, tagAnswers, tagFamily } from '../../testing/tags.ts'

beforeEach(() => localStorage.setItem('token', 'a'))

const editor = { id: 9, username: 'aygul', first_name: 'Aygul', last_name: 'Seytova', avatar: null }
const revision = (id: number, locale: string | null, changes: object, operation = 'update') => ({
  id,
  at: '2026-03-01T10:00:00.000Z',
  by: editor,
  operation,
  locale,
  job: null,
  changes,
})
const pagination = { page: 1, pageSize: 20, total: 2 }
const pastRevision = {
  data: [
    revision(12, 'en', { name: { before: 'Wool', after: 'Cotton' } }),
    revision(11, null, { slug: { before: null, after: 'paxta' } }),
  ],
  meta: { pagination },
}

async function openHistory(answers: Parameters<typeof fakeApi>[0]) {
  const calls = fakeApi({ ...tagAnswers, ...answers })
  renderApp('/app/settings/tags/5')
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'History' }))
  return { calls, user, dialog: await screen.findByRole('dialog', { name: 'History' }) }
}

it('shows in the history who changed which value to which, for each language separately', async () => {
  const { calls, user, dialog } = await openHistory({
    'GET /api/tags/5/history': pastRevision,
    'GET /api/tags/6/history': { data: [], meta: { pagination: { ...pagination, total: 0 } } },
  })
  expect(await within(dialog).findAllByText('Aygul Seytova')).toHaveLength(2)
  expect(within(dialog).getByText('Wool')).toBeTruthy()
  expect(within(dialog).getByText('Cotton')).toBeTruthy()
  await user.click(within(dialog).getByRole('combobox', { name: 'Language of the texts' }))
  await user.click(await screen.findByRole('option', { name: 'Oʻzbekcha' }))
  expect(await within(dialog).findByText('Nothing has been changed here yet')).toBeTruthy()
  expect(lastCallTo(calls, '/api/tags/6/history')).toBeTruthy()
})

it('shows the history of a single field on request', async () => {
  const { calls, user, dialog } = await openHistory({ 'GET /api/tags/5/history': pastRevision })
  await user.click(within(dialog).getByRole('combobox', { name: 'Field' }))
  await user.click(await screen.findByRole('option', { name: 'Code' }))
  await waitFor(() => expect(lastCallTo(calls, '/api/tags/5/history')?.query).toContain('field=slug'))
})

it('reverts a field after a question, sends the version on screen, and offers an undo', async () => {
  const { calls, user, dialog } = await openHistory({
    'GET /api/tags/5/history': pastRevision,
    'POST /api/tags/5/revert': {
      data: { ...tagFamily, attributes: { ...tagFamily.attributes, version: 4 } },
      meta: { dropped: [] },
    },
  })
  const [firstButton] = await within(dialog).findAllByRole('button', { name: 'Restore the previous value' })
  await user.click(firstButton as HTMLElement)
  const question = await screen.findByRole('dialog', { name: /previous value of “Name”/ })
  expect(bodies(calls)).toEqual([])
  await user.click(within(question).getByRole('button', { name: 'Restore' }))
  await screen.findByText('Restored: Name')
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(bodies(calls)).toHaveLength(2))
  expect(bodies(calls)).toEqual([
    ['POST', '/api/tags/5/revert', { data: { revision: 12, to: 'before', fields: ['name'], version: 3 } }],
    ['POST', '/api/tags/5/revert', { data: { revision: 12, to: 'after', fields: ['name'], version: 4 } }],
  ])
})

it('restores an old version of the whole record, and shows a refusal in the dialog', async () => {
  const { calls, user, dialog } = await openHistory({
    'GET /api/tags/5/history': pastRevision,
    'POST /api/tags/5/revert': () => errorAnswer(409, 'ConflictError', 'stale', 'record.stale'),
  })
  const recordButtons = await within(dialog).findAllByRole('button', { name: 'Restore the record as it was then' })
  expect(recordButtons).toHaveLength(1)
  await user.click(recordButtons[0] as HTMLElement)
  const question = await screen.findByRole('dialog', { name: /Restore the record as it was on/ })
  await user.click(within(question).getByRole('button', { name: 'Restore' }))
  expect(await within(question).findByRole('alert')).toBeTruthy()
  expect(bodies(calls)).toEqual([['POST', '/api/tags/5/revert', { data: { revision: 11, to: 'after', version: 3 } }]])
})

it('shows a message when the history could not be loaded', async () => {
  const { dialog } = await openHistory({
    'GET /api/tags/5/history': () => errorAnswer(500, 'InternalServerError', 'no', 'server.internal'),
  })
  expect(await within(dialog).findByText('The history could not be loaded')).toBeTruthy()
})
