/** Measures how long the disk of the data folder takes to store a small write for good. */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { settleWithin } from '../../domain/operations/limits.ts'
import { emitSignal, onSignal } from '../../signals.ts'

/** Milliseconds between two measurements; a slow disk is known after two of them. */
const intervalMs = 3_000
/** Milliseconds that the end of the program waits for a measurement. */
const stopLimitMs = 2_000
const block = Buffer.alloc(4_096)

/** Writes a block to a file of the data folder, and waits until the disk has stored it. */
export async function writeToDisk(dataDir: string): Promise<void> {
  const file = await open(join(dataDir, 'disk-test'), 'w')
  try {
    await file.write(block)
    await file.datasync()
  } finally {
    await file.close()
  }
}

interface DiskProbeOptions {
  /** Writes a little and waits for the disk. */
  write: () => Promise<void>
  /** Returns the milliseconds of a steady clock. */
  now?: () => number
}

/** Measures one write after the other, and signals the seconds of each. */
export class DiskProbe {
  readonly #write: () => Promise<void>
  readonly #now: () => number
  #timer: NodeJS.Timeout | undefined
  #begun: number | undefined
  #measuring: Promise<void> = Promise.resolve()

  constructor({ write, now = () => performance.now() }: DiskProbeOptions) {
    this.#write = write
    this.#now = now
  }

  /** Measures now and at each interval. */
  start(onError: (error: unknown) => void): void {
    const measure = () => void this.measure().catch(onError)
    this.#timer = setInterval(measure, intervalMs)
    this.#timer.unref()
    measure()
  }

  /** Ends the measurements; a disk that does not answer does not stop the program from ending. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await settleWithin(this.#measuring, stopLimitMs, undefined)
  }

  /**
   * Measures one write. While an earlier one has not ended, its time so far is signalled instead, so that a
   * disk that does not answer is known too.
   *
   * @throws The error of the write; a full disk for instance, which says nothing about its speed.
   */
  async measure(): Promise<void> {
    if (this.#begun !== undefined) return this.#signalSince(this.#begun)
    const begun = this.#now()
    this.#begun = begun
    const writing = this.#write().finally(() => (this.#begun = undefined))
    this.#measuring = writing.catch(() => {})
    await writing
    this.#signalSince(begun)
  }

  #signalSince(begun: number): void {
    emitSignal('diskWrite', { seconds: (this.#now() - begun) / 1_000 })
  }
}

/** The measurements of this process that the System page shows. */
export interface DiskLatency {
  /** Milliseconds of the faster one of the last two writes; null before two were measured. */
  read: () => number | null
  close: () => void
}

/** Follows the measurements. One slow write is usual, two in a row are a slow disk. */
export function followDiskLatency(): DiskLatency {
  let lastTwo: readonly number[] = []
  const close = onSignal('diskWrite', ({ seconds }) => {
    lastTwo = [...lastTwo.slice(-1), seconds * 1_000]
  })
  return { read: () => (lastTwo.length < 2 ? null : Math.round(Math.min(...lastTwo))), close }
}
