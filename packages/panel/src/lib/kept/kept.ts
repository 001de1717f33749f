/**
 * The one place for what is being written and not saved yet: read at once from memory, kept on the disk by IndexedDB,
 * because a browser that is killed has not yet written its local storage. Call `loadKept` before the first reading.
 */
import { readStorage, writeStorage } from '../storage-keys.ts'

const databaseName = 'kept'
const storeName = 'texts'
/** Writes of a moment go together: each waits for the disk. */
const pause = 250

const texts = new Map<string, string>()
const unwritten = new Set<string>()
/** Keys that stand in the storage because the page was being left. */
const left = new Set<string>()
/** In the storage: nothing stands under the key any more. */
const forgotten = ''
let database: IDBDatabase | undefined
let timer: ReturnType<typeof setTimeout> | undefined
/** Keys that the database is writing now. */
let underWay: readonly string[] = []
let isLeaving = false
let loading: Promise<void> | undefined

let others: BroadcastChannel | undefined

/** Other tabs hold the same texts in memory. */
function listenToOthers(): void {
  others = new BroadcastChannel(databaseName)
  others.addEventListener('message', ({ data }: MessageEvent<{ key: string; text: string | null }>) => {
    if (data.text === null) texts.delete(data.key)
    else texts.set(data.key, data.text)
  })
}

const isKeptKey = (key: string) => key.startsWith('draft/') || key.startsWith('outbox/')

function open(): Promise<IDBDatabase | undefined> {
  return new Promise((resolve) => {
    try {
      const request = indexedDB.open(databaseName, 1)
      request.addEventListener('upgradeneeded', () => request.result.createObjectStore(storeName))
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => resolve(undefined))
      request.addEventListener('blocked', () => resolve(undefined))
    } catch {
      // A browser that refuses a database may still grant the local storage.
      resolve(undefined)
    }
  })
}

function readAll(from: IDBDatabase): Promise<void> {
  return new Promise((resolve) => {
    const request = from.transaction(storeName).objectStore(storeName).openCursor()
    request.addEventListener('error', () => resolve())
    request.addEventListener('success', () => {
      const cursor = request.result
      if (!cursor) return resolve()
      if (typeof cursor.key === 'string' && typeof cursor.value === 'string' && !texts.has(cursor.key))
        texts.set(cursor.key, cursor.value)
      cursor.continue()
    })
  })
}

/** What was kept while there was no database, when it failed or when the page was left, moves into it. */
function takeOver(): void {
  try {
    for (const key of Object.keys(localStorage).filter(isKeptKey)) {
      const text = readStorage(key)
      if (text !== null) keep(key, text === forgotten ? null : text)
      writeStorage(key, null)
    }
  } catch {
    // Without a local storage there is nothing to take over.
  }
}

async function load(): Promise<void> {
  if (typeof indexedDB === 'undefined') return
  database = await open()
  if (!database) return
  listenToOthers()
  await readAll(database)
  takeOver()
}

/** Reads what was kept, once. */
export function loadKept(): Promise<void> {
  loading ??= load()
  return loading
}

/** What stands under a key now; null when nothing does. */
export function readKept(key: string): string | null {
  return texts.get(key) ?? (database ? null : readStorage(key) || null)
}

/** Keeps a text, or forgets it with null. It is in memory at once, and on the disk a moment later. */
export function keep(key: string, text: string | null): void {
  if (text === null) texts.delete(key)
  else texts.set(key, text)
  others?.postMessage({ key, text })
  if (!database) {
    // Without a database the memory is no better than the storage, and the storage is shared with other tabs.
    texts.delete(key)
    writeStorage(key, text)
    return
  }
  unwritten.add(key)
  if (isLeaving) keepNow()
  else timer ??= setTimeout(write, pause)
}

/** The page is being left and may be gone before the database has answered: the storage takes it over at once. */
function keepNow(): void {
  // Who is told of it after this hands over his last words even now.
  isLeaving = true
  for (const key of [...underWay, ...unwritten]) {
    left.add(key)
    writeStorage(key, texts.get(key) ?? forgotten)
  }
  if (unwritten.size > 0) write()
}

/** The page was not left after all: what it holds is in the database by now, and newer. */
function comeBack(): void {
  isLeaving = false
  for (const key of left) writeStorage(key, null)
  left.clear()
}

function write(): void {
  clearTimeout(timer)
  timer = undefined
  if (!database || underWay.length > 0) return
  const keys = [...unwritten]
  unwritten.clear()
  const done = (failed: boolean) => {
    underWay = []
    if (failed) for (const key of keys) writeStorage(key, texts.get(key) ?? null)
    if (unwritten.size > 0) timer ??= setTimeout(write, pause)
  }
  try {
    // On the disk itself, not only with the operating system: the power may fail.
    const writing = database.transaction(storeName, 'readwrite', { durability: 'strict' })
    const store = writing.objectStore(storeName)
    for (const key of keys) {
      const text = texts.get(key)
      if (text === undefined) store.delete(key)
      else store.put(text, key)
    }
    underWay = keys
    writing.addEventListener('complete', () => done(false))
    writing.addEventListener('abort', () => done(true))
  } catch {
    done(true)
  }
}

if (typeof window !== 'undefined') {
  window.addEventListener('pagehide', keepNow)
  window.addEventListener('pageshow', ({ persisted }) => persisted && comeBack())
}
