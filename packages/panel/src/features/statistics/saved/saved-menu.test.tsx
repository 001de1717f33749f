import type { SavedReport } from '@dala/model'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { emptyReport } from '../../../testing/empty-report.ts'
import { errorAnswer, fakeApi, owner } from '../../../testing/fake-api.ts'
import { renderApp } from '../../../testing/render-app.tsx'

const report = emptyReport(8, 'people', 'People')
const makeSavedReport = (id: number, title: string, overrides: Partial<SavedReport> = {}): SavedReport => ({
  id,
  title,
  key: 'people',
  query: { period: 'days90', compare: 'none', filters: { region: 5 } },
  shared_with: null,
  order: id - 999,
  version: 3,
  by: { id: 1, name: 'Owner' },
  own: true,
  created_at: '2026-10-01T07:05:00.000Z',
  updated_at: '2026-10-01T07:05:00.000Z',
  ...overrides,
})
const quarter = makeSavedReport(1000, 'Quarter')
const yearlyReport = makeSavedReport(1001, 'Yearly', { query: { period: 'year' } })
const sharedReport = makeSavedReport(1002, 'Shared', {
  own: false,
  by: { id: 7, name: 'Aysulu' },
  shared_with: 'admin',
})
const lists = {
  'GET /api/users/me': owner,
  'GET /api/regions': { data: [{ id: 5, attributes: { name: 'Khorezm', locale: 'en' } }], meta: {} },
  'GET /api/statistics': {
    data: [report.data].map(({ id, attributes }) => ({ id, attributes })),
    meta: { pagination: { page: 1, pageSize: 50, pageCount: 1, total: 1 } },
  },
  'GET /api/statistics/people': report,
  'GET /api/statistics/saved': { data: [quarter, yearlyReport, sharedReport], meta: {} },
}
const address = { period: 'days90', compare: 'none', 'f.region': '5', saved: '1000' }
const spelledAddress = `/app/statistics/people?${new URLSearchParams(address).toString()}`

beforeEach(() => localStorage.setItem('token', 'x'))

const head = async () => within(await screen.findByRole('main'))

async function openMenu(path: string, name: RegExp) {
  const user = userEvent.setup()
  const { router } = renderApp(path)
  await user.click(await (await head()).findByRole('button', { name }))
  await screen.findByRole('menu')
  return { user, router, item: (label: string) => screen.findByRole('menuitem', { name: label }) }
}

describe('the saved reports', () => {
  it('links to the saved reports in the section menu with their settings, and marks the open report', async () => {
    fakeApi(lists)
    renderApp(spelledAddress)
    const menu = within(await screen.findByRole('navigation', { name: /Insight/ }))
    const link = await menu.findByRole('link', { name: 'Quarter' })
    await waitFor(() => expect(link.getAttribute('aria-current')).toBe('page'))
    expect(link.getAttribute('href')).toBe('/app/statistics/people?period=days90&compare=none&saved=1000&f.region=5')
    expect(menu.getByRole('link', { name: 'People' }).getAttribute('aria-current')).toBeNull()
    expect(menu.getByRole('link', { name: 'Yearly' }).getAttribute('aria-current')).toBeNull()
  })

  it('opens a saved report by its id, with its settings in the address', async () => {
    fakeApi(lists)
    const { router } = renderApp('/app/statistics/1000')
    await waitFor(() => expect(router.state.location.search).toEqual(address))
    expect(router.state.location.pathname).toBe('/app/statistics/people')
  })

  it('reports that a saved report no longer exists', async () => {
    fakeApi(lists)
    renderApp('/app/statistics/1999')
    expect(await screen.findByText('This saved report no longer exists, or is not shared with you.')).toBeTruthy()
  })

  it('opens saved reports from the menu of the bar, with the name of the maker of a shared report', async () => {
    fakeApi(lists)
    const { user, router } = await openMenu(spelledAddress, /Quarter/)
    await user.click(await screen.findByRole('menuitemradio', { name: /Shared\s*Aysulu/ }))
    await waitFor(() => expect(router.state.location.search).toMatchObject({ saved: '1002' }))
    await user.click((await head()).getByRole('button', { name: /Shared/ }))
    await screen.findByRole('menu')
    for (const label of ['Name and sharing', 'Delete the saved report', 'Move up'])
      expect(screen.queryByRole('menuitem', { name: label })).toBeNull()
    await user.click(await screen.findByRole('menuitemradio', { name: 'None of them' }))
    await waitFor(() => expect(router.state.location.search).toEqual({}))
  })

  it('saves a report under a name with the settings of the address, and shares it with roles up to the own role', async () => {
    const calls = fakeApi({ ...lists, 'POST /api/statistics/saved': { data: makeSavedReport(1003, 'Mine'), meta: {} } })
    const { user, item } = await openMenu('/app/statistics/people?period=year&f.region=5', /Saved reports/)
    await user.click(await item('Save this report'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Save this report' }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByText('Please enter a name')).toBeTruthy()
    await user.type(dialog.getByRole('textbox', { name: /Name of the report/ }), 'Mine')
    await user.click(dialog.getByRole('combobox', { name: 'Shared with' }))
    await user.click(await screen.findByRole('option', { name: 'Consultants and staff' }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      data: {
        title: 'Mine',
        key: 'people',
        shared_with: 'authenticated',
        query: { period: 'year', filters: { region: 5 } },
      },
    })
  })

  it('updates the settings of a saved report with the version that was read', async () => {
    const calls = fakeApi({ ...lists, 'PUT /api/statistics/saved/1000': { data: quarter, meta: {} } })
    const { user, item } = await openMenu(`${spelledAddress}&interval=month`, /Quarter\s*changed/)
    await user.click(await item('Save changes'))
    await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true))
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
      data: {
        query: { period: 'days90', compare: 'none', interval: 'month', filters: { region: 5 } },
        version: 3,
      },
    })
  })

  it('returns a changed report to its saved settings', async () => {
    fakeApi(lists)
    const { user, router, item } = await openMenu(`${spelledAddress}&interval=month`, /Quarter\s*changed/)
    await user.click(await item('Back to the saved report'))
    await waitFor(() => expect(router.state.location.search).toEqual(address))
  })

  it('reports that another person changed a saved report, and reads the report again', async () => {
    const calls = fakeApi({
      ...lists,
      'PUT /api/statistics/saved/1000': () => errorAnswer(409, 'ConflictError', 'stale', 'record.stale'),
    })
    const { user, item } = await openMenu(spelledAddress, /Quarter/)
    await user.click(await item('Name and sharing'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Name and sharing' }))
    const countReads = () =>
      calls.filter(({ path, method }) => method === 'GET' && path === '/api/statistics/saved').length
    const formerCount = countReads()
    await user.type(dialog.getByRole('textbox', { name: /Name of the report/ }), ' 2')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByText(/has changed this record/)).toBeTruthy()
    await waitFor(() => expect(countReads()).toBeGreaterThan(formerCount))
  })

  it('moves a saved report among the user’s own ones', async () => {
    const calls = fakeApi({
      ...lists,
      'PUT /api/statistics/saved/1000': { data: quarter, meta: {} },
      'PUT /api/statistics/saved/1001': { data: yearlyReport, meta: {} },
    })
    const { user, item } = await openMenu(spelledAddress, /Quarter/)
    expect(screen.queryByRole('menuitem', { name: 'Move up' })).toBeNull()
    await user.click(await item('Move down'))
    await waitFor(() => expect(calls.filter(({ method }) => method === 'PUT')).toHaveLength(2))
    expect(calls.filter(({ method }) => method === 'PUT').map(({ path, body }) => [path, body])).toEqual([
      ['/api/statistics/saved/1001', { data: { order: 1, version: 3 } }],
      ['/api/statistics/saved/1000', { data: { order: 2, version: 3 } }],
    ])
  })

  it('deletes a saved report, and restores it by an undo', async () => {
    const calls = fakeApi({
      ...lists,
      'DELETE /api/statistics/saved/1000': { data: quarter, meta: {} },
      'POST /api/statistics/saved': { data: quarter, meta: {} },
    })
    const { user, router, item } = await openMenu(spelledAddress, /Quarter/)
    await user.click(await item('Delete the saved report'))
    await waitFor(() => expect(router.state.location.search).toEqual({}))
    await user.click(await screen.findByRole('button', { name: /Undo/ }))
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({
        data: { title: 'Quarter', key: 'people', order: 1, query: { period: 'days90' } },
      }),
    )
  })
})
