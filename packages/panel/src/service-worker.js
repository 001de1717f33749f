// Stores the program of the panel on the device, so that a reload without a connection still shows it, and
// shows pushed notices. The worker stores only the page and the hashed files of the build: no response of the
// API, no upload. See docs/decisions/0043 and 0050. `build/offline-shell.ts` replaces `__shell__` by the list of
// files.

/** @type {{ build: string, entry: string, page: string[], words: Record<string, { first: string[], all: string[] }>, rest: string[] }} */
const shell = JSON.parse(__shell__)

const prefix = 'panel-'
const cacheName = `${prefix}${shell.build}`
/** Addresses of the server that are never a page of the panel. */
const serverPathPattern = /^\/(?:api|assets|guide|uploads|socket\.io)(?:\/|$)/
/** Number of files that one message stores; the page waits for a quiet moment between two messages. */
const portion = 6

const isFile = (path) => path.startsWith('/assets/')

/** Files of the given list that are not stored yet. */
async function missingOf(cache, files) {
  const cachedFiles = await Promise.all(files.map((file) => cache.match(file, { ignoreVary: true })))
  return files.filter((_file, index) => cachedFiles[index] === undefined)
}

/** Stores the page and the files that it starts with, which the browser has from the visit itself. */
async function install() {
  const page = await fetch('/', { cache: 'no-cache' })
  // While a new build is copied to the server, the page may belong to another build than this program.
  if (!page.ok || !(await page.clone().text()).includes(shell.entry)) throw new Error('The page is of another build')
  const cache = await caches.open(cacheName)
  await cache.addAll(await missingOf(cache, shell.page))
  await cache.put('/', page)
}

/**
 * Caches of the panel from the oldest to the newest. Only this build and the one before are stored: open
 * pages use it.
 */
async function tidy() {
  const names = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName)
  await Promise.all(names.slice(0, -1).map((name) => caches.delete(name)))
  await registration.navigationPreload?.enable()
  await clients.claim()
}

/** Returns the page of the server, and the stored page when the server cannot be reached. */
async function answerPage(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch (error) {
    const storedPage = await (await caches.open(cacheName)).match('/')
    if (storedPage === undefined) throw error
    return storedPage
  }
}

/** Returns a file by its hash: it never changes, so the stored file of any build is right. */
async function answerFile(event) {
  const storedFile = await caches.match(event.request, { ignoreVary: true })
  if (storedFile !== undefined) return storedFile
  const answer = await fetch(event.request)
  if (answer.status === 200) {
    const copy = answer.clone()
    event.waitUntil(caches.open(cacheName).then((cache) => cache.put(event.request, copy)))
  }
  return answer
}

/**
 * Stores the next files of a language: the messages of the first page, or with `all` a portion of everything.
 */
async function store({ locale, all }, port) {
  // A page of a newer build may ask for a language that this build does not have.
  const catalogueFiles = shell.words[locale] ?? { first: [], all: [] }
  // Users who pay for each megabyte get no files stored in advance.
  const isWanted = all && !navigator.connection?.saveData
  try {
    const cache = await caches.open(cacheName)
    const missingFiles = await missingOf(
      cache,
      isWanted ? [...catalogueFiles.all, ...shell.rest] : catalogueFiles.first,
    )
    const nextFiles = missingFiles.slice(0, portion)
    await cache.addAll(nextFiles)
    port.postMessage(missingFiles.length - nextFiles.length)
  } catch {
    // A file that cannot be stored without a connection or space is requested again on another visit.
    port.postMessage(0)
  }
}

addEventListener('install', (event) => {
  // Calls of the API bypass this program where the browser supports it.
  const paths = ['/api/*', '/uploads/*', '/socket.io/*']
  const routes = paths.map((pathname) => ({ condition: { urlPattern: { pathname } }, source: 'network' }))
  event.waitUntil(Promise.all([install(), event.addRoutes?.(routes)]).then(() => skipWaiting()))
})

addEventListener('activate', (event) => event.waitUntil(tidy()))

addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request
  const { origin, pathname } = new URL(url)
  if (method !== 'GET' || origin !== location.origin) return
  if (isFile(pathname)) event.respondWith(answerFile(event))
  else if (mode === 'navigate' && !serverPathPattern.test(pathname)) event.respondWith(answerPage(event))
})

addEventListener('message', (event) => event.waitUntil(store(event.data, event.ports[0])))

/** Open pages of the panel. */
async function panelPages() {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  return pages.filter(({ url }) => /^\/app(?:\/|$)/.test(new URL(url).pathname))
}

/** Shows a pushed notice, unless the user has the panel in view: the page counts and rings by itself. */
async function showNotice({ title, tag, lang, address }) {
  const isInView = (await panelPages()).some(({ visibilityState }) => visibilityState === 'visible')
  if (!isInView) await registration.showNotification(title, { tag, lang, data: { address } })
}

/** Opens the page of a notification in an open panel, whose typed text stays, or else in a new window. */
async function openNotice({ data }) {
  const address = String(data?.address ?? '').startsWith('/app') ? data.address : '/app'
  const pages = await panelPages()
  const page = pages.find(({ visibilityState }) => visibilityState === 'visible') ?? pages[0]
  if (page === undefined) return clients.openWindow(address)
  await page.focus()
  page.postMessage({ type: 'open', address })
}

/** Renews a subscription that the browser has ended; a page of the panel sends it to the server. */
async function renewSubscription({ oldSubscription, newSubscription }) {
  if (oldSubscription && !newSubscription) await registration.pushManager.subscribe(oldSubscription.options)
  for (const page of await panelPages()) page.postMessage({ type: 'subscription' })
}

addEventListener('push', (event) => event.waitUntil(showNotice(event.data.json())))

addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openNotice(event.notification))
})

addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewSubscription(event)))
