import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ReportMetric, ReportPoint } from '@dala/model'
import { errorAnswer, fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { setWindowWidth } from '../../testing/window-width.ts'

const metric = (key: string, overrides: Partial<ReportMetric> = {}): ReportMetric => ({
  key,
  value: 12,
  unit: 'count',
  n: 12,
  previous: 10,
  change: 20,
  change_kind: 'percent',
  partial: false,
  ...overrides,
})
const point = (t: string, value: number | null): ReportPoint => ({
  t,
  value,
  previous: 1,
  previous_t: '2026-09-01',
  partial: t === '2026-10-02',
  no_data: value === null,
})
const row = { name: null, value: 7, previous: 5, n: 7 }
const answer = {
  data: {
    id: 2,
    attributes: { key: 'consultations', title: { en: 'Consultations' }, description: { en: 'Questions' } },
    metrics: [
      metric('asked'),
      metric('answered', { value: 3, n: 3, previous: 2, change: 50, change_kind: 'few' }),
      metric('finished', { value: 4, previous: 0, change: null, change_kind: 'new' }),
      metric('reopened', { change: 0, previous: 12 }),
      metric('reply_median', { unit: 'minutes', value: 125, previous: 130, change: -3.8 }),
      metric('within_target', { unit: 'percent', value: 62.5, previous: 60, change: 2.5, change_kind: 'points' }),
    ],
    series: [{ key: 'asked', points: [point('2026-10-01', 9), point('2026-10-02', 3), point('2026-10-03', null)] }],
    breakdowns: [
      {
        dim: 'region',
        metric: 'asked',
        rows: [{ id: 5, name: 'Khorezm', value: 11, previous: 9, n: 11 }],
        not_set: { value: 1, previous: 1, n: 1 },
        team: null,
      },
    ],
    stacks: [
      {
        dim: 'category',
        metric: 'asked',
        intervals: ['2026-10-01', '2026-10-02', '2026-10-03'].map((t) => ({
          t,
          partial: t === '2026-10-02',
          no_data: t === '2026-10-03',
        })),
        rows: [
          { id: 7, name: 'Water', values: [6, 2, 0] },
          { id: 8, name: 'Bees', values: [3, 0, 0] },
        ],
        not_set: [0, 1, 0],
      },
    ],
    matrices: [
      {
        dim: 'hour_weekday',
        metric: 'asked',
        rows: [
          { weekday: 1, hour: 9, value: 8 },
          { weekday: 2, hour: 10, value: 4 },
        ],
      },
    ],
  },
  meta: {
    from: '2026-10-01',
    to: '2026-10-03',
    compare_from: '2026-09-28',
    compare_to: '2026-09-30',
    interval: 'day',
    compare: 'previous',
    tz: 'Asia/Tashkent',
    data_through: '2026-10-03T07:05:00.000Z',
    generated_at: '2026-10-03T07:05:00.000Z',
  },
}
const lists = {
  'GET /api/users/me': owner,
  'GET /api/regions': { data: [{ id: 5, attributes: { name: 'Khorezm', locale: 'en' } }], meta: {} },
  'GET /api/consultationcategories': { data: [], meta: {} },
  'GET /api/users': { data: [], count: 0 },
  'GET /api/statistics/map/regions': { data: [{ id: 5, name: 'Khorezm', x: 0, y: 0, users: 2_000 }] },
}

beforeEach(() => localStorage.setItem('token', 'x'))

const figure = async (name: string) => {
  const figures = await screen.findByRole('region', { name: 'Figures' })
  const heading = within(figures).getByRole('heading', { name })
  const item = heading.closest('li')
  if (!item) throw new Error(`${name} is no figure`)
  return item.textContent
}

const report = (id: number, key: string, title: string) => ({
  id,
  attributes: { key, title: { en: title }, description: { en: `About ${title}` } },
})
const page = (entries: unknown[]) => ({
  data: entries,
  meta: { pagination: { page: 1, pageSize: 15, pageCount: 1, total: entries.length } },
})

describe('the section of reports', () => {
  it('opens the reports on the figures of the overview, with links to all reports', async () => {
    const calls = fakeApi({
      ...lists,
      'GET /api/statistics': page([report(2, 'consultations', 'Consultations'), report(1, 'overview', 'Overview')]),
      'GET /api/statistics/overview': {
        ...answer,
        data: { ...answer.data, id: 1, attributes: { key: 'overview', title: { en: 'Overview' } } },
      },
    })
    renderApp('/app/statistics')
    expect(await screen.findByRole('region', { name: 'Figures' })).toBeTruthy()
    expect(screen.getByRole('heading', { level: 1, name: 'Overview' })).toBeTruthy()
    const allReports = within(screen.getByRole('region', { name: 'All reports' }))
    expect(allReports.getByRole('link', { name: 'Consultations' }).getAttribute('href')).toBe(
      '/app/statistics/consultations',
    )
    const menu = within(screen.getByRole('navigation', { name: /Insight/ }))
    expect((await menu.findByRole('link', { name: 'Overview' })).getAttribute('aria-current')).toBe('page')
    expect(menu.getByRole('link', { name: 'Consultations' }).getAttribute('aria-current')).toBeNull()
    expect(calls.some(({ path }) => path === '/api/statistics/consultations')).toBe(false)
  })

  it('opens the reports on the first report of a user who may not read the overview', async () => {
    fakeApi({
      ...lists,
      'GET /api/statistics': page([report(2, 'consultations', 'Consultations')]),
      'GET /api/statistics/consultations': answer,
    })
    renderApp('/app/statistics')
    expect(await screen.findByRole('heading', { level: 1, name: 'Consultations' })).toBeTruthy()
  })
})

describe('the page of a report', () => {
  it('shows each figure of a report, its change and its explanation', async () => {
    fakeApi({ ...lists, 'GET /api/statistics/2': answer })
    renderApp('/app/statistics/2')
    expect(await figure('New questions and chats')).toContain('1220% more than 10')
    const user = userEvent.setup()
    const figures = screen.getByRole('region', { name: 'Figures' })
    await user.click(within(figures).getByRole('button', { name: 'How it is counted: New questions and chats' }))
    const definition = await screen.findByRole('dialog', { name: 'New questions and chats' })
    expect(definition.textContent).toContain('New questions and new chat conversations, by the day they began.')
    await user.keyboard('{Escape}')
    expect(await figure('Replies')).toContain('Before: 2. Too few cases to compare')
    expect(await figure('Finished')).toContain('None before')
    expect(await figure('Reopened')).toContain('As before: 12')
    expect(await figure('Time to first reply, median')).toContain('2 h 05 min3.8% less than 2 h 10 min')
    expect(await figure('Replied in time')).toContain('62.5%2.5 points more than 60%12 cases')
    expect(screen.getByText(/Counted through 03.10.2026 12:05/)).toBeTruthy()
  })
  it('shows the time of counting a report in the time zone of its days', async () => {
    const tokyoAnswer = { ...answer, meta: { ...answer.meta, tz: 'Asia/Tokyo' } }
    fakeApi({ ...lists, 'GET /api/statistics/2': tokyoAnswer })
    renderApp('/app/statistics/2')
    expect(await screen.findByText(/Counted through 03.10.2026 16:05/)).toBeTruthy()
  })
  it('shows records without a region in a report, and the total', async () => {
    fakeApi({ ...lists, 'GET /api/statistics/2': answer })
    renderApp('/app/statistics/2')
    const rows = within(await screen.findByRole('table'))
      .getAllByRole('row')
      .map(({ textContent }) => textContent)
    expect(rows.slice(1)).toEqual(['Khorezm119', 'Not set11', 'Total1210'])
  })
  it('shows a map with the list of its regions, what is not on it, and figures per 1,000 users', async () => {
    fakeApi({ ...lists, 'GET /api/statistics/consultations': answer })
    const { router } = renderApp('/app/statistics/consultations')
    const map = within(await screen.findByRole('region', { name: 'Map: New questions and chats' }))
    const tile = await map.findByRole('button', { name: /^Khorezm ?11 ?Show only this region$/ })
    expect(map.getAllByRole('list').map(({ textContent }) => textContent)).toEqual([
      'Khorezm11Show only this region',
      'Khorezm11',
    ])
    expect(map.getByRole('link', { name: 'Not on the map: 1' }).getAttribute('href')).toBe('#rows-region')
    await userEvent.click(map.getByRole('button', { name: 'Per 1,000 users' }))
    expect(map.getAllByRole('list').map(({ textContent }) => textContent)).toEqual([
      'Khorezm5.5Show only this region',
      'Khorezm5.5',
    ])
    await userEvent.click(tile)
    await waitFor(() => expect(router.state.location.search).toEqual({ 'f.region': '5' }))
    await userEvent.click(await map.findByRole('button', { name: 'All regions' }))
    await waitFor(() => expect(router.state.location.search).toEqual({}))
  })
  it('shows the figures and tables of the second section of a report below its heading', async () => {
    const { data } = answer
    fakeApi({
      ...lists,
      'GET /api/tradingpostcategories': { data: [], meta: {} },
      'GET /api/statistics/4': {
        ...answer,
        data: {
          ...data,
          attributes: { key: 'trading', title: { en: 'Trading' } },
          metrics: [metric('posts'), metric('decided', { value: 7, n: 7 })],
          series: [],
          breakdowns: [
            { dim: 'delivery', metric: 'posts', rows: [{ ...row, id: 'true' }], not_set: null, team: null },
            { dim: 'outcome', metric: 'decided', rows: [{ ...row, id: 'rejected' }], not_set: null, team: null },
          ],
          stacks: [],
          matrices: [],
        },
      },
    })
    renderApp('/app/statistics/4')
    const section = within(await screen.findByRole('region', { name: 'Decisions on posts' }))
    const listsOfFigures = screen.getAllByRole('region', { name: 'Figures' }).map(({ textContent }) => textContent)
    expect(listsOfFigures).toEqual([expect.stringContaining('New posts'), expect.stringContaining('Decisions')])
    expect(section.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Decisions on posts',
      'Decisions',
      'By decision',
    ])
    expect(screen.getAllByRole('table')).toHaveLength(2)
    expect(section.getAllByRole('table')).toHaveLength(1)
  })
  it('shows a line of a report as a table, with incomplete intervals and intervals without data', async () => {
    fakeApi({ ...lists, 'GET /api/statistics/2': answer })
    renderApp('/app/statistics/2')
    await userEvent.click(await screen.findByRole('button', { name: 'Show as table: New questions and chats' }))
    const table = within(screen.getByRole('region', { name: 'New questions and chats' })).getByRole('table')
    const rows = within(table)
      .getAllByRole('row')
      .map(({ textContent }) => textContent)
    expect(rows[2]).toContain('02.10.2026 · Incomplete')
    expect(rows[3]).toContain('No data')
    expect(screen.getByRole('button', { name: 'Show as chart: New questions and chats' })).toBeTruthy()
  })
  it('requests a report with the parameters of its address, and removes a filter by its chip', async () => {
    const calls = fakeApi({ ...lists, 'GET /api/statistics/consultations': answer })
    const { router } = renderApp(
      '/app/statistics/consultations?period=month&compare=year&interval=week&f.region=5&f.bogus=1',
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Remove the filter Region: Khorezm' }))
    await waitFor(() =>
      expect(router.state.location.search).toEqual({ period: 'month', compare: 'year', interval: 'week' }),
    )
    const queries = calls.filter(({ path }) => path === '/api/statistics/consultations').map(({ query }) => query)
    expect(queries).toEqual([
      '?period=month&compare=year&interval=week&filters[region]=5&locale=en',
      '?period=month&compare=year&interval=week&locale=en',
    ])
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Region' })))
  })
  it('chooses a district within the region of a report and a language, and keeps both in the address', async () => {
    const calls = fakeApi({
      ...lists,
      'GET /api/districts': { data: [{ id: 9, attributes: { name: 'Khiva', locale: 'en' } }], meta: {} },
      'GET /api/statistics/consultations': answer,
    })
    const { router } = renderApp('/app/statistics/consultations')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('combobox', { name: 'Region' }))
    expect(screen.queryByRole('combobox', { name: 'District' })).toBeNull()
    await user.click(await screen.findByRole('option', { name: 'Khorezm' }))
    await user.click(await screen.findByRole('combobox', { name: 'District' }))
    await user.click(await screen.findByRole('option', { name: 'Khiva' }))
    await user.click(await screen.findByRole('combobox', { name: 'Language' }))
    await user.click(await screen.findByRole('option', { name: 'Qaraqalpaqsha' }))
    await waitFor(() =>
      expect(router.state.location.search).toEqual({ 'f.region': '5', 'f.district': '9', 'f.locale': 'kaa' }),
    )
    expect(await screen.findByRole('button', { name: 'Remove the filter District: Khiva' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Remove the filter Language: Qaraqalpaqsha' })).toBeTruthy()
    const districtQueries = calls.filter(({ path }) => path === '/api/districts').map(({ query }) => query)
    expect(districtQueries[0]).toContain('filters[region][id][$eq]=5')
    await user.click(screen.getByRole('button', { name: 'Remove the filter Region: Khorezm' }))
    await waitFor(() => expect(router.state.location.search).toEqual({ 'f.locale': 'kaa' }))
  })
  it('chooses the hours of reply times of a report of the desk, and keeps them in its address', async () => {
    const calls = fakeApi({ ...lists, 'GET /api/statistics/consultations': answer })
    const { router } = renderApp('/app/statistics/consultations')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('combobox', { name: 'Hours of reply times' }))
    await user.click(await screen.findByRole('option', { name: 'All hours' }))
    await waitFor(() => expect(router.state.location.search).toEqual({ hours: 'wall' }))
    await waitFor(() =>
      expect(calls.filter(({ path }) => path === '/api/statistics/consultations').map(({ query }) => query)).toEqual([
        '?locale=en',
        '?hours=wall&locale=en',
      ]),
    )
    router.history.back()
    await waitFor(() => expect(router.state.location.search).toEqual({}))
  })
  it('groups comparison, interval and filters of a report on a phone behind one button with their count', async () => {
    setWindowWidth(390)
    fakeApi({ ...lists, 'GET /api/statistics/consultations': answer })
    renderApp('/app/statistics/consultations?compare=year&f.region=5')
    await figure('New questions and chats')
    expect(screen.getByRole('combobox', { name: 'Period' })).toBeTruthy()
    expect(screen.queryByRole('combobox', { name: 'Step' })).toBeNull()
    expect(screen.queryByText(/Counted through/)).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Filters, 2 active' }))
    const sheet = within(await screen.findByRole('dialog', { name: 'Filters' }))
    expect(await sheet.findByRole('button', { name: 'Remove the filter Region: Khorezm' })).toBeTruthy()
    for (const name of ['Compare with', 'Step']) expect(sheet.getByRole('combobox', { name })).toBeTruthy()
    expect(sheet.getByText(/Counted through 03.10.2026 12:05/)).toBeTruthy()
  })
  it('shows why a report was refused and keeps the name and the bar of the report', async () => {
    fakeApi({
      ...lists,
      'GET /api/statistics': page([report(2, 'consultations', 'Consultations')]),
      'GET /api/statistics/consultations': () => errorAnswer(422, 'UnprocessableEntityError', 'x', 'report.range'),
    })
    renderApp('/app/statistics/consultations?from=2010-01-01&to=2026-01-01')
    expect(await screen.findByText(/A report covers at most five years/)).toBeTruthy()
    expect(screen.getByRole('heading', { level: 1, name: 'Consultations' })).toBeTruthy()
    expect(screen.getByRole('combobox', { name: 'Period' })).toBeTruthy()
  })
  it('keeps the figures of a report when a refresh fails', async () => {
    let isFailing = false
    fakeApi({
      ...lists,
      'GET /api/statistics/2': () =>
        isFailing ? errorAnswer(500, 'InternalServerError', 'x', 'server.internal') : Response.json(answer),
    })
    renderApp('/app/statistics/2')
    await figure('New questions and chats')
    isFailing = true
    await userEvent.click(screen.getByRole('button', { name: 'Refresh' }))
    expect(await screen.findByText(/The figures could not be updated/)).toBeTruthy()
    expect(await figure('New questions and chats')).toContain('12')
  })
})
