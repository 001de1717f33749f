import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'

interface PageState {
  url: string
  visibilityState: 'visible' | 'hidden'
}

const origin = 'https://dala.example.org'

const shell = { build: 'b', words: { uz: { first: ['/assets/uz.js'], all: [] } }, rest: ['/assets/screen.js'] }

/** Runs the service worker in a browser with some open pages, and sends it events. */
function startWorker(pages: readonly PageState[] = [], isStorageFull = false) {
  const workerActions: string[] = []
  const listeners = new Map<string, (event: object) => void>()
  const clients = {
    matchAll: async () =>
      pages.map((page) => ({
        ...page,
        focus: async () => void workerActions.push(`focus ${page.url}`),
        postMessage: (message: object) => void workerActions.push(`message ${JSON.stringify(message)}`),
      })),
    openWindow: async (address: string) => void workerActions.push(`open ${address}`),
  }
  const registration = {
    showNotification: async (title: string, options: object) =>
      void workerActions.push(`show ${title} ${JSON.stringify(options)}`),
    pushManager: {
      subscribe: async (options: object) => void workerActions.push(`subscribe ${JSON.stringify(options)}`),
    },
  }
  const source = readFileSync(join(import.meta.dirname, 'service-worker.js'), 'utf8')
  runInNewContext(source, {
    __shell__: JSON.stringify(shell),
    caches: {
      open: async () => ({
        match: async () => undefined,
        addAll: async (files: readonly string[]) => {
          if (isStorageFull) throw new Error('no space')
          workerActions.push(...files.map((file) => `store ${file}`))
        },
      }),
    },
    navigator: {},
    addEventListener: (name: string, listener: (event: object) => void) => void listeners.set(name, listener),
    clients,
    registration,
    location: new URL(origin),
    URL,
  })
  /** Sends an event, and returns what the worker has done. */
  const send = async (name: string, event: object): Promise<string[]> => {
    let eventPromise: Promise<unknown> = Promise.resolve()
    listeners.get(name)?.({ ...event, waitUntil: (promise: Promise<unknown>) => void (eventPromise = promise) })
    await eventPromise
    return workerActions
  }
  return { send }
}

const page = (path: string, visibilityState: PageState['visibilityState'] = 'hidden'): PageState => ({
  url: `${origin}${path}`,
  visibilityState,
})
const notice = { title: 'A chat is assigned to you', tag: '/app/chats/5', lang: 'en', address: '/app/chats/5' }
const pushEvent = { data: { json: () => notice } }
const shownNotice =
  'show A chat is assigned to you {"tag":"/app/chats/5","lang":"en","data":{"address":"/app/chats/5"}}'

describe('a pushed notice', () => {
  it('shows a pushed notification while the panel is closed or out of view', async () => {
    expect(await startWorker().send('push', pushEvent)).toEqual([shownNotice])
    expect(await startWorker([page('/app/news')]).send('push', pushEvent)).toEqual([shownNotice])
    expect(await startWorker([page('/certificate/1', 'visible')]).send('push', pushEvent)).toEqual([shownNotice])
  })

  it('shows no pushed notification while the panel is in view, which counts the notice and rings by itself', async () => {
    const pages = [page('/app/news'), page('/app', 'visible')]
    expect(await startWorker(pages).send('push', pushEvent)).toEqual([])
  })
})

describe('a press on a notification', () => {
  const makeClick = (address: unknown) => ({ notification: { data: { address }, close: () => {} } })

  it('opens the page of a notification in the open panel, preferably in the one in view', async () => {
    const pages = [page('/app/news'), page('/app/faqs', 'visible')]
    expect(await startWorker(pages).send('notificationclick', makeClick('/app/chats/5?at=7'))).toEqual([
      `focus ${origin}/app/faqs`,
      'message {"type":"open","address":"/app/chats/5?at=7"}',
    ])
  })

  it('opens a window for a notification where the panel is closed', async () => {
    const pages = [page('/user/login', 'visible')]
    expect(await startWorker(pages).send('notificationclick', makeClick('/app/chats/5'))).toEqual(['open /app/chats/5'])
  })

  it.each(['https://other.example.org/app', '//other.example.org', undefined, 7])(
    'opens the start page instead of the address %j of a notification',
    async (address) => {
      expect(await startWorker().send('notificationclick', makeClick(address))).toEqual(['open /app'])
    },
  )
})

describe('a subscription that the browser has ended', () => {
  it('renews the push subscription, which an open panel sends to the server', async () => {
    const event = { oldSubscription: { options: { userVisibleOnly: true } } }
    expect(await startWorker([page('/app')]).send('pushsubscriptionchange', event)).toEqual([
      'subscribe {"userVisibleOnly":true}',
      'message {"type":"subscription"}',
    ])
  })

  it('does not renew a push subscription that the browser has already renewed', async () => {
    const event = { oldSubscription: { options: {} }, newSubscription: {} }
    expect(await startWorker().send('pushsubscriptionchange', event)).toEqual([])
  })
})

describe('the files of a language', () => {
  const makeQuestion = (locale: string, answers: number[]) => ({
    data: { locale, all: false },
    ports: [{ postMessage: (remaining: number) => void answers.push(remaining) }],
  })

  it('stores the files of a language, and answers how many remain', async () => {
    const answers: number[] = []
    expect(await startWorker().send('message', makeQuestion('uz', answers))).toEqual(['store /assets/uz.js'])
    expect(answers).toEqual([0])
  })

  it('answers a page of a newer build that asks for a language which this build does not have', async () => {
    const answers: number[] = []
    expect(await startWorker().send('message', makeQuestion('uz-Cyrl', answers))).toEqual([])
    expect(answers).toEqual([0])
  })

  it('answers when there is no space for a file', async () => {
    const answers: number[] = []
    expect(await startWorker([], true).send('message', makeQuestion('uz', answers))).toEqual([])
    expect(answers).toEqual([0])
  })
})
