/** Streams large files without letting their read buffers pile up in memory. */
import { Readable } from 'node:stream'
import type { ReadFile } from './storage/storage.ts'

/** Bytes after which buffers that were sent are freed. V8 alone would collect them after some 64 MB. */
const collectAfter = 8 * 1_048_576
/** Bytes below which a file is sent as it is read, without freeing its buffers. */
const largeFileBytes = 1_048_576
let sentBytes = 0

async function* collectWhileReading(source: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of source as AsyncIterable<Buffer>) {
    sentBytes += chunk.length
    if (sentBytes > collectAfter) {
      sentBytes = 0
      // The function is available when Node was started with `--expose-gc` (`npm start`); new buffers take it a
      // millisecond.
      globalThis.gc?.({ type: 'minor', execution: 'sync' })
    }
    yield chunk
  }
}

/**
 * Returns the bytes of a stored file or of a range, read no faster than they are sent.
 *
 * @param file - The opened file.
 */
export const collectedStream = ({ stream, size }: ReadFile): Readable =>
  size < largeFileBytes ? stream : Readable.from(collectWhileReading(stream), { objectMode: false })
