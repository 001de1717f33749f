import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { errorAnswer, fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'
// Loaded ahead: the first test would otherwise wait for the code of the page.
import './day-page.tsx'

const day = (state: string, filledCount = 2) => ({
  data: {
    id: 7,
    attributes: {
      date: '2026-03-09',
      state,
      coverage: { expected: 2, filled: filledCount, carried: 0, flagged: 0 },
      published_at: null,
      note: null,
      version: 4,
      createdAt: '2026-03-09T06:00:00.000Z',
      updatedAt: '2026-03-09T06:00:00.000Z',
      published_by: { data: null },
    },
  },
  meta: {},
})
const cell = {
  id: null,
  price: null,
  price_max: null,
  unit: null,
  state: null,
  origin: null,
  flag: null,
  note: null,
  late: null,
}
const flag = {
  severity: 'confirm',
  code: 'price.slip-more',
  factor: 10,
  median: 900,
  count: 8,
  suggestion: { price: 900, price_max: null },
}
const savedCell = { product: 21, district: 11, id: 9, version: 1, state: 'ok', origin: 'entered', flag: null }
const makeNamedItem = (id: number, name: string) => ({ id, name })
const emptyDay = {
  counts: {
    expected: 2,
    entered: 2,
    confirm: 0,
    look: 0,
    missing: 0,
    carried: 0,
  },
  confirm: [],
  look: [],
  missing: [],
  carried: [],
  gaps: [],
}
const grid = {
  data: {
    pricedate: { id: 7, date: '2026-03-09', state: 'draft', version: 4 },
    region: 1,
    districts: [
      { id: 11, name: 'Near', no_market: false },
      { id: 12, name: 'Far', no_market: false },
    ],
    products: [
      { id: 21, name: 'Wheat', unit: { id: 1, name: 'kg' } },
      { id: 22, name: 'Rice', unit: { id: 1, name: 'kg' } },
    ],
    cells: [
      {
        ...cell,
        product: 21,
        district: 11,
        version: null,
        prev: { price: 3000, unit: 1, date: '2026-03-02' },
        change_pct: null,
      },
      {
        ...cell,
        product: 22,
        district: 12,
        id: 5,
        price: 9000,
        unit: 1,
        state: 'check',
        origin: 'entered',
        flag,
        late: false,
        version: 3,
        prev: null,
        change_pct: null,
      },
    ],
  },
  meta: { regions: [{ id: 1, name: 'Region' }], categories: [], more: false },
}
const answers = {
  'GET /api/users/me': owner,
  'GET /api/pricedates/7': day('draft'),
  'GET /api/pricelists/grid': grid,
  'GET /api/pricedates/7/review': { data: emptyDay },
  'PUT /api/pricelists/grid': { data: { saved: [savedCell], rejected: [] } },
}
/** Returns the field of the active price cell. */
const field = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name })
const findCell = async (position: string) => {
  await screen.findByRole('grid')
  const priceCell = document.querySelector<HTMLElement>(`[data-cell="${position}"]`)
  if (!priceCell) throw new Error(position)
  return priceCell
}
const findPuts = (calls: ReturnType<typeof fakeApi>) =>
  calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)
const sentCell = (calls: ReturnType<typeof fakeApi>, index = 0) =>
  (findPuts(calls)[index] as { data: { cells: unknown[] } } | undefined)?.data.cells

beforeEach(() => localStorage.setItem('token', 'a'))
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('the page of a price day', () => {
  it('links a day of prices to the previous and the next day, where they exist', async () => {
    const makeDayList = (id: number, date: string) => ({
      data: [{ id, attributes: { date } }],
      meta: { pagination: {} },
    })
    fakeApi({
      ...answers,
      'GET /api/pricedates': ({ query }) =>
        Response.json(
          query.includes('filters[date][$lt]=2026-03-09') ? makeDayList(6, '2026-03-06') : { data: [], meta: {} },
        ),
    })
    renderApp('/app/price-list/7')
    await screen.findByRole('grid')
    const previousDayLink = await screen.findByRole('link', { name: 'Day before, 06.03.2026' })
    expect(previousDayLink.getAttribute('href')).toBe('/app/price-list/6')
    expect(screen.queryByRole('link', { name: /Day after/ })).toBeNull()
  })

  it('shows the whole name of a district in a tooltip where its two lines are too short', async () => {
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(36)
    vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockImplementation(function (this: Element) {
      return this.textContent === 'Near' ? 54 : 36
    })
    vi.stubGlobal(
      'ResizeObserver',
      class extends ResizeObserver {
        readonly #onSize: () => void
        constructor(onSize: () => void) {
          super(onSize)
          this.#onSize = onSize
        }
        override observe() {
          this.#onSize()
        }
      },
    )
    fakeApi(answers)
    renderApp('/app/price-list/7')
    const nearDistrictButton = await screen.findByRole('button', { name: /^Near/ })
    expect(nearDistrictButton.getAttribute('data-tip')).toBe('Near')
    expect(screen.getByRole('button', { name: /^Far/ }).getAttribute('data-tip')).toBeNull()
  })

  it('keeps the focus in the field of the active cell when the user presses beside it', async () => {
    fakeApi(answers)
    renderApp('/app/price-list/7')
    const user = userEvent.setup()
    await user.click(await field('Wheat, Near'))
    await user.click(await findCell('0:0'))
    expect(document.activeElement).toBe(await field('Wheat, Near'))
  })

  it('moves between price cells by keyboard, and saves a cell that is left', async () => {
    const calls = fakeApi(answers)
    renderApp('/app/price-list/7')
    const user = userEvent.setup()
    await user.click(await field('Wheat, Near'))
    await user.keyboard('3150{Enter}')
    expect(document.activeElement).toBe(await field('Rice, Near'))
    await user.keyboard('{Tab}')
    const rice = await field('Rice, Far')
    expect(document.activeElement).toBe(rice)
    expect(rice.value).toBe('9000')
    await user.keyboard('x{Escape}{ArrowUp}')
    expect(document.activeElement).toBe(await field('Wheat, Far'))
    expect((await findCell('0:0')).textContent).toContain('3,150')
    expect(await screen.findByText(/saved at/)).toBeTruthy()
    expect(findPuts(calls)).toEqual([
      {
        data: {
          pricedate: 7,
          market_type: 'retail',
          cells: [{ product: 21, district: 11, price: 3150, price_max: null, unit: 1, version: null }],
        },
      },
    ])
  })

  it('undoes a pasted block of prices as one action, and leaves the focus in place', async () => {
    const calls = fakeApi({
      ...answers,
      'PUT /api/pricelists/grid': ({ body }) => {
        const { cells } = (body as { data: { cells: { product: number; district: number }[] } }).data
        const savedCells = cells.map(({ product, district }) => ({ ...savedCell, product, district, version: 5 }))
        return Response.json({ data: { saved: savedCells, rejected: [] } })
      },
    })
    renderApp('/app/price-list/7')
    const user = userEvent.setup()
    const wheat = await field('Wheat, Near')
    await user.click(wheat)
    await user.paste('3100\t3200\n9100\t9200')
    await waitFor(() => expect(findPuts(calls)).toHaveLength(1))
    expect(sentCell(calls)).toHaveLength(4)
    await user.keyboard('{Control>}z{/Control}')
    await waitFor(() => expect(findPuts(calls).length).toBeGreaterThan(1))
    const undoneCell = sentCell(calls, 1)
    expect(undoneCell).toHaveLength(4)
    expect(undoneCell?.[0]).toMatchObject({ product: 21, district: 11, price: null, version: 5 })
    expect(document.activeElement).toBe(await field('Wheat, Near'))
  })

  it('copies a block of prices, clears the block and fills it down', async () => {
    const calls = fakeApi(answers)
    renderApp('/app/price-list/7')
    const user = userEvent.setup()
    await user.click(await field('Wheat, Near'))
    await user.keyboard('{Shift>}{ArrowDown}{ArrowRight}{/Shift}')
    expect(document.querySelectorAll('[aria-selected="true"]')).toHaveLength(4)
    const clipboard = await user.copy()
    expect(clipboard?.getData('text/plain')).toBe('\t\n\t9000')
    await user.keyboard('{Delete}')
    await waitFor(() => expect(sentCell(calls)).toMatchObject([{ product: 22, district: 12, price: null }]))
  })

  it('keeps text that is no price, asks about it below its cell, and leads back to the cell', async () => {
    const calls = fakeApi(answers)
    renderApp('/app/price-list/7')
    const user = userEvent.setup()
    await user.click(await field('Wheat, Near'))
    await user.keyboard('much{Enter}')
    expect((await findCell('0:0')).dataset['kind']).toBe('unsaved')
    expect(await screen.findByText('Please enter a number')).toBeTruthy()
    await user.keyboard('{F8}{F8}')
    const wheat = await field('Wheat, Near')
    expect(document.activeElement).toBe(wheat)
    expect([wheat.value, wheat.getAttribute('aria-invalid')]).toEqual(['much', 'true'])
    expect(findPuts(calls)).toEqual([])
  })

  it('asks about a probable typing error in a price, and accepts the suggestion on Enter', async () => {
    const calls = fakeApi(answers)
    renderApp('/app/price-list/7')
    const user = userEvent.setup()
    await user.click(await field('Wheat, Near'))
    await user.keyboard('{F8}')
    const question = await screen.findByRole('dialog', { name: /10 times more than usual: 9,000 instead of 900/ })
    expect(question.textContent).toContain('median of 8 prices 900')
    expect(document.activeElement).toBe(await field('Rice, Far'))
    await user.keyboard('{Enter}')
    await waitFor(() => expect(sentCell(calls)).toMatchObject([{ product: 22, district: 12, price: 900, version: 3 }]))
  })

  it('keeps a flagged price only with a note', async () => {
    const calls = fakeApi(answers)
    renderApp('/app/price-list/7')
    const user = userEvent.setup()
    await user.click(await field('Wheat, Near'))
    await user.keyboard('{F8}')
    const question = await screen.findByRole('dialog', { name: /10 times more/ })
    await user.click(within(question).getByRole('button', { name: 'Keep…' }))
    await user.click(within(question).getByRole('button', { name: 'Keep it' }))
    expect(within(question).getByText('Please give a reason')).toBeTruthy()
    await user.type(within(question).getByRole('textbox'), 'Frost')
    await user.click(within(question).getByRole('button', { name: 'Keep it' }))
    await waitFor(() => expect(sentCell(calls)).toMatchObject([{ price: 9000, confirm: true, note: 'Frost' }]))
  })

  it('replaces the text of a cell that was entered again before its price was saved', async () => {
    let answer = (_response: Response): void => {}
    const firstResponse = new Promise<Response>((resolve) => {
      answer = resolve
    })
    let count = 0
    const calls = fakeApi({
      ...answers,
      'PUT /api/pricelists/grid': () => {
        count += 1
        return count === 1
          ? firstResponse
          : Response.json({ data: { saved: [{ ...savedCell, version: 2 }], rejected: [] } })
      },
    })
    renderApp('/app/price-list/7')
    const user = userEvent.setup()
    const wheat = await field('Wheat, Near')
    await user.click(wheat)
    await user.keyboard('3100{Enter}{ArrowUp}')
    await waitFor(() => expect(findPuts(calls)).toHaveLength(1))
    expect((await field('Wheat, Near')).value).toBe('3,100')
    answer(Response.json({ data: { saved: [savedCell], rejected: [] } }))
    await waitFor(async () => expect((await field('Wheat, Near')).value).toBe('3100'))
    await user.keyboard('3200{Enter}')
    await waitFor(() => expect(sentCell(calls, 1)).toMatchObject([{ price: 3200, version: 1 }]))
  })

  it('moves the focus into the question of a cell on F6 and back to the cell, by keyboard alone', async () => {
    const calls = fakeApi(answers)
    renderApp('/app/price-list/7')
    const user = userEvent.setup()
    await user.click(await field('Wheat, Near'))
    await user.keyboard('{F8}')
    const question = await screen.findByRole('dialog', { name: /10 times more/ })
    await user.keyboard('{F6}')
    expect(document.activeElement).toBe(within(question).getByRole('button', { name: /^Keep…/ }))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.activeElement).toBe(await field('Rice, Far'))
    await user.keyboard('{F8}')
    await screen.findByRole('dialog', { name: /10 times more/ })
    await user.keyboard('{F6}{Enter}')
    await waitFor(() => expect(document.activeElement?.tagName).toBe('INPUT'))
    await user.keyboard('Frost{Enter}')
    await waitFor(() => expect(sentCell(calls)).toMatchObject([{ price: 9000, confirm: true, note: 'Frost' }]))
    expect(document.activeElement).toBe(await field('Rice, Far'))
  })

  it('marks a price that was entered after its day, until the price is typed again', async () => {
    const [firstCell, secondCell] = grid.data.cells
    const lateGrid = { ...grid.data, cells: [firstCell, { ...secondCell, late: true }] }
    fakeApi({ ...answers, 'GET /api/pricelists/grid': { ...grid, data: lateGrid } })
    renderApp('/app/price-list/7')
    expect(within(await findCell('1:1')).getByText('Entered late')).toBeTruthy()
    expect(within(await findCell('0:0')).queryByText('Entered late')).toBeNull()
    const user = userEvent.setup()
    await user.click(await findCell('1:1'))
    await user.type(await field('Rice, Far'), '9100')
    await waitFor(async () => expect(within(await findCell('1:1')).queryByText('Entered late')).toBeNull())
  })

  it('carries over prices of the day before, and confirms a carried price with Space', async () => {
    const carriedPrice = { product: 21, district: 11, market_type: 'retail', id: 9, version: 1, unit: 1 }
    const calls = fakeApi({
      ...answers,
      'POST /api/pricelists/copy': {
        data: { cells: [{ ...carriedPrice, price: 3000, price_max: null, state: 'ok', origin: 'carried' }] },
      },
    })
    renderApp('/app/price-list/7')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'As yesterday' }))
    await waitFor(async () => expect((await findCell('0:0')).dataset['kind']).toBe('carried'))
    expect(calls.find(({ path }) => path === '/api/pricelists/copy')?.body).toEqual({
      data: { to: '2026-03-09', market_type: 'retail', only_empty: true, products: [21, 22], districts: [11, 12] },
    })
    await user.click(await field('Wheat, Near'))
    await user.keyboard(' ')
    await waitFor(() => expect(sentCell(calls)).toMatchObject([{ price: 3000, confirm: true, version: 1 }]))
    await waitFor(async () => expect((await findCell('0:0')).dataset['kind']).toBe('entered'))
  })

  it('waits for the connection and sends the typed price when it is back', async () => {
    let isUnreachable = true
    const calls = fakeApi({
      ...answers,
      'PUT /api/pricelists/grid': () => {
        if (isUnreachable) throw new TypeError('Failed to fetch')
        return Response.json({ data: { saved: [savedCell], rejected: [] } })
      },
    })
    renderApp('/app/price-list/7')
    const user = userEvent.setup()
    await user.click(await field('Wheat, Near'))
    await user.keyboard('3150{Enter}')
    expect(await screen.findByText('1 waits to be sent')).toBeTruthy()
    isUnreachable = false
    fireEvent(window, new Event('online'))
    expect(await screen.findByText(/saved at/)).toBeTruthy()
    expect(findPuts(calls)).toHaveLength(2)
  })

  it('moves to the cell that had a price on the day before', async () => {
    fakeApi(answers)
    renderApp('/app/price-list/7')
    const user = userEvent.setup()
    await user.click(await field('Wheat, Near'))
    await user.keyboard('{ArrowDown}{F7}')
    expect(document.activeElement).toBe(await field('Wheat, Near'))
  })

  it('marks a district without a market', async () => {
    const calls = fakeApi({ ...answers, 'PUT /api/pricedates/7': day('draft') })
    renderApp('/app/price-list/7')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: /Far/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'No market on this day' }))
    await waitFor(() => expect(findPuts(calls)).toEqual([{ data: { no_market: { connect: [12] } } }]))
  })
})

describe('publishing a day', () => {
  const openDialog = async (user: ReturnType<typeof userEvent.setup>) => {
    await user.click(await screen.findByRole('button', { name: 'Publish…' }))
    return screen.findByRole('dialog', { name: 'Publish the prices of 09.03.2026?' })
  }

  it('names unsaved cells and cells to confirm before publishing, and leads to the first of them', async () => {
    const wait = {
      product: makeNamedItem(22, 'Rice'),
      district: makeNamedItem(12, 'Far'),
      region: 1,
      market_type: 'retail',
      price: 9000,
    }
    const review = { ...emptyDay, counts: { ...emptyDay.counts, confirm: 1 }, confirm: [{ ...wait, prev: null }] }
    fakeApi({
      ...answers,
      'GET /api/pricedates/7': day('checking'),
      'GET /api/pricedates/7/review': { data: review },
    })
    renderApp('/app/price-list/7')
    const user = userEvent.setup()
    await user.click(await field('Wheat, Near'))
    await user.keyboard('much{Enter}')
    const dialog = await openDialog(user)
    expect(await within(dialog).findByText(/Wheat, Near: «much» Please enter a number/)).toBeTruthy()
    expect(within(dialog).getByText('confirm: Rice 9,000')).toBeTruthy()
    expect(
      within(dialog)
        .getByRole('button', { name: /^Publish/ })
        .getAttribute('aria-disabled'),
    ).toBe('true')
    await user.click(within(dialog).getByRole('button', { name: 'To the first of 2' }))
    await waitFor(async () => expect(document.activeElement).toBe(await field('Wheat, Near')))
  })

  it('publishes a day with gaps and carried prices once they are ticked, then allows only corrections', async () => {
    let state = 'checking'
    const review = {
      ...emptyDay,
      counts: { ...emptyDay.counts, missing: 1, carried: 1 },
      gaps: [{ district: makeNamedItem(11, 'Near'), region: 1, count: 1 }],
    }
    const calls = fakeApi({
      ...answers,
      'GET /api/pricedates/7': () => Response.json(day(state, 1)),
      'GET /api/pricedates/7/review': { data: review },
      'POST /api/pricedates/7/publish': () => {
        state = 'published'
        return Response.json(day(state, 1))
      },
    })
    renderApp('/app/price-list/7')
    const user = userEvent.setup()
    const dialog = await openDialog(user)
    await user.click(await within(dialog).findByRole('checkbox', { name: 'Publish without this price' }))
    await user.click(within(dialog).getByRole('checkbox', { name: 'Publish carried-over prices as they are' }))
    await user.click(within(dialog).getByRole('button', { name: /^Publish/ }))
    expect(await screen.findByText(/This day is published/)).toBeTruthy()
    expect(screen.queryByRole('textbox', { name: 'Wheat, Near' })).toBeNull()
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      data: { version: 4, allow_missing: true, allow_carried: true },
    })
    expect(screen.getByRole('button', { name: 'Reopen' })).toBeTruthy()
  })

  it('keeps the question about publishing open while the day is still being submitted', async () => {
    let state = 'draft'
    const { promise: answerPromise, resolve: answer } = Promise.withResolvers<void>()
    const calls = fakeApi({
      ...answers,
      'GET /api/pricedates/7': () => Response.json(day(state)),
      'POST /api/pricedates/7/submit': async () => {
        await answerPromise
        state = 'checking'
        return Response.json(day(state))
      },
      'POST /api/pricedates/7/publish': () => {
        state = 'published'
        return Response.json(day(state))
      },
    })
    renderApp('/app/price-list/7')
    const user = userEvent.setup()
    const publishButton = await screen.findByRole('button', { name: 'Publish…' })
    fireEvent.click(screen.getByRole('button', { name: 'Submit for checking' }))
    fireEvent.click(publishButton)
    const dialog = await screen.findByRole('dialog', { name: 'Publish the prices of 09.03.2026?' })
    expect(
      within(dialog)
        .getByRole('button', { name: /Publish/ })
        .getAttribute('aria-busy'),
    ).toBe('true')
    answer()
    await waitFor(() =>
      expect(
        within(dialog)
          .getByRole('button', { name: /Publish/ })
          .getAttribute('aria-busy'),
      ).toBeNull(),
    )
    await user.click(within(dialog).getByRole('button', { name: /Publish/ }))
    expect(await screen.findByText(/This day is published/)).toBeTruthy()
    const steps = calls.filter(({ method }) => method === 'POST').map(({ path }) => path)
    expect(steps).toEqual(['/api/pricedates/7/submit', '/api/pricedates/7/publish'])
  })

  it('shows the reason of refused publishing in the dialog', async () => {
    fakeApi({
      ...answers,
      'GET /api/pricedates/7': day('checking'),
      'POST /api/pricedates/7/publish': () =>
        Response.json(
          {
            data: null,
            error: {
              status: 422,
              name: 'UnprocessableEntityError',
              message: 'x',
              code: 'price.unconfirmed',
              details: { count: 3, params: { count: 3 } },
            },
          },
          { status: 422 },
        ),
    })
    renderApp('/app/price-list/7')
    const user = userEvent.setup()
    const dialog = await openDialog(user)
    await user.click(await within(dialog).findByRole('button', { name: /^Publish/ }))
    expect((await within(dialog).findByRole('alert')).textContent).toBe('3 prices need to be confirmed first')
  })
})

describe('the landmarks of a day', () => {
  it('gives the landmarks of a day of prices unique names', async () => {
    fakeApi({ ...answers, 'GET /api/pricedates/7': day('published') })
    renderApp('/app/price-list/7')
    await screen.findByText(/This day is published/)
    const names = screen.getAllByRole('region').map((region) => region.getAttribute('aria-label'))
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('a published day', () => {
  it('accepts the correction of one published price with a reason, and keeps the day published', async () => {
    const calls = fakeApi({ ...answers, 'GET /api/pricedates/7': day('published') })
    renderApp('/app/price-list/7')
    const user = userEvent.setup()
    await user.click(await findCell('1:1'))
    const dialog = await screen.findByRole('dialog', { name: 'Correct with a reason' })
    const price = within(dialog).getByRole<HTMLInputElement>('textbox', { name: /Price/ })
    expect(price.value).toBe('9000')
    await user.clear(price)
    await user.type(price, '9100')
    await user.click(within(dialog).getByRole('button', { name: 'Save' }))
    expect(within(dialog).getByText('Please give a reason')).toBeTruthy()
    await user.type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'Misread')
    await user.click(within(dialog).getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(sentCell(calls)).toMatchObject([{ price: 9100, note: 'Misread', version: 3 }]))
    expect(calls.some(({ path }) => path.endsWith('/reopen'))).toBe(false)
  })

  it('offers no transition and no editable cell of a day to a user who may only read', async () => {
    const reader = { ...owner, role: { id: 4, name: 'Authenticated', type: 'authenticated' } }
    fakeApi({ ...answers, 'GET /api/users/me': reader, 'GET /api/pricedates/7': day('published') })
    renderApp('/app/price-list/7')
    expect(await screen.findByText('9,000')).toBeTruthy()
    for (const name of ['Reopen', 'Edit', 'As yesterday']) expect(screen.queryByRole('button', { name })).toBeNull()
  })

  it('loads a published day again after a failure', async () => {
    let isBroken = true
    fakeApi({
      ...answers,
      'GET /api/pricelists/grid': () =>
        isBroken ? errorAnswer(500, 'InternalServerError', 'x', 'server.internal') : Response.json(grid),
    })
    renderApp('/app/price-list/7')
    const retry = await screen.findByRole('button', { name: 'Try again' })
    isBroken = false
    await userEvent.setup().click(retry)
    expect(await field('Wheat, Near')).toBeTruthy()
  })
})
