import { resources } from '@dala/model'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FakeCall, fakeApi, owner } from '../../../testing/fake-api.ts'
import { renderApp } from '../../../testing/render-app.tsx'
import { actionOf, firstScriptChoice } from './actions.ts'

const tag = (id: number, name: string) => ({
  id,
  attributes: { name, slug: `tag-${id}`, color: null, version: 1, locale: 'en', outdated: false },
})
const page = (...data: object[]) => ({
  data,
  meta: { pagination: { page: 1, pageSize: 15, pageCount: 1, total: data.length } },
})
const action = { kind: 'script', locale: 'kaa', script: 'cyrillic', fields: ['name'] }
const job = (dryRun: boolean, count = 2) => ({
  data: {
    id: 9,
    resource: 'tags',
    action,
    mode: 'each',
    dryRun,
    state: 'finished',
    count,
    done: count,
    changed: 1,
    unchanged: count - 1,
    refused: 0,
    changedFields: 1,
    canUndo: !dryRun,
    createdAt: '2026-11-26T08:00:00.000Z',
    startedAt: '2026-11-26T08:00:00.000Z',
    finishedAt: '2026-11-26T08:00:01.000Z',
  },
  meta: {},
})
const bulkBodiesOf = (calls: readonly FakeCall[]) =>
  calls.filter(({ method, path }) => method === 'POST' && path === '/api/bulk').map(({ body }) => body)

beforeEach(() => localStorage.setItem('token', 'a'))

describe('the script of selected records', () => {
  it('is chosen with its language, previewed with examples, and converted by a job that can be undone', async () => {
    const calls = fakeApi({
      'GET /api/users/me': owner,
      'GET /api/tags': page(tag(1, 'Cotton'), tag(2, 'Rice')),
      'POST /api/bulk': ({ body }) => Response.json(job(JSON.stringify(body).includes('dryRun'))),
      'GET /api/bulk/9/rows': page({
        id: 1,
        name: 'Gúzgi egin',
        outcome: 'changed',
        changes: { name: { before: 'Gúzgi egin', after: 'Гүзги егин' } },
      }),
    })
    renderApp('/app/settings/tags')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('checkbox', { name: 'Select all rows of this page' }))
    await user.click(await screen.findByRole('button', { name: 'Change…' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Convert script…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Convert the script of 2 records' })
    await user.click(within(dialog).getByRole('button', { name: 'Qaraqalpaqsha' }))
    await user.click(within(dialog).getByRole('button', { name: 'Show what will change' }))
    expect(await within(dialog).findByText('1 record will change.')).toBeTruthy()
    expect(within(dialog).getByText('1 text is converted.')).toBeTruthy()
    const example = await within(dialog).findByRole('region', { name: 'Gúzgi egin · Name' })
    expect(within(example).getByText('Гүзги').tagName).toBe('MARK')
    await user.click(within(dialog).getByRole('button', { name: 'Change 1 record' }))
    expect(await screen.findByText('1 record changed')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
    const selection = { ids: [1, 2] }
    expect(bulkBodiesOf(calls)).toEqual([
      { data: { resource: 'tags', action, selection, dryRun: true } },
      { data: { resource: 'tags', action, selection, mode: 'each' } },
    ])
  })

  it.each([
    { count: 20, isOffered: true },
    { count: 21, isOffered: false },
  ])('offers all or nothing up to twenty records: $count', async ({ count, isOffered }) => {
    fakeApi({
      'GET /api/users/me': owner,
      'GET /api/tags': page(tag(1, 'Cotton'), tag(2, 'Rice')),
      'POST /api/bulk': () => Response.json(job(true, count)),
      'GET /api/bulk/9/rows': page(),
    })
    renderApp('/app/settings/tags')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('checkbox', { name: 'Select all rows of this page' }))
    await user.click(await screen.findByRole('button', { name: 'Change…' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Convert script…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Convert the script of 2 records' })
    await user.click(within(dialog).getByRole('button', { name: 'Show what will change' }))
    expect(await within(dialog).findByText('1 record will change.')).toBeTruthy()
    expect(within(dialog).queryByRole('checkbox', { name: /^All or nothing/ }) !== null).toBe(isOffered)
    expect(within(dialog).queryByText(/^“All or nothing” is possible for at most 20 records/) === null).toBe(isOffered)
  })

  it('leaves names of records as they are until the user chooses them, and needs a text', () => {
    const { title, description, name } = { ...resources.news.fields, ...resources.products.fields }
    expect(
      firstScriptChoice(
        [
          ['name', name],
          ['description', description],
        ],
        ['en', 'kaa'],
      ),
    ).toEqual({ locale: 'kaa', script: 'cyrillic', fields: ['description'] })
    expect(firstScriptChoice([['name', name]], ['en', 'ru'])).toMatchObject({ locale: 'uz', fields: ['name'] })
    expect(firstScriptChoice([['title', title]], ['uz'])).toMatchObject({ fields: ['title'] })
    expect(actionOf('script', { script: { locale: 'uz', script: 'latin', fields: [] } })).toBeUndefined()
  })
})
