/**
 * The lock of the data folder: one program at a time, and a dead program locks nobody out (checklist §11).
 */
import { linkSync, readFileSync, readlinkSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type HeldLock, isOwnLock, lostMessage, releasedFlag } from './lock-file.ts'

/**
 * Error of a data folder that another program has locked; the message is one sentence for the person who
 * starts this one.
 */
export class LockError extends Error {
  override name = 'LockError'
}

export interface FolderLock {
  /**
   * Kills the process when another program has taken over the folder: this one was stopped for so long that
   * it appeared dead. Called before every commit.
   */
  assertHeld(): void
  release(): void
}

interface Owner {
  pid: number
  /**
   * Start time of the process with the lock, so that another one with the same number is not mistaken for it.
   */
  started: string
  /** Scope in which the number of the process with the lock is unique: a boot and a process namespace. */
  world: string
}

/** Milliseconds for which a check of the lock file is valid; far shorter than `beatTimeoutMs`. */
const lockCheckValidity = 500
/**
 * A holder in another namespace (a container) cannot be
 * looked up; it is alive as long as it touches the file.
 */
const beatTimeoutMs = 15_000

function tryReading(readText: () => string): string {
  try {
    return readText().trim()
  } catch {
    return ''
  }
}

/** Start of a process in ticks since boot where the system provides it; empty elsewhere. */
function processStartOf(pid: number): string {
  const line = tryReading(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  // The second field of `/proc/<pid>/stat` is the program's name in brackets, which may contain spaces.
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

function processNamespace(): string {
  const bootId = tryReading(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))
  return `${bootId}/${tryReading(() => readlinkSync('/proc/self/ns/pid'))}`
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process that took the lock exists, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function parseLockOwner(text: string): Owner | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (
      typeof value !== 'object' ||
      value === null ||
      !('pid' in value) ||
      !('started' in value) ||
      !('world' in value)
    ) {
      return undefined
    }
    const { pid, started, world } = value
    if (typeof pid !== 'number' || typeof started !== 'string' || typeof world !== 'string') return undefined
    return { pid, started, world }
  } catch {
    return undefined
  }
}

/**
 * Tells whether the owner of a lock is gone, by its process or, where that is hidden, by the age of the
 * file.
 */
function isStale(text: string, file: string, startOf = processStartOf): boolean {
  const owner = parseLockOwner(text)
  if (owner?.world === processNamespace()) {
    if (!isAlive(owner.pid)) return true
    const started = startOf(owner.pid)
    // A service with a user namespace of its own does not see when other processes were started.
    if (started !== '' || owner.started === '') return started !== owner.started
  }
  return Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > beatTimeoutMs
}

/**
 * Finds the program that uses a data folder, without taking its lock.
 *
 * @param dataDir - The data folder.
 * @param startOf - Reads when a process was started; empty where that is hidden.
 * @returns The number of its process as that program sees it; undefined when no running program has the
 *   folder.
 */
export function lockHolderOf(dataDir: string, startOf = processStartOf): number | undefined {
  const file = join(dataDir, 'lock')
  const text = tryReading(() => readFileSync(file, 'utf8'))
  return text === '' || isStale(text, file, startOf) ? undefined : parseLockOwner(text)?.pid
}

const hasErrorCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code

/**
 * Takes the lock of a data folder.
 *
 * @param dataDir - The data folder, which must exist.
 * @throws A LockError when another program has it; the folder is unchanged then.
 */
export function lockFolder(dataDir: string): FolderLock {
  const file = join(dataDir, 'lock')
  const draft = join(dataDir, `lock.${process.pid}`)
  const ownContent = JSON.stringify({
    pid: process.pid,
    started: processStartOf(process.pid),
    world: processNamespace(),
  } satisfies Owner)
  writeFileSync(draft, ownContent, { mode: 0o600 })
  try {
    for (;;) {
      try {
        // Linking the lock file fails when its name is taken, and otherwise adds the file with its whole
        // content.
        linkSync(draft, file)
        return holdLock(file, ownContent)
      } catch (error) {
        if (!hasErrorCode(error, 'EEXIST')) throw error
      }
      const text = tryReading(() => readFileSync(file, 'utf8'))
      if (text !== '' && !isStale(text, file)) {
        const pid = parseLockOwner(text)?.pid
        throw new LockError(
          `The data folder ${dataDir} is in use by another running program${pid ? ` (process ${pid})` : ''}.`,
        )
      }
      removeDeadLock(file, text)
    }
  } finally {
    unlinkSync(draft)
  }
}

/** Removes the lock file of a dead process, and restores it if another program took the lock in between. */
function removeDeadLock(file: string, expectedContent: string): void {
  const staleName = `${file}.stale.${process.pid}`
  try {
    renameSync(file, staleName)
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return
    throw error
  }
  try {
    if (tryReading(() => readFileSync(staleName, 'utf8')) !== expectedContent) linkSync(staleName, file)
  } finally {
    unlinkSync(staleName)
  }
}

function holdLock(file: string, ownLockText: string): FolderLock {
  const state = new Int32Array(new SharedArrayBuffer(4))
  const lockBeatWorker = new Worker(join(import.meta.dirname, 'lock-beat.ts'), {
    workerData: { file, mine: ownLockText, state } satisfies HeldLock,
    execArgv: [],
  })
  lockBeatWorker.unref()
  let [lastTick, seenAt] = [performance.now(), Date.now()]
  const releaseLock = () => {
    process.off('exit', releaseLock)
    Atomics.store(state, 0, releasedFlag)
    void lockBeatWorker.terminate()
    if (tryReading(() => readFileSync(file, 'utf8')) === ownLockText) unlinkSync(file)
  }
  // A program that ends during its start leaves no lock for which a container would wait.
  process.on('exit', releaseLock)
  return {
    assertHeld() {
      // Two clocks measure the age of the last check of the lock file: one stops while the machine sleeps,
      // the other one may be set.
      if (performance.now() - lastTick < lockCheckValidity && Math.abs(Date.now() - seenAt) < lockCheckValidity) return
      if (!isOwnLock(file, ownLockText)) {
        process.stderr.write(`${lostMessage}\n`)
        process.exit(1)
      }
      ;[lastTick, seenAt] = [performance.now(), Date.now()]
    },
    release: releaseLock,
  }
}
