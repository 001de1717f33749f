import type { Locale } from '@dala/model'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { activateLanguage, loadFeatureMessages } from '../../../lib/i18n.ts'
import { reloadPreferences } from '../../../lib/preferences.ts'
import { fakeApi, owner } from '../../../testing/fake-api.ts'
import { noConsultations } from '../../../testing/no-consultations.ts'
import { renderApp } from '../../../testing/render-app.tsx'
import type { ListSlots } from '../../../resource/screen-parts.ts'
import { ownScreens } from '../../own-screens.ts'

beforeEach(() => localStorage.setItem('token', 'a'))

const total = (count: number, isEstimated?: true) => ({
  data: [],
  meta: {
    pagination: { page: 1, pageSize: 1, pageCount: 1, total: count, ...(isEstimated && { estimated: isEstimated }) },
  },
})
const countAnswer = (count: number) => ({ data: [], meta: { ...noConsultations.meta, ...total(count).meta } })

describe('the pages of a section', () => {
  it('shows beside each page of a section its number of records, once the open page is loaded', async () => {
    const calls = fakeApi({
      'GET /api/users/me': owner,
      'GET /api/news': total(12),
      'GET /api/partners': total(8),
      'GET /api/pages': total(140_000, true),
    })
    renderApp('/app/news')
    const menu = await screen.findByRole('navigation', { name: /Content/ })
    expect(await within(menu).findByRole('link', { name: /^Partners\s*8$/ })).toBeTruthy()
    expect(await within(menu).findByRole('link', { name: /≈ 140,000$/ })).toBeTruthy()
    // An item whose count has failed shows no number; the count of a single record is never requested.
    expect(within(menu).getByRole('link', { name: 'Branches' })).toBeTruthy()
    expect(calls.some(({ path }) => path === '/api/about')).toBe(false)
    const partnersIndex = calls.findIndex(({ path }) => path === '/api/partners')
    expect(
      calls
        .slice(0, partnersIndex)
        .some(({ path, query }) => path === '/api/news' && query.includes('pagination[pageSize]=15')),
    ).toBe(true)
  })

  it('does not count records before the code of the open page is loaded', async () => {
    const { companies = {} } = ownScreens
    const code = Promise.withResolvers<ListSlots>()
    const listSpy = vi.spyOn(companies, 'list').mockReturnValue(code.promise)
    onTestFinished(() => listSpy.mockRestore())
    vi.useFakeTimers({ shouldAdvanceTime: true })
    onTestFinished(async () => {
      // Background loading is shared with later tests, so none is left pending: the page starts no more of
      // it.
      cleanup()
      await vi.advanceTimersByTimeAsync(20_000)
      vi.useRealTimers()
    })
    const calls = fakeApi({ 'GET /api/users/me': owner, 'GET /api/companies': total(3) })
    renderApp('/app/companies')
    const menu = await screen.findByRole('navigation', { name: /Market/ })
    await vi.advanceTimersByTimeAsync(20_000)
    expect(calls.filter(({ path }) => path === '/api/companies')).toEqual([])
    code.resolve({})
    expect(await within(menu).findByRole('link', { name: /^Companies\s*3$/ })).toBeTruthy()
  })

  it('shows headings in a section that has some, and does not count the records there', async () => {
    const calls = fakeApi({ 'GET /api/users/me': owner, 'GET /api/tags': total(3) })
    renderApp('/app/settings/tags')
    const menu = await screen.findByRole('navigation', { name: /Settings/ })
    expect(within(menu).getByRole('heading', { level: 3, name: 'Geography' })).toBeTruthy()
    expect(within(menu).getAllByRole('heading', { level: 3 })).toHaveLength(5)
    // The group of the open page is expanded, the others on demand.
    expect(within(menu).getByRole('link', { name: 'Tags' }).getAttribute('aria-current')).toBe('page')
    expect(within(menu).queryByRole('link', { name: 'Regions' })).toBeNull()
    const geographyButton = within(menu).getByRole('button', { name: 'Geography', expanded: false })
    await userEvent.setup().click(geographyButton)
    expect(geographyButton.getAttribute('aria-expanded')).toBe('true')
    expect(within(menu).getByRole('link', { name: 'Regions' })).toBeTruthy()
    await screen.findByText('No data')
    expect(calls.some(({ path }) => path === '/api/regions')).toBe(false)
  })

  it('lists the pinned views below their page, each with its present number of records', async () => {
    const view = (id: number, name: string, pinned: boolean) => ({
      id,
      attributes: { name, screen: 'partners', pinned, state: { search: { 'f.active': 'true', 'f.gone': '1' } } },
    })
    const calls = fakeApi({
      'GET /api/users/me': owner,
      'GET /api/news': total(12),
      'GET /api/partners': ({ query }) => Response.json(total(query.includes('filters[active]') ? 5 : 8)),
      'GET /api/list-views': { ...total(2), data: [view(1, 'Seen', true), view(2, 'Kept for me', false)] },
    })
    renderApp('/app/news')
    const menu = await screen.findByRole('navigation', { name: /Content/ })
    const link = await within(menu).findByRole('link', { name: /^Seen\s*5$/ })
    expect(link.getAttribute('href')).toBe('/app/partners?view=1')
    expect(within(menu).queryByText('Kept for me')).toBeNull()
    expect(calls.some(({ query }) => query.includes('gone'))).toBe(false)
  })

  it('shows below the menu the number of unanswered questions, with a link to the questions', async () => {
    const calls = fakeApi({
      'GET /api/users/me': owner,
      'GET /api/consultations': ({ query }) =>
        Response.json(countAnswer(query.includes('createdAt') ? 2 : query.includes('answered_at') ? 7 : 40)),
    })
    renderApp('/app/consultants')
    const menu = await screen.findByRole('navigation', { name: /Advice/ })
    const note = await within(menu).findByRole('region', { name: 'Questions without an answer' })
    expect(await within(note).findByText('2 have waited longer than 24 hours')).toBeTruthy()
    expect(within(note).getByText('7')).toBeTruthy()
    const link = within(note).getByRole('link', { name: 'Open the queue' })
    expect(link.getAttribute('href')).toBe('/app/consultation?show=unreplayed')
    const countCalls = calls.filter(({ path, query }) => path === '/api/consultations' && query.includes('answered_at'))
    expect(countCalls[0]?.query).toContain('filters[answered_at][$null]=true')
  })

  it('shows nothing below the menu while every question has an answer', async () => {
    fakeApi({
      'GET /api/users/me': owner,
      'GET /api/consultations': ({ query }) => Response.json(countAnswer(query.includes('answered_at') ? 0 : 40)),
    })
    renderApp('/app/consultants')
    const menu = await screen.findByRole('navigation', { name: /Advice/ })
    await within(menu).findByRole('link', { name: /^Consultations\s*40$/ })
    expect(within(menu).queryByRole('region')).toBeNull()
  })

  const districts = [
    { id: 1, name: 'Far', count: 3 },
    { id: 2, name: 'Near', count: 2 },
  ]
  const counts = { expected: 9, entered: 4, carried: 2, missing: 3 }
  const progress = { pricedate: 7, state: 'draft', ...counts, districts, districts_count: 2 }
  const day = { date: '2026-03-09', zone: 'Asia/Tashkent', offset_minutes: 300, missing: [] }

  it('shows the number of cells without an entered price today, with a link to the day', async () => {
    fakeApi({ 'GET /api/users/me': owner, 'GET /api/pricedates/today': { data: { ...day, progress } } })
    renderApp('/app/companies')
    const menu = await screen.findByRole('navigation', { name: /Market/ })
    const link = await within(menu).findByRole('link', { name: /^Not entered today\s*Far\s3 and Near\s2\s*5$/ })
    expect(link.getAttribute('href')).toBe('/app/price-list/7')
  })

  it.each<[Locale, number, string]>([
    ['en', 4, 'Far 3, Near 2 and 2 more districts'],
    ['en', 3, 'Far 3, Near 2 and 1 more district'],
    ['ru', 3, 'Far 3, Near 2 и ещё 1 район'],
    ['ru', 4, 'Far 3, Near 2 и ещё 2 района'],
    ['ru', 7, 'Far 3, Near 2 и ещё 5 районов'],
    ['uz', 4, 'Far 3, Near 2 va yana 2 ta tuman'],
    ['kaa', 4, 'Far 3, Near 2 hám jáne 2 rayon'],
  ])('names in %s the first of %i districts without entered prices', async (reader, districtCount, noteText) => {
    localStorage.setItem('current-language', reader)
    reloadPreferences()
    await activateLanguage(reader)
    await loadFeatureMessages()
    const answeredProgress = { ...progress, districts_count: districtCount }
    fakeApi({
      'GET /api/users/me': owner,
      'GET /api/pricedates/today': { data: { ...day, progress: answeredProgress } },
    })
    renderApp('/app/companies')
    const link = await screen.findByRole('link', { name: new RegExp(`${noteText.replaceAll(' ', '\\s')}\\s*5$`) })
    expect(link.getAttribute('href')).toBe('/app/price-list/7')
  })

  it('links to a new day of prices when nobody has started today’s', async () => {
    const begunProgress = { ...progress, districts: [], districts_count: 0 }
    const unbegunDay = { ...begunProgress, pricedate: null, state: null, entered: 0, carried: 0, missing: 9 }
    fakeApi({ 'GET /api/users/me': owner, 'GET /api/pricedates/today': { data: { ...day, progress: unbegunDay } } })
    renderApp('/app/companies')
    const menu = await screen.findByRole('navigation', { name: /Market/ })
    const link = await within(menu).findByRole('link', { name: /^Not entered today\s*9$/ })
    expect(link.getAttribute('href')).toBe('/app/price-list/new?set.date=2026-03-09')
  })

  it.each([
    ['a published day', { ...progress, state: 'published' }],
    ['a day that is complete', { ...progress, carried: 0, missing: 0 }],
    ['a reader who may not write prices', null],
  ])('shows no note about missing prices for %s', async (_case, answeredProgress) => {
    const calls = fakeApi({
      'GET /api/users/me': owner,
      'GET /api/pricedates/today': { data: { ...day, progress: answeredProgress } },
      'GET /api/companies': total(3),
    })
    renderApp('/app/companies')
    const menu = await screen.findByRole('navigation', { name: /Market/ })
    // The counts of the menu arrive together with its notes.
    await within(menu).findByRole('link', { name: /^Companies\s*3$/ })
    await waitFor(() => expect(calls.some(({ path }) => path === '/api/pricedates/today')).toBe(true))
    expect(within(menu).queryByRole('link', { name: /Not entered/ })).toBeNull()
  })
})
