import { QueryClient } from '@tanstack/react-query'
import * as database from 'fake-indexeddb'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { errorAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { enqueueMessage } from '../core/queue.ts'
import { setViewedRole } from '../../../api/viewing.ts'
import { changeQueue, closeOutbox, readQueue } from './outbox.ts'
import { readOutbox } from './store.ts'
import { startSender, stopSender } from './sender.ts'

beforeAll(() => {
  for (const [name, databaseGlobal] of Object.entries(database)) vi.stubGlobal(name, databaseGlobal)
})
afterAll(() => vi.unstubAllGlobals())
// State that other test files have left in memory is cleared.
beforeEach(() => {
  stopSender()
  closeOutbox()
})

const senderOf = (body: unknown) => (body as { data: { sender?: number } }).data.sender

/** Fake locks of one browser: a request waits for the current holder. */
function stubLocks() {
  let lastTurn: Promise<unknown> = Promise.resolve()
  const request = vi.fn<(name: string, options: object, runTask: () => Promise<unknown>) => Promise<unknown>>(
    (_name, _options, runTask) => {
      const turn = lastTurn.then(runTask)
      lastTurn = turn.catch(() => undefined)
      return turn
    },
  )
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { locks: { request } }))
  return request
}

it('leaves sending messages to another tab while this tab views as another role', async () => {
  const calls = fakeApi({ 'POST /api/chatmessages': { data: { id: 12, attributes: {} }, meta: {}, rev: 12 } })
  localStorage.setItem('token', 'a')
  const request = stubLocks()
  void startSender(new QueryClient(), 43)
  await vi.waitFor(() => expect(request).toHaveBeenCalledTimes(1))
  let isLockTaken = false
  setViewedRole('consultant')
  let giveBackLock: () => void = () => undefined
  void request('outbox', {}, () => {
    isLockTaken = true
    return new Promise<void>((resolve) => (giveBackLock = resolve))
  })
  await vi.waitFor(() => expect(isLockTaken).toBe(true))
  setViewedRole(undefined)
  const writtenMessage = { clientId: 'b', user: 43, room: 1, kind: 'message', text: 'Salam', attachments: [] } as const
  await changeQueue((queue) =>
    enqueueMessage(queue, { ...writtenMessage, replyTo: null, quoted: null, at: new Date().toISOString() }),
  )
  expect(calls).toEqual([])
  giveBackLock()
  await vi.waitFor(() => expect(calls).toHaveLength(1))
})

it('sends no message in the name of another user who has signed in in another tab', async () => {
  const storedMessages: unknown[] = []
  const calls = fakeApi({
    // The fake server has a session of account 5, and accepts messages of that account or without a sender.
    'POST /api/chatmessages': ({ body }) => {
      if ((senderOf(body) ?? 5) !== 5)
        return errorAnswer(403, 'ForbiddenError', 'you cannot write on behalf of another')
      storedMessages.push(body)
      return Response.json({ data: { id: 12, attributes: {} }, meta: {}, rev: 12 })
    },
  })
  localStorage.setItem('token', 'of account 5')
  void startSender(new QueryClient(), 41)
  const writtenMessage = { clientId: 'a', user: 41, room: 1, kind: 'message', text: 'Salam', attachments: [] } as const
  await changeQueue((queue) =>
    enqueueMessage(queue, { ...writtenMessage, replyTo: null, quoted: null, at: new Date().toISOString() }),
  )
  await vi.waitFor(() => expect(readQueue().map(({ state }) => state)).toEqual(['failed']))
  expect([calls.length, storedMessages]).toEqual([1, []])
  await vi.waitFor(async () => expect(await readOutbox(41)).toMatchObject([{ text: 'Salam', state: 'failed' }]))
})
