/** Locks of resumable uploads: one request at a time writes to an upload, on all instances. */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { fault } from '@dala/model'
import type { Lock, Locker } from '@tus/server'
import type { Database } from '../../../db/database.ts'
import type { Connection } from '../../../db/driver.ts'

/** Class of the advisory locks of resumable uploads, which have two numbers. */
const lockClass = 4_711_002
/** Milliseconds between two tries to lock an upload, and until a waiting request is refused. */
const lockTimes = { again: 100, longest: 10_000 }

/** A request that holds or waits for the lock of an upload on this instance. */
interface UploadLock {
  /** Asks the request with the upload's lock to end, because another one waits. */
  releaseLock: () => void
  freedSignal: PromiseWithResolvers<void>
}

const lockNumberOf = (id: string) => createHash('sha256').update(id).digest().readInt32BE()

/**
 * One session of the database that holds the locks of all uploads of this instance, so that a long request
 * costs no connection of its own. It is opened with the first lock and closed with the last one.
 */
class LockSession {
  readonly #database: Database
  #users = 0
  #opened: Promise<Connection> | undefined
  #end: () => void = () => {}

  constructor(database: Database) {
    this.#database = database
  }

  async take(id: string): Promise<boolean> {
    this.#users += 1
    try {
      const connection = await this.#open()
      const [row] = await connection.script(`select pg_try_advisory_lock(${lockClass}, ${lockNumberOf(id)}) as taken`)
      if (isLockTaken(row)) return true
    } catch (error) {
      this.#leave()
      throw error
    }
    this.#leave()
    return false
  }

  async free(id: string): Promise<void> {
    try {
      const connection = await this.#open()
      await connection.script(`select pg_advisory_unlock(${lockClass}, ${lockNumberOf(id)})`)
    } catch {
      // A database connection that was lost has no locks any more.
    } finally {
      this.#leave()
    }
  }

  #leave(): void {
    this.#users -= 1
    if (this.#users > 0) return
    this.#end()
    this.#opened = undefined
  }

  #open(): Promise<Connection> {
    this.#opened ??= new Promise((resolve, reject) => {
      const endedSignal = Promise.withResolvers<void>()
      this.#end = () => endedSignal.resolve()
      this.#database
        .session(async (connection) => {
          resolve(connection)
          await endedSignal.promise
        })
        .catch(reject)
    })
    return this.#opened
  }
}

const isLockTaken = (row: unknown) => typeof row === 'object' && row !== null && 'taken' in row && row.taken === true

/**
 * Locks uploads by an advisory lock of the database. The embedded database belongs to one program, where a
 * lock in memory is enough.
 */
export class UploadLocks implements Locker {
  readonly #held = new Map<string, UploadLock>()
  readonly #session: LockSession | undefined

  constructor(database: Database) {
    this.#session = database.kind === 'server' ? new LockSession(database) : undefined
  }

  /** Creates the lock of one request on an upload; the library of the protocol calls it. */
  newLock(id: string): Lock {
    return {
      lock: (signal, release) => this.#lock(id, () => void release(), signal),
      unlock: () => this.#unlock(id),
    }
  }

  /**
   * Runs work that no other request on the upload may disturb.
   *
   * @throws 409 `upload.in-use` when another request does not end.
   */
  async exclusive<T>(id: string, runTask: () => Promise<T>): Promise<T> {
    await this.#lock(id, () => {})
    try {
      return await runTask()
    } finally {
      await this.#unlock(id)
    }
  }

  async #lock(id: string, releaseLock: () => void, signal?: AbortSignal): Promise<void> {
    const deadline = performance.now() + lockTimes.longest
    const assertUploadWaiting = () => {
      if (performance.now() > deadline || signal?.aborted) throw fault('upload.in-use', { retryAfter: 5 })
    }
    for (let heldLock = this.#held.get(id); heldLock; heldLock = this.#held.get(id)) {
      assertUploadWaiting()
      heldLock.releaseLock()
      await Promise.race([heldLock.freedSignal.promise, pause(lockTimes.again, undefined, { ref: false })])
    }
    const ownLock: UploadLock = { releaseLock, freedSignal: Promise.withResolvers() }
    this.#held.set(id, ownLock)
    try {
      while (this.#session && !(await this.#session.take(id))) {
        assertUploadWaiting()
        await pause(lockTimes.again)
      }
    } catch (error) {
      this.#release(id)
      throw error
    }
  }

  async #unlock(id: string): Promise<void> {
    await this.#session?.free(id)
    this.#release(id)
  }

  #release(id: string): void {
    const heldLock = this.#held.get(id)
    this.#held.delete(id)
    heldLock?.freedSignal.resolve()
  }
}
