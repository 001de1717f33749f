import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildQueryClient } from '../../api/query-client.ts'
import { loadFeatureMessages } from '../../lib/i18n.ts'
import { fakeApi } from '../../testing/fake-api.ts'
import { DemoBar } from './demo-bar.tsx'

const pagination = { page: 1, pageSize: 20, pageCount: 0, total: 0 }

beforeEach(() => localStorage.setItem('token', 'a'))
afterEach(() => vi.useRealTimers())

describe('the progress of the demo content', () => {
  it('shows the progress of the demo content while it is being added, and hides the bar at the end', async () => {
    await loadFeatureMessages()
    let demoProgress: { done: number; parts: number } | undefined = { done: 207, parts: 334 }
    const calls = fakeApi({
      'GET /api/notices': () =>
        Response.json({ data: [], meta: { pagination, unread: 0, ...(demoProgress && { demo: demoProgress }) } }),
    })
    const listeners = new Set<() => void>()
    const listenToChanges = (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }
    render(
      <QueryClientProvider client={buildQueryClient(() => undefined)}>
        <DemoBar subscribe={listenToChanges} />
      </QueryClientProvider>,
    )
    expect(await screen.findByText(/Demo content is being added: 61%/)).toBeTruthy()
    expect(screen.getByRole('progressbar', { name: /Demo content/ })).toBeTruthy()

    demoProgress = undefined
    vi.useFakeTimers({ shouldAdvanceTime: true })
    // A hundred changes of the demo content cause one call.
    for (let count = 0; count < 100; count += 1) act(() => listeners.forEach((listener) => listener()))
    await act(() => vi.advanceTimersByTimeAsync(2_500))
    await waitFor(() => expect(screen.queryByText(/Demo content is being added/)).toBeNull())
    expect(calls).toHaveLength(2)
    expect(listeners.size).toBe(0)
  })
})
