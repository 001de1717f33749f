/**
 * Main module of the thread that holds the lock of a data folder: it touches the file while the main thread
 * is busy, and ends the process when the file no longer belongs to it. A process that was stopped for a while
 * may have lost it.
 */
import { utimesSync, writeSync } from 'node:fs'
import { isMainThread, workerData } from 'node:worker_threads'
import { type HeldLock, isOwnLock, lostMessage, releasedFlag } from './lock-file.ts'

const beatIntervalMs = 2_000

function writeBeat({ file, mine, state }: HeldLock): void {
  const isLockOurs = isOwnLock(file, mine)
  // The lock of the folder was released. Its state is read after the file, so that a removal is not mistaken
  // for a loss.
  if (Atomics.load(state, 0) === releasedFlag) return
  if (isLockOurs === false) {
    writeSync(process.stderr.fd, `${lostMessage}\n`)
    // The data folder has another owner. The main thread may be busy, and must write nothing more.
    process.kill(process.pid, 'SIGKILL')
  }
  const now = new Date()
  try {
    utimesSync(file, now, now)
  } catch {
    // The lock file was removed at this moment: the next beat notices that.
  }
}

if (!isMainThread) {
  const lock = workerData as HeldLock
  setInterval(() => writeBeat(lock), beatIntervalMs)
}
