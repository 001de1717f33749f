/** The complete bytes of an upload, read in ranges and never as a whole. */
import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { fault } from '@dala/model'
import type { ByteRange, ReadFile } from '../storage/storage.ts'

export interface ReceivedBytes {
  size: number
  /** Opens all bytes of the received upload. */
  stream: () => Promise<Readable>
  /** Reads some bytes of the upload into memory; `end` is the first byte behind them. */
  readSlice: (start: number, end: number) => Promise<Uint8Array>
}

/**
 * Reads a complete upload through its store.
 *
 * @param size - The number of its bytes.
 * @param openBytes - Opens the upload or a range of it; undefined when it is gone.
 */
export function receivedBytes(
  size: number,
  openBytes: (range?: ByteRange) => Promise<ReadFile | undefined>,
): ReceivedBytes {
  const openRange = async (range?: ByteRange) => {
    const foundBytes = await openBytes(range)
    if (!foundBytes) throw fault('file.not-found')
    return foundBytes.stream
  }
  return {
    size,
    stream: () => openRange(),
    readSlice: async (start, end) => buffer(await openRange({ start, end: Math.min(end, size) - 1 })),
  }
}
