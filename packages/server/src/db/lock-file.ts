/** Reads and writes the file of the folder lock for both threads. */
import { readFileSync } from 'node:fs'

/** The lock file of the process that locked a folder. */
export interface HeldLock {
  file: string
  /** Content of the lock file while this process holds the lock. */
  mine: string
  /** State of the lock in one number: `released` once the lock is released. */
  state: Int32Array
}

export const releasedFlag = 1

export const lostMessage =
  'The data folder was taken over by another program while this one stood still: it ends without writing.'

/** Number of checks for a missing lock file, because another program may be restoring it. */
const attempts = 3
const pause = 20

function readLock(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return undefined
  }
}

/**
 * Tells whether the lock file still belongs to this process.
 *
 * @param file - The file.
 * @param ownContent - The content that this process wrote.
 * @returns False when it has other content, or is missing for longer than a moment.
 */
export function isOwnLock(file: string, ownContent: string): boolean {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const text = readLock(file)
    if (text !== undefined) return text === ownContent
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause)
  }
  return false
}
