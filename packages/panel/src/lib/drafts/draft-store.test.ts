import * as fakeDatabase from 'fake-indexeddb'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDraft, DraftStore, parseList } from './draft-store.ts'

const key = 'draft/note/1/5'
const parseNote = (storedNote: unknown): { text: string } | undefined =>
  typeof storedNote === 'object' && storedNote !== null && 'text' in storedNote && typeof storedNote.text === 'string'
    ? { text: storedNote.text }
    : undefined

const openedStores: DraftStore[] = []

/** Opens a page of the panel with its own draft store, and returns its draft of a note. */
async function openPage() {
  const store = new DraftStore()
  openedStores.push(store)
  await store.load()
  return createDraft(key, parseNote, store)
}

/** Creates the database of drafts as older panels created it. */
function olderDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve) => {
    const request = indexedDB.open('kept', 1)
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore('texts'))
    request.addEventListener('success', () => resolve(request.result))
  })
}

async function runInOlderDatabase<T>(
  mode: IDBTransactionMode,
  run: (texts: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await olderDatabase()
  const texts = database.transaction('texts', mode).objectStore('texts')
  const result = await new Promise<T>((resolve) => {
    const request = run(texts)
    request.addEventListener('success', () => resolve(request.result))
  })
  database.close()
  return result
}
const storeInOlderFormat = (text: unknown) => runInOlderDatabase('readwrite', (texts) => texts.put(text, key))
const readStoredText = () => runInOlderDatabase<unknown>('readonly', (texts) => texts.get(key))

beforeEach(() => {
  for (const [name, fakeGlobal] of Object.entries(fakeDatabase)) vi.stubGlobal(name, fakeGlobal)
  vi.stubGlobal('indexedDB', new fakeDatabase.IDBFactory())
})
afterEach(() => {
  for (const store of openedStores.splice(0)) store.close()
  vi.restoreAllMocks()
})
afterAll(() => void vi.unstubAllGlobals())

describe('createDraft', () => {
  it('reads a draft immediately after it was written, and no draft after it was cleared', async () => {
    const note = await openPage()
    expect(note.read()).toBeUndefined()
    note.write({ text: 'Rice' })
    expect(note.read()).toEqual({ text: 'Rice' })
    note.clear()
    expect(note.read()).toBeUndefined()
  })

  it.each([
    ['that an older panel stored with more in it', '{"text":"Rice","color":"red"}', { text: 'Rice' }],
    ['that an older panel stored in another shape', '{"words":"Rice"}', undefined],
    ['that is empty', 'null', undefined],
    ['that is no JSON', '{"text":', undefined],
    ['that is no text', 7, undefined],
  ])('reads a stored draft %s', async (_what, text, expected) => {
    await storeInOlderFormat(text)
    const note = await openPage()
    expect(note.read()).toEqual(expected)
  })

  it('omits invalid items of a list in a draft', () => {
    const parseItems = parseList((value) => typeof value === 'number')
    expect([parseItems([1, 'two', 3]), parseItems([]), parseItems({ 0: 1 })]).toEqual([[1, 3], [], undefined])
  })
})

describe('DraftStore', () => {
  it('stores a draft in the format of older panels, and deletes it with the draft', async () => {
    const note = await openPage()
    note.write({ text: 'Rice' })
    await vi.waitFor(async () => expect(await readStoredText()).toBe('{"text":"Rice"}'))
    note.clear()
    await vi.waitFor(async () => expect(await readStoredText()).toBeUndefined())
  })

  it('shows a draft to other tabs at once', async () => {
    const [note, otherNote] = [await openPage(), await openPage()]
    note.write({ text: 'Rice' })
    await vi.waitFor(() => expect(otherNote.read()).toEqual({ text: 'Rice' }))
    note.clear()
    await vi.waitFor(() => expect(otherNote.read()).toBeUndefined())
  })

  it('moves drafts, and drafts that were cleared, from local storage into the database', async () => {
    await storeInOlderFormat('{"text":"Older"}')
    localStorage.setItem(key, '{"text":"Newer"}')
    localStorage.setItem('token', 'a')
    const note = await openPage()
    expect([note.read(), localStorage.getItem(key), localStorage.getItem('token')]).toEqual([
      { text: 'Newer' },
      null,
      'a',
    ])
    await vi.waitFor(async () => expect(await readStoredText()).toBe('{"text":"Newer"}'))
    localStorage.setItem(key, '')
    const reopenedNote = await openPage()
    expect(reopenedNote.read()).toBeUndefined()
    await vi.waitFor(async () => expect(await readStoredText()).toBeUndefined())
  })

  it('leaves a draft for the next page in local storage when the page is left', async () => {
    const note = await openPage()
    note.write({ text: 'Rice' })
    window.dispatchEvent(new Event('pagehide'))
    expect(localStorage.getItem(key)).toBe('{"text":"Rice"}')
    note.clear()
    expect(localStorage.getItem(key)).toBe('')
    const reopenedNote = await openPage()
    expect(reopenedNote.read()).toBeUndefined()
  })

  it('takes drafts back from local storage when the browser restores the page', async () => {
    const note = await openPage()
    note.write({ text: 'Rice' })
    window.dispatchEvent(new Event('pagehide'))
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    await vi.waitFor(() => expect(localStorage.getItem(key)).toBeNull())
    expect(await readStoredText()).toBe('{"text":"Rice"}')
  })

  it('stores a draft in local storage while the database fails, and moves the draft back later', async () => {
    const note = await openPage()
    const failure = vi.spyOn(fakeDatabase.IDBDatabase.prototype, 'transaction').mockImplementation(() => {
      throw new DOMException('The disk is full', 'QuotaExceededError')
    })
    note.write({ text: 'Rice' })
    await vi.waitFor(() => expect(localStorage.getItem(key)).toBe('{"text":"Rice"}'))
    failure.mockRestore()
    note.write({ text: 'Rice and fish' })
    await vi.waitFor(() => expect(localStorage.getItem(key)).toBeNull())
    expect(await readStoredText()).toBe('{"text":"Rice and fish"}')
  })

  it.each<[string, unknown]>([
    ['has no database', undefined],
    [
      'refuses databases in a private window',
      {
        open: () => {
          throw new DOMException('Denied', 'SecurityError')
        },
      },
    ],
  ])('stores drafts in the local storage of a browser that %s', async (_what, database) => {
    vi.stubGlobal('indexedDB', database)
    const note = await openPage()
    note.write({ text: 'Rice' })
    expect(localStorage.getItem(key)).toBe('{"text":"Rice"}')
    const reopenedNote = await openPage()
    expect(reopenedNote.read()).toEqual({ text: 'Rice' })
    reopenedNote.clear()
    expect([note.read(), localStorage.getItem(key)]).toEqual([undefined, null])
  })
})
