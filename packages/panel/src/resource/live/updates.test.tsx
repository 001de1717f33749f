/**
 * Tests that a colleague's change shows gently: values change in place, rows move only when the user asks.
 */
import { QueryObserver } from '@tanstack/react-query'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setConnected } from '../../api/connection.ts'
import type { ChangeUpdate } from '../../api/live.ts'
import { fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { startLiveUpdates } from './updates.ts'

const socket = vi.hoisted(() => ({
  listeners: new Set<(update: ChangeUpdate) => void>(),
  inboxListeners: new Set<() => void>(),
}))
// Only the socket is faked, because other test files of the worker may load the module.
vi.mock('../../api/live.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  openLiveSocket: () => () => {},
  onChanged: (listener: (update: ChangeUpdate) => void) => {
    socket.listeners.add(listener)
    return () => socket.listeners.delete(listener)
  },
  onInboxChanged: (listener: () => void) => {
    socket.inboxListeners.add(listener)
    return () => socket.inboxListeners.delete(listener)
  },
}))

const unit = ([id, code]: readonly [number, string]) => ({ id, attributes: { name: { en: code }, code, active: true } })
let storedUnits: (readonly [number, string])[] = []
let stopUpdates = () => {}

beforeEach(() => {
  localStorage.setItem('token', 'a')
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(() => stopUpdates())

async function openUnits() {
  const calls = fakeApi({
    'GET /api/users/me': owner,
    'GET /api/units': () => {
      const pagination = { page: 1, pageSize: 15, pageCount: 1, total: storedUnits.length }
      return Response.json({ data: storedUnits.map(unit), meta: { pagination } })
    },
  })
  const { queryClient } = renderApp('/app/settings/unit')
  await screen.findByRole('link', { name: storedUnits[0]?.[1] ?? '' })
  stopUpdates = startLiveUpdates(queryClient, () => {})
  return calls
}
const receiveUpdate = (update: ChangeUpdate) => act(() => socket.listeners.forEach((listener) => listener(update)))
const readShownUnits = () =>
  screen.getAllByRole('row').flatMap((row) => /kg|sack|tonne|litre/.exec(row.textContent ?? '')?.[0] ?? [])

describe('a list with changes of a colleague', () => {
  it('takes a colleague’s new value into a list in place, without a notice', async () => {
    storedUnits = [
      [1, 'kg'],
      [2, 'sack'],
    ]
    await openUnits()
    storedUnits = [
      [1, 'kg'],
      [2, 'litre'],
    ]
    receiveUpdate(['units'])
    await waitFor(() => expect(readShownUnits()).toEqual(['kg', 'litre']))
    expect(screen.queryByText('Colleagues have changed this list.')).toBeNull()
  })

  it('keeps the rows of a list in place until the user asks for the changes of a colleague', async () => {
    storedUnits = [
      [1, 'kg'],
      [2, 'sack'],
    ]
    await openUnits()
    storedUnits = [
      [3, 'tonne'],
      [1, 'kg'],
      [2, 'sack'],
    ]
    receiveUpdate('all')
    await screen.findByText('Colleagues have changed this list.')
    expect(readShownUnits()).toEqual(['kg', 'sack'])
    await userEvent.click(screen.getByRole('button', { name: 'Show the changes' }))
    await waitFor(() => expect(readShownUnits()).toEqual(['tonne', 'kg', 'sack']))
    expect(screen.queryByText('Colleagues have changed this list.')).toBeNull()
  })

  it('requests after an update only the records that the screen shows', async () => {
    storedUnits = [[1, 'kg']]
    const calls = await openUnits()
    const formerCount = calls.length
    receiveUpdate(['news'])
    receiveUpdate(['units'])
    const wasRequested = (path: string) => calls.slice(formerCount).some((sentCall) => sentCall.path === path)
    await waitFor(() => expect(wasRequested('/api/units')).toBe(true))
    expect(wasRequested('/api/news')).toBe(false)
  })
})

const cell = { product: 21, district: 11, unit: 1, note: null, prev: null, change_pct: null, flag: null, late: false }
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
  beforeEach(() => setConnected(true, 'own'))
  afterEach(() => setConnected(false))

  /** The server emits changes to every page except the one that made them. */
  const emitChangeOf = (socket: string | null) => socket !== 'own' && receiveUpdate(['pricelists', 'pricedates'])

  it('requests no prices after its own save, and the table once after a change of a colleague', async () => {
    let storedGrid = gridWith(3000, 1)
    const day = { date: '2026-03-09', state: 'draft', coverage: null, version: 4, published_by: { data: null } }
    const calls = fakeApi({
      'GET /api/users/me': owner,
      'GET /api/pricedates/7': { data: { id: 7, attributes: day }, meta: {} },
      'GET /api/pricedates': { data: [{ id: 6, attributes: { date: '2026-03-06' } }], meta: { pagination: {} } },
      'GET /api/pricelists/grid': () => Response.json(storedGrid),
      'PUT /api/pricelists/grid': ({ socket }) => {
        storedGrid = gridWith(3150, 2)
        emitChangeOf(socket)
        const savedPrice = { product: 21, district: 11, id: 5, version: 2, state: 'ok', origin: 'entered', flag: null }
        return Response.json({ data: { saved: [savedPrice], rejected: [] } })
      },
    })
    const { queryClient } = renderApp('/app/price-list/7')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('textbox', { name: 'Wheat, Near' }))
    await screen.findByRole('link', { name: 'Day before, 06.03.2026' })
    stopUpdates = startLiveUpdates(queryClient, () => {})
    const witnessListener = vi.fn<() => number>(() => 1)
    const stopWitness = new QueryObserver(queryClient, {
      queryKey: ['resource', 'units', 'witness'],
      queryFn: witnessListener,
    }).subscribe(() => {})
    await waitFor(() => expect(witnessListener).toHaveBeenCalledTimes(1))

    const formerCount = calls.length
    // The requests of the page are counted once it is quiet; those of the menu's own counts are left out.
    const isOfPage = ({ path, query }: (typeof calls)[number]) =>
      path === '/api/pricelists/grid' || path === '/api/pricedates/7' || query.includes('filters[date]')
    const sentCalls = () =>
      calls
        .slice(formerCount)
        .filter(isOfPage)
        .map(({ method, path }) => `${method} ${path}`)
    await user.keyboard('3150{Enter}')
    await screen.findByText(/saved at/)
    // When the list of units is requested again, all changes that were emitted before have been handled.
    receiveUpdate(['units'])
    await waitFor(() => expect(witnessListener).toHaveBeenCalledTimes(2))
    expect(sentCalls()).toEqual(['PUT /api/pricelists/grid'])

    storedGrid = gridWith(3300, 3)
    emitChangeOf('colleague')
    expect(await screen.findByDisplayValue('3300')).toBeTruthy()
    expect(sentCalls().filter((call) => call === 'GET /api/pricelists/grid')).toHaveLength(1)
    stopWitness()
  })
})

describe('the inbox with a new notice', () => {
  it('shows the count of unread notices when the server reports a change of the inbox', async () => {
    let unreadCount = 0
    fakeApi({
      'GET /api/users/me': owner,
      'GET /api/notices': () =>
        Response.json({
          data: [],
          meta: { pagination: { page: 1, pageSize: 20, pageCount: 1, total: 0 }, unread: unreadCount },
        }),
    })
    const { queryClient } = renderApp('/app/news')
    await screen.findByRole('button', { name: 'Notifications' })
    stopUpdates = startLiveUpdates(queryClient, () => {})
    unreadCount = 3
    act(() => socket.inboxListeners.forEach((listener) => listener()))
    expect(await screen.findByRole('button', { name: 'Notifications, 3 unread' })).toBeTruthy()
  })
})
