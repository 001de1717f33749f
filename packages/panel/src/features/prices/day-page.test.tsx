import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { errorAnswer, fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

const day = (state: string, filled = 2) => ({
  data: {
    id: 7,
    attributes: {
      date: '2026-03-09',
      state,
      coverage: { expected: 2, filled, carried: 0, flagged: 0 },
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
const cell = { id: null, price: null, price_max: null, unit: null, state: null, origin: null, flag: null, note: null }
const grid = {
  data: {
    pricedate: { id: 7, date: '2026-03-09', state: 'draft', version: 4 },
    region: 1,
    districts: [
      { id: 11, name: 'Near' },
      { id: 12, name: 'Far' },
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
  'PUT /api/pricelists/grid': { data: { saved: [{ product: 21, district: 11, id: 9, version: 1 }], rejected: [] } },
}
const field = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name })

beforeEach(() => localStorage.setItem('token', 'a'))

describe('a day of prices', () => {
  it('is walked through by the keyboard; a left field is saved', async () => {
    const calls = fakeApi(answers)
    renderApp('/app/price-list/7')
    const user = userEvent.setup()
    await user.click(await field('Wheat, Near'))
    await user.keyboard('3150{Enter}')
    expect(document.activeElement).toBe(await field('Rice, Near'))
    await user.keyboard('{ArrowRight}')
    const rice = await field('Rice, Far')
    expect(document.activeElement).toBe(rice)
    expect(rice.value).toBe('9000')
    await user.keyboard('x{Escape}{ArrowUp}')
    expect(document.activeElement).toBe(await field('Wheat, Far'))
    expect(rice.value).toBe('9,000')
    expect((await field('Wheat, Near')).value).toBe('3,150')
    expect(await screen.findByText('Saved')).toBeTruthy()
    // 5 % above the published day before.
    expect(screen.getByText('5 %')).toBeTruthy()
    expect(calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
      {
        data: {
          pricedate: 7,
          market_type: 'retail',
          cells: [{ product: 21, district: 11, price: 3150, price_max: null, unit: 1, version: null }],
        },
      },
    ])
  })

  it('keeps what is no price, says so at the field, and leads back to it', async () => {
    const calls = fakeApi(answers)
    renderApp('/app/price-list/7')
    const user = userEvent.setup()
    const wheat = await field('Wheat, Near')
    await user.click(wheat)
    await user.keyboard('much{Enter}')
    expect([wheat.value, wheat.getAttribute('aria-invalid')]).toEqual(['much', 'true'])
    expect(screen.getByText('Please enter a number')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: '1 price to correct' }))
    expect(document.activeElement).toBe(wheat)
    expect(calls.some(({ method }) => method === 'PUT')).toBe(false)
  })

  it('leads to the field that the day before had', async () => {
    fakeApi(answers)
    renderApp('/app/price-list/7')
    await field('Wheat, Near')
    await userEvent.setup().click(screen.getByRole('button', { name: 'Next empty' }))
    expect(document.activeElement).toBe(await field('Wheat, Near'))
  })

  it('says in its place why it cannot be published, with the count', async () => {
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
              details: { count: 3 },
            },
          },
          { status: 422 },
        ),
    })
    renderApp('/app/price-list/7')
    await userEvent.setup().click(await screen.findByRole('button', { name: 'Publish' }))
    expect((await screen.findByRole('alert')).textContent).toBe('3 prices need to be confirmed first')
  })

  it('asks before it is published with gaps, and once it is published is only read', async () => {
    let state = 'checking'
    const calls = fakeApi({
      ...answers,
      'GET /api/pricedates/7': () => Response.json(day(state, 1)),
      'POST /api/pricedates/7/publish': () => {
        state = 'published'
        return Response.json(day(state, 1))
      },
    })
    renderApp('/app/price-list/7')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Publish' }))
    const dialog = await screen.findByRole('dialog', { name: 'Publish with gaps?' })
    await user.click(within(dialog).getByRole('button', { name: 'Publish' }))
    expect(await screen.findByText(/This day is published/)).toBeTruthy()
    expect(screen.queryByRole('textbox', { name: 'Wheat, Near' })).toBeNull()
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ data: { version: 4 } })
    expect(screen.getByRole('button', { name: 'Reopen' })).toBeTruthy()
  })

  it('offers no step and no field to who may only read', async () => {
    const reader = { ...owner, role: { id: 4, name: 'Authenticated', type: 'authenticated' } }
    fakeApi({ ...answers, 'GET /api/users/me': reader, 'GET /api/pricedates/7': day('published') })
    renderApp('/app/price-list/7')
    expect(await screen.findByText('9,000')).toBeTruthy()
    for (const name of ['Reopen', 'Edit', 'Next empty']) expect(screen.queryByRole('button', { name })).toBeNull()
  })

  it('can be read again after a failure', async () => {
    let broken = true
    fakeApi({
      ...answers,
      'GET /api/pricelists/grid': () =>
        broken ? errorAnswer(500, 'InternalServerError', 'x', 'server.internal') : Response.json(grid),
    })
    renderApp('/app/price-list/7')
    const retry = await screen.findByRole('button', { name: 'Try again' })
    broken = false
    await userEvent.setup().click(retry)
    expect(await field('Wheat, Near')).toBeTruthy()
  })
})
