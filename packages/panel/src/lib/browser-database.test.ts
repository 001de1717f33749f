import * as fakeDatabase from 'fake-indexeddb'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openDB } from 'idb'
import { browserDatabase } from './browser-database.ts'

beforeEach(() => {
  for (const [name, fakeGlobal] of Object.entries(fakeDatabase)) vi.stubGlobal(name, fakeGlobal)
  vi.stubGlobal('indexedDB', new fakeDatabase.IDBFactory())
})
afterAll(() => void vi.unstubAllGlobals())

const upgradeDatabase = () => undefined

describe('browserDatabase', () => {
  it('opens a database once for all calls', async () => {
    const openDatabase = browserDatabase('notes', 1, upgradeDatabase)
    const [firstConnection, secondConnection] = await Promise.all([openDatabase(), openDatabase()])
    expect(firstConnection).toBeDefined()
    expect(secondConnection).toBe(firstConnection)
  })

  it('opens no database while an older version is open elsewhere', async () => {
    const olderDatabase = await openDB('notes', 1)
    const openDatabase = browserDatabase('notes', 2, upgradeDatabase)
    expect(await openDatabase()).toBeUndefined()
    olderDatabase.close()
    // A connection that opens after its time-out is closed too, so nothing blocks the next version of the
    // database.
    const newerDatabase = await openDB('notes', 3)
    expect(newerDatabase.version).toBe(3)
    newerDatabase.close()
  })

  it('closes the database for a newer version, and opens it again after the upgrade', async () => {
    const openDatabase = browserDatabase('notes', 1, upgradeDatabase)
    const formerConnection = await openDatabase()
    // Another tab deletes the database, which needs all of its connections to be closed.
    await new Promise((resolve) => {
      indexedDB.deleteDatabase('notes').addEventListener('success', resolve)
    })
    const newConnection = await openDatabase()
    expect(newConnection).toBeDefined()
    expect(newConnection).not.toBe(formerConnection)
  })
})
