/**
 * Encrypted files of backups: AES-256-GCM in chunks, whose order and end are authenticated, with a key of its own for
 * each file. Nothing of the key is stored.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { BackupError } from './backup-error.ts'

const algorithm = 'aes-256-gcm'
/** First bytes of every encrypted file: the name of the form and its version. */
const mark = Buffer.from('DALASEA1')
const saltBytes = 16
const tagBytes = 16
const chunkBytes = 1_048_576

/** The key of encrypted backups. */
export interface BackupKey {
  readonly bytes: Buffer
  /** Number of the key in manifests, from which the key cannot be found. */
  readonly id: string
}

const digestOf = (bytes: Buffer, text: string) => createHmac('sha256', bytes).update(text).digest('hex')

/**
 * Makes the key of backups from its bytes.
 *
 * @param bytes - 32 random bytes.
 * @returns The key with its number.
 */
export const backupKeyOf = (bytes: Buffer): BackupKey => ({
  bytes,
  id: digestOf(bytes, 'dala backup key').slice(0, 16),
})

const derive = (key: BackupKey, salt: Buffer, purpose: string) =>
  Buffer.from(hkdfSync('sha256', key.bytes, salt, purpose, 32))

/** The nonce of a chunk: its place, and whether it is the last one. */
function nonceOf(place: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(Math.floor(place / 2 ** 32), 3)
  nonce.writeUInt32BE(place % 2 ** 32, 7)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Cuts bytes into chunks of one size; only the last chunk may be shorter or empty. */
async function* chunksOf(
  source: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ chunk: Buffer; isLast: boolean }> {
  let parts: Uint8Array[] = []
  let length = 0
  for await (const part of source) {
    parts.push(part)
    length += part.length
    // A whole chunk is sent only when more bytes follow, because the last one is marked.
    if (length <= size) continue
    let joined = Buffer.concat(parts)
    while (joined.length > size) {
      yield { chunk: joined.subarray(0, size), isLast: false }
      joined = joined.subarray(size)
    }
    parts = [joined]
    length = joined.length
  }
  yield { chunk: Buffer.concat(parts), isLast: true }
}

/**
 * Encrypts bytes.
 *
 * @param key - The key of backups.
 * @returns A step of a stream pipeline.
 */
export const sealWith = (key: BackupKey) =>
  async function* seal(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
    const salt = randomBytes(saltBytes)
    const fileKey = derive(key, salt, 'dala backup file')
    yield Buffer.concat([mark, salt])
    let place = 0
    for await (const { chunk, isLast } of chunksOf(source, chunkBytes)) {
      const cipher = createCipheriv(algorithm, fileKey, nonceOf(place, isLast))
      yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
      place += 1
    }
  }

const unreadable = () =>
  new BackupError('An encrypted file of the backup cannot be read: it was altered, or BACKUP_KEY is not its key.')

function openChunk(fileKey: Buffer, chunk: Buffer, nonce: Buffer): Buffer {
  if (chunk.length < tagBytes) throw unreadable()
  const decipher = createDecipheriv(algorithm, fileKey, nonce, { authTagLength: tagBytes })
  decipher.setAuthTag(chunk.subarray(chunk.length - tagBytes))
  try {
    return Buffer.concat([decipher.update(chunk.subarray(0, chunk.length - tagBytes)), decipher.final()])
  } catch {
    throw unreadable()
  }
}

/** Separates the head of an encrypted file from its chunks. */
async function readHead(bytes: AsyncIterator<Uint8Array>): Promise<{ salt: Buffer; rest: Buffer }> {
  let head = Buffer.alloc(0)
  while (head.length < mark.length + saltBytes) {
    const next = await bytes.next()
    if (next.done === true) throw unreadable()
    head = Buffer.concat([head, next.value])
  }
  if (!head.subarray(0, mark.length).equals(mark)) throw unreadable()
  return { salt: head.subarray(mark.length, mark.length + saltBytes), rest: head.subarray(mark.length + saltBytes) }
}

/**
 * Decrypts bytes. A chunk is passed on only after its check; the end of a cut file is refused.
 *
 * @param key - The key of backups.
 * @returns A step of a stream pipeline, which throws a BackupError for altered bytes and another key.
 */
export const openWith = (key: BackupKey) =>
  async function* open(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
    const bytes = source[Symbol.asyncIterator]()
    const { salt, rest } = await readHead(bytes)
    const fileKey = derive(key, salt, 'dala backup file')
    async function* following(): AsyncGenerator<Uint8Array> {
      yield rest
      for (let next = await bytes.next(); !next.done; next = await bytes.next()) yield next.value
    }
    let place = 0
    for await (const { chunk, isLast } of chunksOf(following(), chunkBytes + tagBytes)) {
      yield openChunk(fileKey, chunk, nonceOf(place, isLast))
      place += 1
    }
  }

/** Computes the code that proves who wrote a text, and that it is whole. */
export const authenticate = (key: BackupKey, text: string) =>
  digestOf(derive(key, Buffer.alloc(0), 'dala backup manifest'), text)

/** Compares two codes in constant time. */
export const isSameCode = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
