/** Compresses an archive of the embedded database in the background, while statements are answered. */
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** Large pieces of memory return to the system when they are freed. */
const chunkBytes = 1_048_576
/** Level of compression: higher ones take more than twice the time, for a file that is an eighth smaller. */
const level = 2

function* chunksOf(archive: ArrayBuffer): Generator<Uint8Array> {
  for (let start = 0; start < archive.byteLength; start += chunkBytes)
    yield new Uint8Array(archive, start, Math.min(chunkBytes, archive.byteLength - start))
}

/**
 * Compresses an archive.
 *
 * @param archive - The bytes of the archive.
 */
export async function compressArchive(archive: ArrayBuffer): Promise<Blob> {
  const parts: Buffer<ArrayBuffer>[] = []
  await pipeline(
    chunksOf(archive),
    createGzip({ chunkSize: chunkBytes, level }),
    async (compressed: AsyncIterable<Buffer<ArrayBuffer>>) => {
      for await (const part of compressed) parts.push(part)
    },
  )
  return new Blob(parts, { type: 'application/x-gzip' })
}
