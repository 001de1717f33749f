/**
 * Drafts: text that is typed but not saved. They are read from memory and stored in IndexedDB, because local
 * storage reaches the disk seconds later and is lost when the browser is killed. Call `loadDrafts` before the
 * first read.
 */
import type { DBSchema, IDBPDatabase } from 'idb'
import { browserDatabase } from '../browser-database.ts'
import { readStorage, writeStorage } from '../storage-keys.ts'

interface Schema extends DBSchema {
  texts: { key: string; value: string }
}

/**
 * Name of the drafts' database, chosen by older panels: it gives access to their drafts, and tabs that still
 * run one use it.
 */
const databaseName = 'kept'
/**
 * Milliseconds during which changes are collected into one transaction, since each transaction waits for the
 * disk.
 */
const writeDelay = 250
/** Value in local storage for a draft that was cleared under its key. */
const clearedMark = ''

const isDraftKey = (key: string) => key.startsWith('draft/') || key.startsWith('outbox/')

/** The texts of all drafts by key, as one tab of the browser sees them. */
export class DraftStore {
  readonly #open = browserDatabase<Schema>(databaseName, 1, (database) => void database.createObjectStore('texts'))
  readonly #texts = new Map<string, string>()
  readonly #unwrittenKeys = new Set<string>()
  /** Keys of drafts stored in local storage, because the page was being left or the database failed. */
  readonly #keysInStorage = new Set<string>()
  #database: IDBPDatabase<Schema> | undefined
  #otherTabs: BroadcastChannel | undefined
  #loading: Promise<void> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Keys of drafts that the running transaction writes. */
  #keysBeingWritten: readonly string[] = []
  #isLeaving = false

  /** Loads the stored drafts once. Without a database the drafts stay in local storage. */
  load(): Promise<void> {
    this.#loading ??= this.#load()
    return this.#loading
  }

  async #load(): Promise<void> {
    const database = await this.#open()
    if (!database) return
    this.#database = database
    window.addEventListener('pagehide', this.#handlePageHide)
    window.addEventListener('pageshow', this.#handlePageShow)
    this.#listenToOtherTabs()
    await this.#readAll(database)
    this.#takeOver()
  }

  /** Closes the draft store, as a closed tab does. */
  close(): void {
    window.removeEventListener('pagehide', this.#handlePageHide)
    window.removeEventListener('pageshow', this.#handlePageShow)
    clearTimeout(this.#timer)
    this.#otherTabs?.close()
    this.#database?.close()
  }

  /** Returns the text of the draft under a key; null when there is none. */
  read(key: string): string | null {
    return this.#texts.get(key) ?? (this.#database ? null : readStorage(key) || null)
  }

  /**
   * Changes the text of the draft under a key, or clears it with null: at once in memory, shortly after on
   * the disk.
   */
  write(key: string, text: string | null): void {
    if (!this.#database) {
      // Until the database is open, drafts are stored in the local storage, which other tabs share.
      writeStorage(key, text)
      return
    }
    if (text === null) this.#texts.delete(key)
    else this.#texts.set(key, text)
    this.#otherTabs?.postMessage({ key, text })
    this.#unwrittenKeys.add(key)
    if (this.#isLeaving) this.#handlePageHide()
    else this.#flushSoon()
  }

  #listenToOtherTabs(): void {
    this.#otherTabs = new BroadcastChannel(databaseName)
    this.#otherTabs.addEventListener('message', ({ data }: MessageEvent<{ key: string; text: string | null }>) => {
      if (data.text === null) this.#texts.delete(data.key)
      else this.#texts.set(data.key, data.text)
    })
  }

  async #readAll(database: IDBPDatabase<Schema>): Promise<void> {
    try {
      const { store } = database.transaction('texts')
      const [keys, values] = await Promise.all<[Promise<unknown[]>, Promise<unknown[]>]>([
        store.getAllKeys(),
        store.getAll(),
      ])
      for (const [index, key] of keys.entries()) {
        const text = values[index]
        // Another tab may have sent a newer text of the draft in the meantime.
        if (typeof key === 'string' && typeof text === 'string' && !this.#texts.has(key)) this.#texts.set(key, text)
      }
    } catch {
      // A database of drafts that cannot be read may still be writable.
    }
  }

  /**
   * Moves drafts from local storage into the database: those stored without a database, after its failure or
   * when a page was left.
   */
  #takeOver(): void {
    try {
      for (const key of Object.keys(localStorage).filter(isDraftKey)) {
        const text = readStorage(key)
        if (text !== null) this.write(key, text === clearedMark ? null : text)
        writeStorage(key, null)
      }
    } catch {
      // A browser that refuses local storage has no drafts in local storage.
    }
  }

  #toStorage(keys: readonly string[]): void {
    for (const key of keys) {
      this.#keysInStorage.add(key)
      writeStorage(key, this.#texts.get(key) ?? clearedMark)
    }
  }

  /**
   * The page may be closed before the database answers, so drafts that are not on the disk go to local
   * storage.
   */
  readonly #handlePageHide = (): void => {
    // Other listeners of the page's closing may still write drafts after this one.
    this.#isLeaving = true
    this.#toStorage([...this.#keysBeingWritten, ...this.#unwrittenKeys])
    if (this.#unwrittenKeys.size > 0) this.#flush()
  }

  /** Handles a page restored from the browser's cache: the database takes over its drafts again. */
  readonly #handlePageShow = ({ persisted }: PageTransitionEvent): void => {
    if (!persisted) return
    this.#isLeaving = false
    for (const key of this.#keysInStorage) this.#unwrittenKeys.add(key)
    this.#flushSoon()
  }

  #flushSoon(): void {
    if (this.#unwrittenKeys.size > 0) this.#timer ??= setTimeout(() => this.#flush(), writeDelay)
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (!this.#database || this.#keysBeingWritten.length > 0) return
    this.#keysBeingWritten = [...this.#unwrittenKeys]
    this.#unwrittenKeys.clear()
    void this.#store(this.#database, this.#keysBeingWritten).then((isStored) => {
      if (!isStored) this.#toStorage(this.#keysBeingWritten)
      else if (!this.#isLeaving)
        for (const key of this.#keysBeingWritten) if (this.#keysInStorage.delete(key)) writeStorage(key, null)
      this.#keysBeingWritten = []
      this.#flushSoon()
    })
  }

  /** Writes drafts in one transaction and returns whether they are on the disk. */
  async #store(database: IDBPDatabase<Schema>, keys: readonly string[]): Promise<boolean> {
    try {
      // Drafts are flushed to the disk itself, not only to the operating system's cache: the power may fail.
      const { store, done } = database.transaction('texts', 'readwrite', { durability: 'strict' })
      const changes = keys.map((key) => {
        const text = this.#texts.get(key)
        return text === undefined ? store.delete(key) : store.put(text, key)
      })
      await Promise.all<unknown>([...changes, done])
      return true
    } catch {
      return false
    }
  }
}

const drafts = new DraftStore()

/** Loads the drafts of this browser once. */
export const loadDrafts = (): Promise<void> => drafts.load()

/** Draft of a text in the storage of this browser. */
export interface StoredDraft<T> {
  /** Value of the draft; undefined when there is none, or when this panel cannot read it. */
  read: () => T | undefined
  write: (value: T) => void
  clear: () => void
}

/**
 * Creates a draft under its own key, stored as JSON.
 *
 * @param key - The storage key: `draft/<kind>/<user>/…`, because another user of the browser must not see it.
 * @param parseItems - Validates the stored value, which an older panel may have written; returns undefined for an
 *   invalid one.
 * @param store - The drafts of this browser; tests pass their own.
 * @returns Functions that read, write and clear the draft. Call `loadDrafts` before the first read.
 */
export function createDraft<T>(
  key: string,
  parseItems: (storedItems: unknown) => T | undefined,
  store: DraftStore = drafts,
): StoredDraft<T> {
  return {
    read: () => {
      const text = store.read(key)
      if (text === null) return undefined
      try {
        return parseItems(JSON.parse(text))
      } catch {
        // Text that is no valid JSON was written by another program, and is no draft.
        return undefined
      }
    },
    write: (value) => store.write(key, JSON.stringify(value)),
    clear: () => store.write(key, null),
  }
}

/** Parses the list in a draft and omits its invalid items. */
export const parseList =
  <T>(isItem: (value: unknown) => value is T) =>
  (storedList: unknown): T[] | undefined =>
    Array.isArray(storedList) ? storedList.filter(isItem) : undefined
