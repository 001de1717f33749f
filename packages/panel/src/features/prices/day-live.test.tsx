/** A day of prices and its socket: own prices are not asked for again, those of colleagues are. */
import { QueryObserver } from '@tanstack/react-query'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setConnected } from '../../api/connection.ts'
import type { ChangeNews } from '../../api/live.ts'
import { startLiveUpdates } from '../../resource/live-updates.ts'
import { fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

const server = vi.hoisted(() => ({ listeners: new Set<(news: ChangeNews) => void>() }))
vi.mock('../../api/live.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  openLive: () => () => {},
  onChanged: (listener: (news: ChangeNews) => void) => {
    server.listeners.add(listener)
    return () => server.listeners.delete(listener)
  },
}))
const emit = (news: ChangeNews) => act(() => server.listeners.forEach((listener) => listener(news)))
/** The server emits changes to every page but the one that made them. */
const emitChangeOf = (socket: string | null) => socket !== 'own' && emit(['pricelists', 'pricedates'])

let stop = () => {}
beforeEach(() => {
  localStorage.setItem('token', 'a')
  vi.spyOn(Math, 'random').mockReturnValue(0)
  setConnected(true, 'own')
})
afterEach(() => {
  stop()
  setConnected(false)
})

const cell = { product: 21, district: 11, unit: 1, note: null, prev: null, change_pct: null, flag: null }
const gridWith = (price: number, version: number) => ({
  data: {
    pricedate: { id: 7, date: '2026-03-09', state: 'draft', version: 4 },
    region: 1,
    districts: [{ id: 11, name: 'Near', no_market: false }],
    products: [{ id: 21, name: 'Wheat', unit: { id: 1, name: 'kg' } }],
    cells: [{ ...cell, id: 5, price, price_max: null, state: 'ok', origin: 'entered', version }],
  },
  meta: { regions: [{ id: 1, name: 'Region' }], categories: [], more: false },
})

describe('a day of prices', () => {
  it('asks for nothing again after its own save, and once for its table after a change of a colleague', async () => {
    let stored = gridWith(3000, 1)
    const day = { date: '2026-03-09', state: 'draft', coverage: null, version: 4, published_by: { data: null } }
    const calls = fakeApi({
      'GET /api/users/me': owner,
      'GET /api/pricedates/7': { data: { id: 7, attributes: day }, meta: {} },
      'GET /api/pricedates': { data: [{ id: 6, attributes: { date: '2026-03-06' } }], meta: { pagination: {} } },
      'GET /api/pricelists/grid': () => Response.json(stored),
      'PUT /api/pricelists/grid': ({ socket }) => {
        stored = gridWith(3150, 2)
        emitChangeOf(socket)
        const saved = { product: 21, district: 11, id: 5, version: 2, state: 'ok', origin: 'entered', flag: null }
        return Response.json({ data: { saved: [saved], rejected: [] } })
      },
    })
    const { queryClient } = renderApp('/app/price-list/7')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('textbox', { name: 'Wheat, Near' }))
    await screen.findByRole('link', { name: 'Day before, 06.03.2026' })
    stop = startLiveUpdates(queryClient, () => {})
    const witness = vi.fn<() => number>(() => 1)
    const stopWitness = new QueryObserver(queryClient, {
      queryKey: ['resource', 'units', 'witness'],
      queryFn: witness,
    }).subscribe(() => {})
    await waitFor(() => expect(witness).toHaveBeenCalledTimes(1))

    const before = calls.length
    // Without what the menu counts by itself, once the page is quiet.
    const isOfPage = ({ path, query }: (typeof calls)[number]) =>
      path === '/api/pricelists/grid' || path === '/api/pricedates/7' || query.includes('filters[date]')
    const asked = () =>
      calls
        .slice(before)
        .filter(isOfPage)
        .map(({ method, path }) => `${method} ${path}`)
    await user.keyboard('3150{Enter}')
    await screen.findByText(/saved at/)
    // Everything that was emitted until now has been worked off when the witness is asked again.
    emit(['units'])
    await waitFor(() => expect(witness).toHaveBeenCalledTimes(2))
    expect(asked()).toEqual(['PUT /api/pricelists/grid'])

    stored = gridWith(3300, 3)
    emitChangeOf('colleague')
    expect(await screen.findByDisplayValue('3300')).toBeTruthy()
    expect(asked().filter((call) => call === 'GET /api/pricelists/grid')).toHaveLength(1)
    stopWitness()
  })
})
