import { render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { showToast } from './toast.ts'
import { Toasts } from './toasts.tsx'

let isReachable = false
vi.mock('./toast-list.tsx', () => {
  if (!isReachable) throw new TypeError('Failed to fetch dynamically imported module')
  return { ToastList: () => <p>The list</p> }
})

describe('Toasts', () => {
  it('leaves the page alone when the list of toasts cannot be loaded, and tries again', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    vi.stubGlobal('fetch', () => (isReachable ? Promise.resolve(new Response()) : Promise.reject(new TypeError())))
    render(
      <>
        <p>The page</p>
        <Toasts />
      </>,
    )
    showToast({ kind: 'error', title: 'No connection' })
    await vi.advanceTimersByTimeAsync(4_000)
    expect(screen.getByText('The page')).toBeTruthy()
    expect(screen.queryByText('The list')).toBeNull()
    isReachable = true
    await vi.advanceTimersByTimeAsync(6_000)
    expect(await screen.findByText('The list')).toBeTruthy()
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })
})
