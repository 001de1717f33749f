/** A colleague's change shows softly: values change where they stand, rows move only when the reader asks. */
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ChangeNews } from '../api/live.ts'
import { fakeApi, owner } from '../testing/fake-api.ts'
import { renderApp } from '../testing/render-app.tsx'
import { startLiveUpdates } from './live-updates.ts'

const socket = vi.hoisted(() => ({ listeners: new Set<(news: ChangeNews) => void>() }))
vi.mock('../api/live.ts', () => ({
  openLive: () => () => {},
  onChanged: (listener: (news: ChangeNews) => void) => {
    socket.listeners.add(listener)
    return () => socket.listeners.delete(listener)
  },
}))

const unit = ([id, code]: readonly [number, string]) => ({ id, attributes: { name: { en: code }, code, active: true } })
let stored: (readonly [number, string])[] = []
let stop = () => {}

beforeEach(() => {
  localStorage.setItem('token', 'a')
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(() => stop())

async function openUnits() {
  const calls = fakeApi({
    'GET /api/users/me': owner,
    'GET /api/units': () => {
      const pagination = { page: 1, pageSize: 15, pageCount: 1, total: stored.length }
      return Response.json({ data: stored.map(unit), meta: { pagination } })
    },
  })
  const { queryClient } = renderApp('/app/settings/unit')
  await screen.findByRole('link', { name: stored[0]?.[1] ?? '' })
  stop = startLiveUpdates(queryClient, () => {})
  return calls
}
const hear = (news: ChangeNews) => act(() => socket.listeners.forEach((listener) => listener(news)))
const shown = () =>
  screen.getAllByRole('row').flatMap((row) => /kg|sack|tonne|litre/.exec(row.textContent ?? '')?.[0] ?? [])

describe('a list', () => {
  it('takes over a value where it stands, without a word', async () => {
    stored = [
      [1, 'kg'],
      [2, 'sack'],
    ]
    await openUnits()
    stored = [
      [1, 'kg'],
      [2, 'litre'],
    ]
    hear(['units'])
    await waitFor(() => expect(shown()).toEqual(['kg', 'litre']))
    expect(screen.queryByText('Colleagues have changed this list.')).toBeNull()
  })

  it('keeps its rows where they are until the reader asks for what is new', async () => {
    stored = [
      [1, 'kg'],
      [2, 'sack'],
    ]
    await openUnits()
    stored = [
      [3, 'tonne'],
      [1, 'kg'],
      [2, 'sack'],
    ]
    hear('all')
    await screen.findByText('Colleagues have changed this list.')
    expect(shown()).toEqual(['kg', 'sack'])
    await userEvent.click(screen.getByRole('button', { name: 'Show the changes' }))
    await waitFor(() => expect(shown()).toEqual(['tonne', 'kg', 'sack']))
    expect(screen.queryByText('Colleagues have changed this list.')).toBeNull()
  })

  it('does not ask about what it does not show', async () => {
    stored = [[1, 'kg']]
    const calls = await openUnits()
    const before = calls.length
    hear(['news'])
    hear(['units'])
    const askedFor = (path: string) => calls.slice(before).some((one) => one.path === path)
    await waitFor(() => expect(askedFor('/api/units')).toBe(true))
    expect(askedFor('/api/news')).toBe(false)
  })
})
