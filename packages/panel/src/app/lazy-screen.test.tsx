import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CrashScreen } from './crash-screen.tsx'
import { lazyScreen } from './lazy-screen.ts'

function show(load: Parameters<typeof lazyScreen>[0]) {
  const routeTree = createRootRoute({ component: lazyScreen(load), errorComponent: CrashScreen })
  // The router logs the errors that it catches, which are expected here.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  render(<RouterProvider router={createRouter({ routeTree, history: createMemoryHistory() })} />)
}

const Page = () => <h1>Prices</h1>
const setOnline = (online: boolean) =>
  act(() => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online)
    window.dispatchEvent(new Event(online ? 'online' : 'offline'))
  })

afterEach(() => vi.restoreAllMocks())

describe('a screen that could not be loaded', () => {
  it('reports the lost connection, offers no reload, and opens the screen when the connection is back', async () => {
    setOnline(false)
    show(vi.fn().mockRejectedValueOnce(new TypeError('network')).mockResolvedValue(Page))
    expect(await screen.findByText(/There is no internet connection/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Reload the page' })).toBeNull()
    setOnline(true)
    expect(await screen.findByRole('heading', { name: 'Prices' })).toBeTruthy()
  })

  it('loads a failed screen again when the user presses “Try again”', async () => {
    show(vi.fn().mockRejectedValueOnce(new TypeError('server')).mockResolvedValue(Page))
    await userEvent.setup().click(await screen.findByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('heading', { name: 'Prices' })).toBeTruthy()
  })
})
