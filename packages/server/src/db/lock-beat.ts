/**
 * The thread that keeps the lock of a data folder: it touches the file while the main thread is busy, and ends the
 * process when the file is not its own any more. A process that was stopped for a while may have lost it.
 */
import { utimesSync, writeSync } from 'node:fs'
import { isMainThread, workerData } from 'node:worker_threads'
import { type Held, isOurs, lostMessage, released } from './lock-file.ts'

const every = 2_000

function beat({ file, mine, state }: Held): void {
  const found = isOurs(file, mine)
  // Given free by the main thread: read behind the file, so that its removal is not taken for a loss.
  if (Atomics.load(state, 0) === released) return
  if (found === false) {
    writeSync(process.stderr.fd, `${lostMessage}\n`)
    // The main thread may be busy, and must not write anything any more.
    process.kill(process.pid, 'SIGKILL')
  }
  const now = new Date()
  try {
    utimesSync(file, now, now)
  } catch {
    // Taken away in this moment: the next beat sees it.
  }
}

if (!isMainThread) {
  const held = workerData as Held
  setInterval(() => beat(held), every)
}
