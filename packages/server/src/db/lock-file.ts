/** The file of the lock as both of its threads see it. */
import { readFileSync } from 'node:fs'

/** What a holder knows of its file. */
export interface Held {
  file: string
  /** What is in it while it is ours. */
  mine: string
  /** One number: `released` once it is given free. */
  state: Int32Array
}

export const released = 1

export const lostMessage =
  'The data folder was taken over by another program while this one stood still: it ends without writing.'

/** How often a missing file is looked for again: somebody may be putting it back in this moment. */
const attempts = 3
const pause = 20

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return undefined
  }
}

/**
 * Whether the file of the lock is still of this process.
 *
 * @param file The file.
 * @param mine What this process wrote into it.
 * @returns False when it has other content, or is missing for longer than a moment.
 */
export function isOurs(file: string, mine: string): boolean {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const text = read(file)
    if (text !== undefined) return text === mine
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause)
  }
  return false
}
