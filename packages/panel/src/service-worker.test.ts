import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'

interface PageState {
  url: string
  visibilityState: 'visible' | 'hidden'
}

const origin = 'https://dala.example.org'

/** Runs the service worker in a browser with some open pages, and sends it events. */
function startWorker(pages: readonly PageState[] = []) {
  const done: string[] = []
  const listeners = new Map<string, (event: object) => void>()
  const clients = {
    matchAll: async () =>
      pages.map((page) => ({
        ...page,
        focus: async () => void done.push(`focus ${page.url}`),
        postMessage: (message: object) => void done.push(`message ${JSON.stringify(message)}`),
      })),
    openWindow: async (address: string) => void done.push(`open ${address}`),
  }
  const registration = {
    showNotification: async (title: string, options: object) =>
      void done.push(`show ${title} ${JSON.stringify(options)}`),
    pushManager: { subscribe: async (options: object) => void done.push(`subscribe ${JSON.stringify(options)}`) },
  }
  const source = readFileSync(join(import.meta.dirname, 'service-worker.js'), 'utf8')
  runInNewContext(source, {
    __shell__: JSON.stringify({ build: 'b' }),
    addEventListener: (name: string, listener: (event: object) => void) => void listeners.set(name, listener),
    clients,
    registration,
    location: new URL(origin),
    URL,
  })
  /** Sends an event, and returns what the worker has done. */
  const send = async (name: string, event: object): Promise<string[]> => {
    let work: Promise<unknown> = Promise.resolve()
    listeners.get(name)?.({ ...event, waitUntil: (promise: Promise<unknown>) => void (work = promise) })
    await work
    return done
  }
  return { send }
}

const page = (path: string, visibilityState: PageState['visibilityState'] = 'hidden'): PageState => ({
  url: `${origin}${path}`,
  visibilityState,
})
const notice = { title: 'A chat is assigned to you', tag: '/app/chats/5', lang: 'en', address: '/app/chats/5' }
const pushed = { data: { json: () => notice } }
const shown = 'show A chat is assigned to you {"tag":"/app/chats/5","lang":"en","data":{"address":"/app/chats/5"}}'

describe('a pushed notice', () => {
  it('is shown while the panel is closed or out of view', async () => {
    expect(await startWorker().send('push', pushed)).toEqual([shown])
    expect(await startWorker([page('/app/news')]).send('push', pushed)).toEqual([shown])
    expect(await startWorker([page('/certificate/1', 'visible')]).send('push', pushed)).toEqual([shown])
  })

  it('is not shown while the panel is in view, which counts it and rings by itself', async () => {
    const pages = [page('/app/news'), page('/app', 'visible')]
    expect(await startWorker(pages).send('push', pushed)).toEqual([])
  })
})

describe('a press on a notification', () => {
  const press = (address: unknown) => ({ notification: { data: { address }, close: () => {} } })

  it('opens its page in the open panel, in that in view first', async () => {
    const pages = [page('/app/news'), page('/app/faqs', 'visible')]
    expect(await startWorker(pages).send('notificationclick', press('/app/chats/5?at=7'))).toEqual([
      `focus ${origin}/app/faqs`,
      'message {"type":"open","address":"/app/chats/5?at=7"}',
    ])
  })

  it('opens a window where the panel is closed', async () => {
    const pages = [page('/user/login', 'visible')]
    expect(await startWorker(pages).send('notificationclick', press('/app/chats/5'))).toEqual(['open /app/chats/5'])
  })

  it.each(['https://other.example.org/app', '//other.example.org', undefined, 7])(
    'opens the start page instead of the address %j',
    async (address) => {
      expect(await startWorker().send('notificationclick', press(address))).toEqual(['open /app'])
    },
  )
})

describe('a subscription that the browser has ended', () => {
  it('is renewed, and an open panel sends it to the server', async () => {
    const event = { oldSubscription: { options: { userVisibleOnly: true } } }
    expect(await startWorker([page('/app')]).send('pushsubscriptionchange', event)).toEqual([
      'subscribe {"userVisibleOnly":true}',
      'message {"type":"subscription"}',
    ])
  })

  it('is not renewed twice where the browser has renewed it', async () => {
    const event = { oldSubscription: { options: {} }, newSubscription: {} }
    expect(await startWorker().send('pushsubscriptionchange', event)).toEqual([])
  })
})
