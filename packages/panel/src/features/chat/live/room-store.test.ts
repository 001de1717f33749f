import { beforeEach, describe, expect, it, vi } from 'vitest'
import { chatMessage as message } from '../../../testing/chat-message.ts'
import { fakeApi, type FakeCall } from '../../../testing/fake-api.ts'
import { buildRoomStore } from './room-store.ts'

const makeCreatedEvent = (seq: number) => ({ rev: seq, prev: seq - 1, type: 'created' as const, data: message(seq) })

/** Serves a chat room with the given number of messages. */
function makeServer(room: { size: number; answers: boolean }): FakeCall[] {
  const makeMessages = () => Array.from({ length: room.size }, (_, index) => message(index + 1))
  const answer = (body: object) => (room.answers ? Response.json(body) : Promise.reject(new TypeError('network')))
  return fakeApi({
    'GET /api/chatmessages': () =>
      answer({ results: makeMessages(), cursor: { has_older: false, has_newer: false }, rev: room.size }),
    'GET /api/chatrooms/1/changes': ({ query }) => {
      const lastRev = Number(new URLSearchParams(query).get('after'))
      const results = makeMessages().flatMap(({ seq }) => (seq > lastRev ? makeCreatedEvent(seq) : []))
      return answer({ results, rev: room.size, complete: true, reset: false })
    },
  })
}
const texts = (store: ReturnType<typeof buildRoomStore>) => store.read().messages.map(({ text }) => text)
const requestedChanges = (calls: readonly FakeCall[]) => calls.filter(({ path }) => path.endsWith('/changes')).length

beforeEach(() => localStorage.setItem('token', 'a'))

describe('an open room', () => {
  it('locks writing in a room when an event was missed, and unlocks it when the gap is closed', async () => {
    const room = { size: 1, answers: true }
    const calls = makeServer(room)
    const store = buildRoomStore(1)
    const closeStore = store.open()
    await vi.waitFor(() => expect(store.read().isSynced).toBe(true))
    room.size = 4
    store.applyChange(makeCreatedEvent(4))
    expect([store.read().isSynced, texts(store)]).toEqual([false, ['m1']])
    await vi.waitFor(() => expect(store.read().isSynced).toBe(true))
    expect([texts(store), requestedChanges(calls)]).toEqual([['m1', 'm2', 'm3', 'm4'], 1])
    // Consecutive and repeated events of a room trigger no request.
    room.size = 5
    for (const seq of [5, 5, 3]) store.applyChange(makeCreatedEvent(seq))
    expect([texts(store).length, store.read().isSynced, requestedChanges(calls)]).toEqual([5, true, 1])
    closeStore()
  })

  it('learns from a tick that the room is behind', async () => {
    const room = { size: 1, answers: true }
    makeServer(room)
    const store = buildRoomStore(1)
    const closeStore = store.open()
    await vi.waitFor(() => expect(store.read().isSynced).toBe(true))
    room.size = 2
    store.noteRevision(2)
    expect(store.read().isSynced).toBe(false)
    await vi.waitFor(() => expect(texts(store)).toEqual(['m1', 'm2']))
    closeStore()
  })

  it('stays unlocked until the user’s own message comes back, unless another user wrote before', async () => {
    const room = { size: 1, answers: true }
    makeServer(room)
    const store = buildRoomStore(1)
    const closeStore = store.open()
    await vi.waitFor(() => expect(store.read().isSynced).toBe(true))
    room.size = 3
    for (const rev of [2, 3]) {
      store.expectRevision(rev)
      expect(store.read().isSynced).toBe(true)
    }
    await vi.waitFor(() => expect(texts(store)).toEqual(['m1', 'm2', 'm3']))
    room.size = 5
    store.expectRevision(5)
    expect(store.read().isSynced).toBe(false)
    await vi.waitFor(() => expect([store.read().isSynced, texts(store).length]).toEqual([true, 5]))
    closeStore()
  })

  it('unlocks writing when a reported revision turns out to be the user’s own change', async () => {
    const room = { size: 1, answers: true }
    makeServer(room)
    const store = buildRoomStore(1)
    const closeStore = store.open()
    await vi.waitFor(() => expect(store.read().isSynced).toBe(true))
    room.answers = false
    store.noteRevision(2)
    expect(store.read().isSynced).toBe(false)
    const listener = vi.fn<() => void>()
    store.subscribe(listener)
    store.expectRevision(2)
    expect([store.read().isSynced, listener.mock.calls.length]).toEqual([true, 1])
    closeStore()
  })

  it('checks a reopened room before the user may write, and unlocks it while the server does not answer', async () => {
    const room = { size: 1, answers: true }
    makeServer(room)
    const store = buildRoomStore(1)
    store.open()()
    await vi.waitFor(() => expect(store.read().status).toBe('ready'))
    room.size = 3
    const closeStore = store.open()
    expect(store.read().isSynced).toBe(false)
    await vi.waitFor(() => expect([store.read().isSynced, texts(store).length]).toEqual([true, 3]))
    room.answers = false
    store.check(true)
    expect(store.read().isSynced).toBe(false)
    await vi.waitFor(() => expect(store.read().isSynced).toBe(true))
    closeStore()
  })
})
