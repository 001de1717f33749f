import * as fakeDatabase from 'fake-indexeddb'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openDB } from 'idb'
import { browserDatabase } from './browser-database.ts'

beforeEach(() => {
  for (const [name, part] of Object.entries(fakeDatabase)) vi.stubGlobal(name, part)
  vi.stubGlobal('indexedDB', new fakeDatabase.IDBFactory())
})
afterAll(() => void vi.unstubAllGlobals())

const upgradeDatabase = () => undefined

describe('browserDatabase', () => {
  it('opens a database once for all calls', async () => {
    const open = browserDatabase('notes', 1, upgradeDatabase)
    const [one, other] = await Promise.all([open(), open()])
    expect(one).toBeDefined()
    expect(other).toBe(one)
  })

  it('opens no database while an older version is open elsewhere', async () => {
    const olderDatabase = await openDB('notes', 1)
    const open = browserDatabase('notes', 2, upgradeDatabase)
    expect(await open()).toBeUndefined()
    olderDatabase.close()
    // A connection that opens after its time-out is closed too, so nothing blocks the next version of the
    // database.
    const next = await openDB('notes', 3)
    expect(next.version).toBe(3)
    next.close()
  })

  it('closes the database for a newer version, and opens it again after the upgrade', async () => {
    const open = browserDatabase('notes', 1, upgradeDatabase)
    const before = await open()
    // Another tab deletes the database, which needs all of its connections to be closed.
    await new Promise((resolve) => {
      indexedDB.deleteDatabase('notes').addEventListener('success', resolve)
    })
    const after = await open()
    expect(after).toBeDefined()
    expect(after).not.toBe(before)
  })
})
