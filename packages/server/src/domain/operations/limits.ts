/** Limits of the judgements that `/ready`, the System page and `dala doctor` share. */

/** Bytes of the disk below which the server is unavailable. */
export const minFreeBytes = 200 * 1_048_576
const lowBytes = 1_024 ** 3
const lowShare = 0.05
const mostClockMs = 2_000
const mostWriteMs = 300

/**
 * Judges the free space of the disk of the data folder.
 *
 * @param freeBytes - Bytes that the server may write.
 * @param totalBytes - Bytes of the disk.
 * @returns `out` where the server reports itself unavailable.
 */
export function judgeSpace(freeBytes: number, totalBytes: number): 'enough' | 'low' | 'out' {
  if (freeBytes < minFreeBytes) return 'out'
  return freeBytes < lowBytes || freeBytes < totalBytes * lowShare ? 'low' : 'enough'
}

/**
 * Judges the difference between the clocks of the program and of the database.
 *
 * @param differenceMs - Milliseconds by which the database is ahead.
 */
export const areClocksApart = (differenceMs: number): boolean => Math.abs(differenceMs) > mostClockMs

/**
 * Judges the speed of a disk.
 *
 * @param writeMs - Milliseconds until a small write was stored.
 */
export const isDiskSlow = (writeMs: number): boolean => writeMs > mostWriteMs

/**
 * Waits for a promise within a time limit.
 *
 * @param promise - The promise.
 * @param limit - Milliseconds.
 * @param late - The value after the limit.
 * @returns The value of the promise, or the late one.
 */
export async function settleWithin<T, L>(promise: Promise<T>, limit: number, late: L): Promise<T | L> {
  const { promise: timeout, resolve } = Promise.withResolvers<L>()
  const timer = setTimeout(() => resolve(late), limit)
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}
