import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeApi, lastCallTo, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

const district = (id: number, name: string, type = 'city') => ({
  id,
  attributes: { name, code: '1735401', type, updatedAt: '2026-03-01T10:00:00.000Z', locale: 'en', outdated: false },
})
const page = (entries: unknown[]) => ({
  data: entries,
  meta: { pagination: { page: 1, pageSize: 15, pageCount: 1, total: entries.length } },
})
const view = (id: number, name: string, state: unknown, otherAttributes = {}) => ({
  id,
  attributes: {
    name,
    screen: 'settings/districts',
    state,
    owner: { data: { id: 1, attributes: {} } },
    ...otherAttributes,
  },
})
const answers = {
  'GET /api/users/me': owner,
  'GET /api/regions': page([]),
  'GET /api/roles': page([]),
  'GET /api/districts': page([district(10, 'Nukus')]),
  'GET /api/list-views': page([]),
}

beforeEach(() => localStorage.setItem('token', 'a'))

describe('a saved view of a list', () => {
  it('opens a saved view by its id, and reports its fields that no longer exist', async () => {
    const state = { search: { 'f.type': 'city', 'f.gone': '1' }, columns: ['code', 'lost'] }
    const calls = fakeApi({ ...answers, 'GET /api/list-views': page([view(5, 'Towns', state)]) })
    renderApp('/app/settings/districts?view=5')
    await screen.findByRole('link', { name: 'Nukus' })
    expect(await screen.findByRole('button', { name: 'Towns' })).toBeTruthy()
    expect((await screen.findByText(/Left out/)).textContent).toMatch(/gone.*lost/)
    const lists = calls.filter(({ path }) => path === '/api/districts')
    expect(lists[0]?.query).toContain('filters[type][$eq]=city')
    // The list requests exactly the columns that it shows.
    expect(lists[0]?.query).toContain('[1]=code')
    expect(lists[0]?.query).not.toContain('populate[region]')
    expect(screen.queryByRole('columnheader', { name: 'Region' })).toBeNull()
    await userEvent.setup().click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByText(/Left out/)).toBeNull()
  })

  it('opens a saved view by default for its owner at a bare address', async () => {
    const ownView = view(5, 'Towns', { search: { 'f.type': 'city' } }, { standard: true })
    fakeApi({ ...answers, 'GET /api/list-views': page([ownView]) })
    const { router } = renderApp('/app/settings/districts')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Towns' }))
    await user.click(await screen.findByRole('menuitemradio', { name: 'No view' }))
    await waitFor(() => expect(router.state.location.href).toBe('/app/settings/districts?view=none'))
    const button = await screen.findByRole('button', { name: 'Views' })
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    expect(document.activeElement).toBe(button)
  })

  it('marks a saved view as changed, and saves the current state of the list in it', async () => {
    const calls = fakeApi({
      ...answers,
      'GET /api/list-views': page([view(5, 'Towns', { search: { 'f.type': 'city' } })]),
      'PUT /api/list-views/5': { data: view(5, 'Towns', {}), meta: {} },
    })
    renderApp('/app/settings/districts?view=5&sort=code')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: /^Towns ?changed$/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Save changes' }))
    await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true))
    expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      data: { state: { search: { sort: 'code' } } },
    })
  })
})

describe('the columns of a list', () => {
  it('chooses and orders the columns of a list, stores them in the browser and requests them', async () => {
    const calls = fakeApi(answers)
    renderApp('/app/settings/districts')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Columns and view' }))
    const list = await screen.findByRole('list', { name: 'Columns' })
    expect(within(list).getByRole('checkbox', { name: 'Name' }).getAttribute('aria-disabled')).toBe('true')
    await user.click(within(list).getByRole('checkbox', { name: 'Region' }))
    await user.click(within(list).getByRole('button', { name: /Move “Code” earlier/ }))
    const heads = screen.getAllByRole('columnheader', { hidden: true }).map((head) => head.getAttribute('aria-label'))
    // The checkbox of the page precedes the names of the rows.
    expect(heads.slice(1, 4)).toEqual(['Name', 'Code', 'Translations'])
    await waitFor(() => expect(lastCallTo(calls, '/api/districts')?.query).not.toContain('populate[region]'))
    expect(localStorage.getItem('list/settings/districts')).toContain('"code","localizations"')
  })
})

describe('grouped rows', () => {
  it('shows headings of grouped rows with their counts, which collapse the rows', async () => {
    const calls = fakeApi({
      ...answers,
      'GET /api/districts': page([district(10, 'Nukus'), district(11, 'Beruniy', 'district')]),
      'GET /api/districts/groups': { data: [{ value: 'city', label: null, count: 7 }], meta: { total: 8 } },
    })
    renderApp('/app/settings/districts?group=type')
    const foldButton = await screen.findByRole('button', { name: 'Type: City' })
    expect(await screen.findByText('7')).toBeTruthy()
    expect(calls.find(({ path }) => path === '/api/districts')?.query).toContain('sort=type:asc,name:asc')
    await userEvent.setup().click(foldButton)
    expect(screen.queryByRole('link', { name: 'Nukus' })).toBeNull()
    expect(screen.getByRole('link', { name: 'Beruniy' })).toBeTruthy()
    expect(foldButton.getAttribute('aria-expanded')).toBe('false')
  })
})

describe('the export of a list', () => {
  it('requests exactly the shown rows for an export, and shows a refusal in place', async () => {
    const calls = fakeApi({
      ...answers,
      'POST /api/export': () =>
        Response.json(
          {
            data: null,
            error: {
              status: 422,
              name: 'x',
              message: 'x',
              code: 'export.too-many',
              details: { count: 60_000, max: 50_000 },
            },
          },
          { status: 422 },
        ),
    })
    renderApp('/app/settings/districts?f.type=city&sort=code:desc&q=nu')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Export' }))
    await user.click(await screen.findByRole('button', { name: 'Excel (xlsx)' }))
    expect((await screen.findByRole('alert')).textContent).toMatch(/50.?000/)
    expect(calls.find(({ path }) => path === '/api/export')?.body).toMatchObject({
      data: {
        resource: 'districts',
        format: 'xlsx',
        columns: ['name', 'localizations', 'region', 'code', 'type', 'updatedAt'],
        query: { filters: { type: { $eq: 'city' } }, _q: 'nu', sort: 'code:desc', locale: 'en', fallback: true },
        language: 'en',
        timeZone: 'Asia/Tashkent',
      },
    })
  })
})
