import type { PriceChange, PricePoint } from '@dala/model'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { chooseLanguage } from '../../../lib/preferences.ts'
import { errorAnswer, fakeApi, lastCallTo, owner } from '../../../testing/fake-api.ts'
import { renderApp } from '../../../testing/render-app.tsx'

const makeNamedRecord = (id: number, name: string) => ({ id, attributes: { name, locale: 'en' } })
const lists = {
  'GET /api/users/me': owner,
  'GET /api/products': { data: [makeNamedRecord(1, 'Wheat'), makeNamedRecord(2, 'Milk')], meta: {} },
  'GET /api/regions': { data: [makeNamedRecord(5, 'Khorezm')], meta: {} },
  'GET /api/productcategories': { data: [makeNamedRecord(7, 'Grain')], meta: {} },
  'GET /api/districts': { data: [makeNamedRecord(21, 'Urgench'), makeNamedRecord(22, 'Khiva')], meta: {} },
  'GET /api/pricedates': { data: [{ id: 9, attributes: { date: '2026-03-30' } }], meta: {} },
}

const makePoint = (t: string, value: number | null, overrides: Partial<PricePoint> = {}): PricePoint => ({
  t,
  value,
  n: value === null ? 0 : 1,
  carried: false,
  partial: false,
  ...overrides,
})
const series = {
  data: {
    product: { id: 1, name: 'Wheat' },
    unit: { id: 3, name: 'kg' },
    lines: [
      {
        district: { id: 21, name: 'Urgench' },
        region: null,
        points: [
          makePoint('2026-03-16', 4000),
          makePoint('2026-03-23', null),
          makePoint('2026-03-30', 4100, { carried: true }),
        ],
      },
      {
        district: { id: 22, name: 'Khiva' },
        region: null,
        points: [
          makePoint('2026-03-16', 3900),
          makePoint('2026-03-23', 3950),
          makePoint('2026-03-30', 4200, { partial: true }),
        ],
      },
    ],
  },
  meta: { from: '2025-10-02', to: '2026-03-30', interval: 'week', measure: 'median', market_type: 'retail' },
}

const change = (district: number, overrides: Partial<PriceChange>): PriceChange => ({
  product: 1,
  district,
  value: 4100,
  carried: false,
  change_pct: null,
  band: null,
  base: null,
  gap: null,
  season: null,
  ...overrides,
})
const makeDistrict = (id: number, name: string) => ({ id, name, region: 5, lat: 41.5, lng: 60.6 })
const changes = {
  data: {
    date: '2026-03-30',
    products: [
      {
        id: 1,
        name: 'Wheat',
        unit: { id: 3, name: 'kg' },
        n: 2,
        low: 3900,
        median: 4000,
        high: 4100,
        low_district: 22,
        high_district: 21,
        change_pct: 5,
        band: 'moving',
      },
    ],
    districts: [
      makeDistrict(21, 'Urgench'),
      makeDistrict(22, 'Khiva'),
      makeDistrict(23, 'Hazorasp'),
      makeDistrict(24, 'Bogot'),
    ],
    rows: [
      change(21, { change_pct: 12.5, band: 'sharp', base: { value: 3644.44, date: '2026-03-23' } }),
      change(22, { value: 3900, change_pct: -4, band: 'moving', base: { value: 4062.5, date: '2026-03-22' } }),
      change(23, { carried: true, gap: 'carried' }),
      change(24, { value: null, gap: 'no-value' }),
    ],
  },
  meta: {
    window: 7,
    market_type: 'retail',
    total: 4,
    priced: 3,
    bands: { steady: 0, moving: 1, sharp: 1 },
    more: false,
  },
}

const rowsOf = (name: RegExp) =>
  within(within(screen.getByRole('region', { name })).getByRole('table'))
    .getAllByRole('row')
    .map(({ textContent }) => textContent)

beforeEach(() => localStorage.setItem('token', 'x'))

describe('the price chart', () => {
  it('shows the figures of a price chart as a table, with gaps, carried prices and incomplete intervals', async () => {
    const calls = fakeApi({ ...lists, 'GET /api/pricelists/series': series })
    renderApp('/app/price-list/chart?districts=21-22')
    await screen.findByRole('heading', { name: /Wheat, UZS for 1 kg/ })
    expect(rowsOf(/^As a table: Wheat/)).toEqual([
      'PeriodUrgenchKhiva',
      '30.03.2026 · Incomplete4,100 · carried over4,200',
      '23.03.2026–3,950',
      '16.03.20264,0003,900',
    ])
    expect(lastCallTo(calls, '/api/pricelists/series')?.query).toBe(
      '?product=1&districts[0]=21&districts[1]=22&market_type=retail&from=2025-10-02&to=2026-03-30&interval=week&measure=median&locale=en',
    )
  })

  it('removes a district of a chart by its chip, and keeps the state in the address', async () => {
    fakeApi({ ...lists, 'GET /api/pricelists/series': series })
    const { router } = renderApp('/app/price-list/chart?districts=21-22&market=wholesale')
    await screen.findByRole('heading', { name: /Wheat/ })
    await userEvent.click(screen.getByRole('button', { name: /Urgench/ }))
    await waitFor(() => expect(router.state.location.search).toEqual({ districts: '22', market: 'wholesale' }))
  })

  it('takes the typed days of a chart into the address and into the query', async () => {
    const calls = fakeApi({ ...lists, 'GET /api/pricelists/series': series })
    const { router } = renderApp('/app/price-list/chart')
    const firstDayField = await screen.findByRole('textbox', { name: 'First day' })
    const lastDayField = screen.getByRole<HTMLInputElement>('textbox', { name: 'Last day' })
    expect(lastDayField.value).toBe('30.03.2026')
    await userEvent.clear(firstDayField)
    await userEvent.type(firstDayField, '01.02.2026')
    await waitFor(() => expect(router.state.location.search).toEqual({ from: '2026-02-01', to: '2026-03-30' }))
    expect(document.activeElement).toBe(firstDayField)
    await waitFor(() =>
      expect(lastCallTo(calls, '/api/pricelists/series')?.query).toContain(
        'from=2026-02-01&to=2026-03-30&interval=day',
      ),
    )
    expect(screen.getByRole('combobox', { name: 'Period' }).textContent).toBe('Custom dates')
  })

  it.each([
    ['31.12.2026', 'The last day must not be before the first.', 'Last day'],
    ['01.01.2010', 'A chart covers at most 10 years. Choose a shorter period.', 'First day'],
    ['31.02.2026', 'Type a day as dd.mm.yyyy.', 'First day'],
  ])(
    'rejects %s as the first day of a chart with a message, and keeps the previous chart',
    async (typedDay, message, wrongField) => {
      fakeApi({ ...lists, 'GET /api/pricelists/series': series })
      const { router } = renderApp('/app/price-list/chart')
      const firstDayField = await screen.findByRole('textbox', { name: 'First day' })
      await userEvent.clear(firstDayField)
      await userEvent.type(firstDayField, typedDay)
      await userEvent.tab()
      expect((await screen.findByRole('alert')).textContent).toBe(message)
      expect(screen.getByRole('textbox', { name: wrongField }).getAttribute('aria-invalid')).toBe('true')
      expect(router.state.location.search).toEqual({})
      expect(screen.getByRole('heading', { name: /Wheat/ })).toBeTruthy()
    },
  )

  it('shows a message when the span of a chart has more days than a line has points', async () => {
    const calls = fakeApi({ ...lists, 'GET /api/pricelists/series': series })
    renderApp('/app/price-list/chart?from=2020-01-01&to=2026-03-30&interval=day')
    expect((await screen.findByRole('alert')).textContent).toContain('at most 800 points')
    expect(calls.some(({ path }) => path === '/api/pricelists/series')).toBe(false)
  })

  it('shows the chart range that the address names, and writes a range set by keyboard into the address', async () => {
    fakeApi({ ...lists, 'GET /api/pricelists/series': series })
    const { router } = renderApp('/app/price-list/chart?first=2026-03-23&last=2026-03-30')
    await screen.findByRole('heading', { name: /Wheat/ })
    expect(rowsOf(/^As a table: Wheat/)).toHaveLength(3)
    await router.navigate({ to: '/app/price-list/chart', search: {} })
    await waitFor(() => expect(rowsOf(/^As a table: Wheat/)).toHaveLength(4))
  })

  it('shows why the price chart could not be loaded', async () => {
    fakeApi({
      ...lists,
      'GET /api/pricelists/series': () => errorAnswer(422, 'UnprocessableEntityError', 'No', 'request.unprocessable'),
    })
    renderApp('/app/price-list/chart')
    expect(await screen.findByRole('alert')).toBeTruthy()
    expect(screen.getByRole('navigation', { name: 'Views of the prices' })).toBeTruthy()
  })
})

describe('the price changes', () => {
  it('shows bands of price changes as text, and a reason where nothing is compared', async () => {
    fakeApi({ ...lists, 'GET /api/pricelists/changes': changes })
    renderApp('/app/price-list/changes')
    await screen.findByText('3 prices on 30.03.2026')
    const table = screen.getByRole('table')
    const rows = within(table)
      .getAllByRole('row')
      .map(({ textContent }) => textContent)
    expect(rows.slice(1)).toEqual([
      'WheatUrgench4,100kg+12.5%sharp3,64423.03.2026',
      'WheatKhiva3,900kg−4%moving4,06322.03.2026',
      'WheatHazorasp4,100kg– carried over',
      'WheatBogot–kg– no price on this day',
    ])
    await userEvent.click(screen.getByRole('button', { name: /^sharp/ }))
    expect(within(table).getAllByRole('row')).toHaveLength(2)
    await userEvent.click(screen.getByRole('button', { name: /^Not compared/ }))
    expect(within(table).getAllByRole('row')).toHaveLength(3)
  })

  it('requests price changes with the window and the filters of the address', async () => {
    const [sharp, ...otherRows] = changes.data.rows
    const season = { value: 1.24, level: 'abnormal', years: 3 }
    const yearlyAnswer = {
      data: { ...changes.data, rows: [{ ...sharp, season }, ...otherRows] },
      meta: { ...changes.meta, window: 365 },
    }
    const calls = fakeApi({
      ...lists,
      'GET /api/pricelists/changes': ({ query }) =>
        Response.json(query.includes('window=365') ? yearlyAnswer : changes),
    })
    const { router } = renderApp('/app/price-list/changes?region=5&category=7&date=2026-03-30&product=1')
    await userEvent.click(await screen.findByRole('button', { name: '1 year' }))
    await waitFor(() =>
      expect(lastCallTo(calls, '/api/pricelists/changes')?.query).toBe(
        '?region=5&category=7&market_type=retail&locale=en&date=2026-03-30&window=365',
      ),
    )
    expect(router.state.location.search).toMatchObject({ window: '365' })
    expect(await screen.findByRole('columnheader', { name: 'Season' })).toBeTruthy()
    expect(screen.getByRole('cell', { name: /^abnormal 1.24/ }).textContent).toBe('abnormal 1.24against 3 past years')
  })

  it('exports the prices of the day with the same filters', async () => {
    const calls = fakeApi({
      ...lists,
      'GET /api/pricelists/changes': changes,
      'GET /api/pricelists/export': () =>
        new Response('x', { headers: { 'Content-Disposition': 'attachment; filename="pricelists-2026-03-30.xlsx"' } }),
    })
    URL.createObjectURL = vi.fn<typeof URL.createObjectURL>(() => 'blob:x')
    renderApp('/app/price-list/changes?region=5')
    const choose = async (name: string) => {
      await userEvent.click(await screen.findByRole('button', { name: 'Export' }))
      await userEvent.click(await screen.findByRole('menuitem', { name }))
    }
    const filters = '?region=5&market_type=retail&locale=en&from=2026-03-30&to=2026-03-30'
    const lastQuery = () => lastCallTo(calls, '/api/pricelists/export')?.query
    await choose('Excel (xlsx)')
    expect(await screen.findByText('Saved: pricelists-2026-03-30.xlsx')).toBeTruthy()
    expect(lastQuery()).toBe(`${filters}&format=xlsx`)
    await choose('Text (CSV) with earlier prices')
    await waitFor(() => expect(lastQuery()).toBe(`${filters}&format=csv&trail=true`))
  })

  it('exports prices with labels in the script of the panel', async () => {
    const calls = fakeApi({
      ...lists,
      'GET /api/pricelists/changes': changes,
      'GET /api/pricelists/export': () => new Response('x'),
    })
    URL.createObjectURL = vi.fn<typeof URL.createObjectURL>(() => 'blob:x')
    chooseLanguage('uz-Cyrl')
    onTestFinished(() => chooseLanguage('en'))
    renderApp('/app/price-list/changes')
    await userEvent.click(await screen.findByRole('button', { name: 'Экспорт' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Excel (xlsx)' }))
    await waitFor(() => expect(lastCallTo(calls, '/api/pricelists/export')?.query).toContain('locale=uz-Cyrl'))
  })

  it('offers no earlier prices to users who may not write prices', async () => {
    fakeApi({
      ...lists,
      'GET /api/users/me': { ...owner, role: { id: 4, name: 'Authenticated', type: 'authenticated' } },
      'GET /api/pricelists/changes': changes,
    })
    renderApp('/app/price-list/changes')
    await userEvent.click(await screen.findByRole('button', { name: 'Export' }))
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
      'Excel (xlsx)',
      'Text (CSV)',
    ])
  })
})

describe('the price map', () => {
  it('shows the spread of prices in figures and each district as a row, the most expensive first', async () => {
    fakeApi({ ...lists, 'GET /api/pricelists/changes': changes })
    renderApp('/app/price-list/map?product=1')
    const priceSpread = await screen.findByRole('region', { name: 'Spread between districts' })
    expect(
      within(priceSpread)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Lowest3,900Khiva', 'Medianof 2 prices'.replace('of', '4,000of'), 'Highest4,100Urgench'])
    expect(rowsOf(/^As a table/).slice(1)).toEqual([
      'Urgench4,100+2.5%+12.5%sharp',
      'Hazoraspcarried over4,100+2.5%– carried over',
      'Khiva3,900−2.5%−4%',
    ])
  })

  it('reports a day without prices of the product', async () => {
    fakeApi({
      ...lists,
      'GET /api/pricelists/changes': { ...changes, data: { ...changes.data, products: [], districts: [], rows: [] } },
    })
    renderApp('/app/price-list/map?product=2')
    expect(await screen.findByText(/There are no prices on 30.03.2026/)).toBeTruthy()
  })
})

describe('the weekly bulletin', () => {
  it('shows the products and the movers of the week on one printable page', async () => {
    const printSpy = vi.spyOn(window, 'print').mockImplementation(() => {})
    const calls = fakeApi({ ...lists, 'GET /api/pricelists/changes': changes })
    renderApp('/app/price-list/bulletin?window=365&region=5')
    const paper = await screen.findByRole('article', { name: 'Weekly price bulletin' })
    await waitFor(() => expect(paper.textContent).toContain('Khorezm. Retail. Week from 24.03.2026 to 30.03.2026.'))
    const rows = within(within(paper).getByRole('table')).getAllByRole('row')
    expect(rows.at(-1)?.textContent).toBe('Wheatkg4,0003,900–4,1002+5%')
    const movers = within(paper).getAllByRole('listitem')
    expect(movers.map(({ textContent }) => textContent)).toEqual(['Wheat, Urgench: +12.5%', 'Wheat, Khiva: −4%'])
    expect(lastCallTo(calls, '/api/pricelists/changes')?.query).toContain('window=7')
    await userEvent.click(screen.getByRole('button', { name: 'Print' }))
    expect(printSpy).toHaveBeenCalledOnce()
  })
})
