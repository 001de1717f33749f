import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { storeShell } from './offline-shell.ts'

type PostMessage = (question: unknown, ports: readonly MessagePort[]) => void

/** Gives the page an active service worker. */
function activateWorker(postMessage: PostMessage): void {
  const ready = Promise.resolve({ active: { postMessage } })
  vi.stubGlobal('navigator', { serviceWorker: { ready } })
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('stores the files of a language until none remain', async () => {
  const remainingFiles = [6, 0]
  const postMessage = vi.fn<PostMessage>((_question, [port]) => port?.postMessage(remainingFiles.shift()))
  activateWorker(postMessage)
  const storing = storeShell('uz', true)
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(200)
    expect(postMessage).toHaveBeenCalledTimes(2)
  })
  await storing
  expect(postMessage.mock.calls.map(([question]) => question)).toEqual([
    { locale: 'uz', all: true },
    { locale: 'uz', all: true },
  ])
})

it('stops storing when the worker of a former build does not answer', async () => {
  const postMessage = vi.fn<PostMessage>()
  activateWorker(postMessage)
  const storing = storeShell('uz-Cyrl', false)
  await vi.advanceTimersByTimeAsync(90_000)
  await storing
  expect(postMessage).toHaveBeenCalledTimes(1)
})
