/** Files of a backup as they are stored: as they are, or encrypted, with their checksum. */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type BackupKey, openWith, sealWith } from './sealed-file.ts'

export interface StoredFile {
  /** SHA-256 of the stored bytes. */
  checksum: string
  bytes: number
}

/** The key and the end of the writing of a backup's files. */
export interface StoreOptions {
  /** The key of encrypted files; files are stored as they are without one. */
  key?: BackupKey | undefined
  signal?: AbortSignal | undefined
}

async function* asTheyAre(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* source
}

/**
 * Writes and flushes one file of a backup.
 *
 * @param source - The bytes of the file.
 * @param file - The path of the new file.
 * @param options - The key, and the signal that ends the work.
 * @returns The checksum and the number of the stored bytes.
 */
export async function storeFile(source: Readable, file: string, { key, signal }: StoreOptions): Promise<StoredFile> {
  const hash = createHash('sha256')
  let bytes = 0
  await pipeline(
    source,
    key ? sealWith(key) : asTheyAre,
    async function* count(stored: AsyncIterable<Uint8Array>) {
      for await (const part of stored) {
        hash.update(part)
        bytes += part.length
        yield part
      }
    },
    createWriteStream(file, { mode: 0o600, flush: true }),
    { signal },
  )
  return { checksum: hash.digest('hex'), bytes }
}

/**
 * Writes the content of a stored file.
 *
 * @param stored - The path of the stored file.
 * @param file - The path of the new file.
 * @param options - The key, and the signal that ends the work.
 * @throws BackupError for an altered file, and for another key.
 */
export async function openFile(stored: string, file: string, { key, signal }: StoreOptions): Promise<void> {
  await pipeline(createReadStream(stored), key ? openWith(key) : asTheyAre, createWriteStream(file, { mode: 0o600 }), {
    signal,
  })
}

/** Returns the checksum of a stream of stored bytes. */
export async function checksumOfStream(source: Readable, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(source, hash, { signal })
  return hash.digest('hex')
}
