import type { RoomRow } from '@dala/model'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it, vi } from 'vitest'
import * as live from '../../../api/live.ts'
import { aybek, chatMessage } from '../../../testing/chat-message.ts'
import { fakeApi } from '../../../testing/fake-api.ts'
import { useDeskLive } from './desk-live.ts'
import { roomStoresOf, useRoomLog } from './use-room-log.ts'

/** Listeners of the chat desk, by event. */
const listeners = new Map<string, Set<(payload: never) => void>>()
const receiveEvent = (name: string, payload: unknown) => {
  for (const listener of listeners.get(name) ?? []) listener(payload as never)
}

const testTime = '2026-03-01T10:00:00.000Z'
const row: RoomRow = {
  id: 1,
  room: 'room-1',
  sender: aybek,
  receiver: null,
  assignee: null,
  unread_message: 1,
  last_message: null,
  state: 'open',
  rev: 2,
  waiting_since: testTime,
  warn_at: testTime,
  due_at: testTime,
  language: 'kaa',
  tags: [],
  createdAt: testTime,
  updatedAt: testTime,
}

it('applies a public message once, though the server emits two events for the message', async () => {
  // The test uses a spy instead of a module mock: other files of the worker have loaded the desk already.
  vi.spyOn(live, 'onChat').mockImplementation((name, listener) => {
    const nameListeners = listeners.get(name) ?? new Set()
    listeners.set(name, nameListeners.add(listener))
    return () => void nameListeners.delete(listener)
  })
  localStorage.setItem('token', 'a')
  fakeApi({
    'GET /api/chatmessages': {
      results: [chatMessage(1)],
      cursor: { has_older: false, has_newer: false },
      rev: 1,
    },
  })
  const cache = new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={cache}>{children}</QueryClientProvider>
  )
  const useRoom = () => {
    useDeskLive(4)
    return useRoomLog(1)
  }
  const { result, unmount } = renderHook(useRoom, { wrapper })
  await waitFor(() => expect(result.current.isSynced).toBe(true))
  const store = roomStoresOf(cache).get(1)
  if (!store) throw new Error('the room is not open')
  const applyChangeSpy = vi.spyOn(store, 'applyChange')
  const [data, revisions] = [chatMessage(2), { rev: 2, prev: 1 }]
  act(() => {
    receiveEvent('update', { status: 'created', room: 1, ...revisions, data })
    receiveEvent('room:changed', { room: 1, change: { type: 'created', ...revisions, data }, row })
  })
  expect(applyChangeSpy).toHaveBeenCalledTimes(1)
  expect(result.current.messages.map(({ text }) => text)).toEqual(['m1', 'm2'])
  unmount()
  vi.restoreAllMocks()
})
