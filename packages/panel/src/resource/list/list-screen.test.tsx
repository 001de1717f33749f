import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { forgetSession } from '../../api/session.ts'
import { errorAnswer, fakeApi, lastCallTo, owner } from '../../testing/fake-api.ts'
import { noCounts } from '../../testing/queue-counts.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { setWindowWidth } from '../../testing/window-width.ts'

const district = (id: number, name: string) => ({
  id,
  attributes: {
    name,
    code: '1735401',
    type: 'city',
    updatedAt: '2026-03-01T10:00:00.000Z',
    locale: 'en',
    outdated: false,
    region: { data: { id: 4, attributes: { name: 'Karakalpakstan' } } },
    localizations: { data: [{ id: id + 1, attributes: { locale: 'kaa', outdated: false } }] },
  },
})

const page = (entries: unknown[], total: number) => ({
  data: entries,
  meta: { pagination: { page: 1, pageSize: 15, pageCount: Math.ceil(total / 15), total } },
})

const answers = {
  'GET /api/users/me': owner,
  'GET /api/regions': page([{ id: 4, attributes: { name: 'Karakalpakstan' } }], 1),
}

beforeEach(() => localStorage.setItem('token', 'a'))

describe('a list', () => {
  it('shows the declared columns of a list and links to the record', async () => {
    fakeApi({ ...answers, 'GET /api/districts': page([district(10, 'Nukus')], 1) })
    renderApp('/app/settings/districts')
    const link = await screen.findByRole('link', { name: 'Nukus' })
    expect(link.getAttribute('href')).toBe('/app/settings/districts/10')
    const row = screen.getByRole('row', { name: /Nukus/ })
    expect(within(row).getByText('Karakalpakstan')).toBeTruthy()
    expect(within(row).getByText('City')).toBeTruthy()
    expect(within(row).getByText('Translated into: English and Qaraqalpaqsha')).toBeTruthy()
    expect(screen.queryByRole('navigation', { name: 'Pagination' })).toBeNull()
  })

  it('sorts a list by a column head in both directions, and marks the column', async () => {
    const calls = fakeApi({ ...answers, 'GET /api/districts': page([district(10, 'Nukus')], 1) })
    const { router } = renderApp('/app/settings/districts?page=2')
    const user = userEvent.setup()
    await screen.findByRole('link', { name: 'Nukus' })
    await user.click(screen.getByRole('button', { name: 'Code' }))
    expect(router.state.location.href).toBe('/app/settings/districts?sort=code')
    await user.click(screen.getByRole('button', { name: 'Code' }))
    expect(router.state.location.href).toContain('sort=code%3Adesc')
    expect((await screen.findByRole('columnheader', { name: 'Code' })).getAttribute('aria-sort')).toBe('descending')
    expect(lastCallTo(calls, '/api/districts')?.query).toContain('sort=code:desc')
  })

  it('shows a pager for several pages of a list, and stores the page in the address', async () => {
    fakeApi({ ...answers, 'GET /api/districts': page([district(10, 'Nukus')], 31) })
    const { router } = renderApp('/app/settings/districts')
    const pager = await screen.findByRole('navigation', { name: 'Pagination' })
    await userEvent.setup().click(within(pager).getByRole('button', { name: 'Go to page 3' }))
    expect(router.state.location.href).toBe('/app/settings/districts?page=3')
  })

  it('distinguishes an empty list from an empty result, and clears the conditions of the result', async () => {
    fakeApi({ ...answers, 'GET /api/districts': page([], 0) })
    const { router } = renderApp('/app/settings/districts?q=zzz&f.type=city')
    expect(await screen.findByText('Nothing found. Change the search or filters.')).toBeTruthy()
    await userEvent.setup().click(screen.getByRole('button', { name: 'Clear filters' }))
    expect(router.state.location.href).toBe('/app/settings/districts')
    expect(await screen.findByText('No data')).toBeTruthy()
    // The sentence about the list is below its title and in the place of its rows.
    expect(screen.getAllByText('Districts and cities by region. Branches and prices refer to them.')).toHaveLength(2)
    expect(screen.getAllByRole('link', { name: 'Add new' }).length).toBeGreaterThan(0)
  })

  it('counts active and other records within the search', async () => {
    const calls = fakeApi({
      ...answers,
      'GET /api/faqs': page([], 6),
      'GET /api/faqs/groups': {
        data: [
          { value: true, label: null, count: 5 },
          { value: false, label: null, count: 1 },
        ],
        meta: { total: 6 },
      },
    })
    renderApp('/app/settings/faqs?q=water')
    expect(await screen.findByRole('button', { name: /^All\s*6$/ })).toBeTruthy()
    expect(screen.getByRole('button', { name: /^Active\s*5$/ })).toBeTruthy()
    expect(lastCallTo(calls, '/api/faqs/groups')?.query).toContain('_q=water')
  })

  it('keeps the frame of the list when the call fails, and retries', async () => {
    let isFailing = true
    fakeApi({
      ...answers,
      'GET /api/districts': () =>
        isFailing
          ? errorAnswer(500, 'InternalServerError', 'internal server error', 'server.internal')
          : Response.json(page([district(10, 'Nukus')], 1)),
    })
    renderApp('/app/settings/districts')
    expect(await screen.findByText('The list could not be loaded')).toBeTruthy()
    isFailing = false
    await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('link', { name: 'Nukus' })).toBeTruthy()
  })

  it('reloads the list when the connection is back', async () => {
    let isReachable = false
    fakeApi({
      ...answers,
      'GET /api/districts': () =>
        isReachable ? Response.json(page([district(10, 'Nukus')], 1)) : Promise.reject(new TypeError('network')),
    })
    const { queryClient } = renderApp('/app/settings/districts')
    queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retry: false } })
    expect(await screen.findByText('The list could not be loaded')).toBeTruthy()
    isReachable = true
    act(() => {
      window.dispatchEvent(new Event('offline'))
      window.dispatchEvent(new Event('online'))
    })
    expect(await screen.findByRole('link', { name: 'Nukus' })).toBeTruthy()
  })

  it('shows an icon for a record without a picture, beside a record that has one', async () => {
    const item = (id: number, name: string, image: object | null) => ({
      id,
      attributes: { name, locale: 'en', image: { data: image } },
    })
    const image = { id: 9, attributes: { url: '/uploads/a.jpg', mime: 'image/jpeg' } }
    fakeApi({
      ...answers,
      'GET /api/productcategories': page([item(1, 'Grain', image), item(2, 'Melons', null)], 2),
    })
    renderApp('/app/settings/product-category')
    const cellOf = async (name: string) => (await screen.findByRole('link', { name })).closest('td')
    expect((await cellOf('Grain'))?.querySelector('img')).not.toBeNull()
    expect((await cellOf('Melons'))?.querySelector('svg.lucide-wheat')).not.toBeNull()
  })

  it('links to each language of a row, or adds a missing language', async () => {
    fakeApi({ ...answers, 'GET /api/districts': page([district(10, 'Nukus')], 1) })
    renderApp('/app/settings/districts')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Actions for Nukus' }))
    const item = async (name: string) => (await screen.findByRole('menuitem', { name })).getAttribute('href')
    expect(await item('Edit translation: Qaraqalpaqsha')).toBe('/app/settings/districts/10?lang=kaa')
    expect(await item('Add translation: Русский')).toBe('/app/settings/districts/10?lang=ru')
    expect(screen.queryByRole('menuitem', { name: 'Edit translation: English' })).toBeNull()
  })

  it('asks before deleting a record, names its languages, and deletes all of them', async () => {
    const calls = fakeApi({
      ...answers,
      'GET /api/districts': page([district(10, 'Nukus')], 1),
      'DELETE /api/districts/10': { data: district(10, 'Nukus'), meta: {} },
    })
    renderApp('/app/settings/districts')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Actions for Nukus' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    const dialog = await screen.findByRole('dialog', { name: 'Do you want to delete this?' })
    expect(dialog.textContent).toContain('English and Qaraqalpaqsha')
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'))
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('District deleted successfully')).toBeTruthy()
    expect(calls.find(({ method }) => method === 'DELETE')).toMatchObject({
      path: '/api/districts/10',
      query: '?locale=all',
    })
  })

  it('shows the values of the declared state as segments, and stores the active segment in the address', async () => {
    const calls = fakeApi({
      ...answers,
      'GET /api/tradinposts': { data: [], meta: { ...page([], 0).meta, counts: noCounts } },
      'GET /api/tradinposts/groups': {
        data: [
          { value: 'processed', label: null, count: 7 },
          { value: 'sold', label: null, count: 3 },
        ],
        meta: { total: 12 },
      },
    })
    const { router } = renderApp('/app/trading-post?f.price=5..10&f.status=sold')
    const group = await screen.findByRole('group', { name: 'Status' })
    const processedButton = await within(group).findByRole('button', { name: /^PROCESSED\s*7$/ })
    // Records without a value are in no segment; a value without records has the count 0.
    expect(within(group).getByRole('button', { name: /^All\s*12$/ })).toBeTruthy()
    expect(within(group).getByRole('button', { name: /^ON HOLD\s*0$/ })).toBeTruthy()
    const queries = calls.filter(({ path }) => path === '/api/tradinposts/groups').map(({ query }) => query)
    expect(queries).toEqual([expect.stringMatching(/by=status.*filters\[price\]\[\$gte\]=5/)])
    expect(queries[0]).not.toContain('sold')
    await userEvent.setup().click(processedButton)
    expect(router.state.location.href).toContain('f.status=processed')
  })

  it('shows the conditions of a list as chips, and moves the focus when a chip is removed', async () => {
    fakeApi({ ...answers, 'GET /api/districts': page([district(10, 'Nukus')], 1) })
    const { router } = renderApp(
      '/app/settings/districts?f.region=4&f.type=city.district&f.lat=nonsense&f.missing_locale=kaa',
    )
    const chips = await screen.findByRole('list', { name: 'Active filters' })
    expect(await within(chips).findByText('Region: Karakalpakstan')).toBeTruthy()
    expect(within(chips).getByText('No translation in: Qaraqalpaqsha')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Filters, 3 active' })).toBeTruthy()
    const user = userEvent.setup()
    await user.click(within(chips).getByRole('button', { name: 'Remove Region: Karakalpakstan' }))
    expect(router.state.location.search).toEqual({ 'f.type': 'city.district', 'f.missing_locale': 'kaa' })
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Remove Type: City, District')
    await user.click(within(chips).getByRole('button', { name: 'Remove all filters' }))
    expect(router.state.location.search).toEqual({})
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Filters' }))
  })

  it('takes a condition on any field from the "Filters" panel', async () => {
    const calls = fakeApi({ ...answers, 'GET /api/districts': page([district(10, 'Nukus')], 1) })
    const { router } = renderApp('/app/settings/districts')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Filters' }))
    const panel = await screen.findByRole('dialog', { name: 'Filters' })
    await user.click(await within(panel).findByRole('combobox', { name: 'Field' }))
    await user.click(await screen.findByRole('option', { name: 'Latitude' }))
    await user.click(await within(panel).findByRole('button', { name: 'Apply' }))
    expect(await within(panel).findByText('Enter at least one value')).toBeTruthy()
    await user.type(within(panel).getByRole('textbox', { name: 'From' }), '42,5')
    await user.click(within(panel).getByRole('button', { name: 'Apply' }))
    await waitFor(() => expect(router.state.location.search).toEqual({ 'f.lat': '42.5..' }))
    await waitFor(() => expect(lastCallTo(calls, '/api/districts')?.query).toContain('filters[lat][$gte]=42.5'))
  })

  it('shows a list in picture mode, until the session ends', async () => {
    fakeApi({
      ...answers,
      'GET /api/news': page(
        [
          {
            id: 3,
            attributes: {
              title: 'Cotton week',
              locale: 'en',
              image: {
                data: {
                  id: 9,
                  attributes: { url: '/uploads/a.png', formats: { small: { url: '/uploads/s.png', width: 500 } } },
                },
              },
            },
          },
        ],
        1,
      ),
    })
    renderApp('/app/news')
    const user = userEvent.setup()
    await screen.findByRole('table')
    await user.click(screen.getByRole('button', { name: 'Images' }))
    const card = (await screen.findByRole('link', { name: 'Cotton week' })).closest('li')
    expect(screen.queryByRole('table')).toBeNull()
    expect(card?.querySelector('img')?.getAttribute('src')).toBe('/uploads/s.png')
    expect(within(card ?? document.body).getByRole('button', { name: 'Actions for Cotton week' })).toBeTruthy()
    // The picture mode of a list has no column heads to sort by.
    await user.click(await screen.findByRole('button', { name: 'Sort by' }))
    expect(await screen.findByRole('combobox', { name: 'Sort by' })).toBeTruthy()
    await user.keyboard('{Escape}')
    expect(localStorage.getItem('display-mode')).toBe('image')
    forgetSession()
    expect(localStorage.getItem('display-mode')).toBeNull()
    expect(await screen.findByRole('table')).toBeTruthy()
  })

  it('marks outdated translations in a list, not by colour alone', async () => {
    const outdatedDistrict = district(10, 'Nukus')
    outdatedDistrict.attributes.localizations.data[0] = { id: 11, attributes: { locale: 'kaa', outdated: true } }
    fakeApi({ ...answers, 'GET /api/districts': page([outdatedDistrict], 1) })
    renderApp('/app/settings/districts')
    expect(await screen.findByText('Outdated: Qaraqalpaqsha')).toBeTruthy()
  })

  it('shows a list as cards on a phone', async () => {
    setWindowWidth(390)
    fakeApi({ ...answers, 'GET /api/districts': page([district(10, 'Nukus')], 1) })
    renderApp('/app/settings/districts')
    const item = (await screen.findByRole('link', { name: 'Nukus' })).closest('li')
    expect(screen.queryByRole('table')).toBeNull()
    expect(item?.textContent).toContain('Karakalpakstan')
  })

  it('shows one button for all controls of a list on a phone, which counts the filters', async () => {
    setWindowWidth(390)
    fakeApi({ ...answers, 'GET /api/districts': page([district(10, 'Nukus')], 1) })
    const { router } = renderApp('/app/settings/districts?f.type=city')
    const user = userEvent.setup()
    await screen.findByRole('link', { name: 'Nukus' })
    const main = within(screen.getByRole('main'))
    expect(main.queryByRole('combobox', { name: 'Region' })).toBeNull()
    await user.click(main.getByRole('button', { name: 'Filters and sorting, 1 active' }))
    const sheet = within(await screen.findByRole('dialog', { name: 'Filters and sorting' }))
    for (const name of ['Sort by', 'Region', 'Type', 'Content language'])
      expect(await sheet.findByRole('combobox', { name })).toBeTruthy()
    await user.click(sheet.getByRole('button', { name: 'Sort descending' }))
    await waitFor(() => expect(router.state.location.search).toMatchObject({ sort: 'name:desc' }))

    await user.click(sheet.getByRole('button', { name: 'Columns and view' }))
    expect(sheet.getByRole('list', { name: 'Columns' })).toBeTruthy()
    const backButton = sheet.getByRole('button', { name: 'Back' })
    expect(document.activeElement).toBe(backButton)
    await user.click(backButton)
    expect(document.activeElement).toBe(sheet.getByRole('button', { name: 'Columns and view' }))
    expect(sheet.getByRole('button', { name: 'Export' })).toBeTruthy()
    await user.click(sheet.getByRole('button', { name: 'Any field…' }))
    expect(await sheet.findByRole('combobox', { name: 'Field' })).toBeTruthy()
  })
})
