import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { backupKeyOf, openWith, sealWith } from './sealed-file.ts'

const key = backupKeyOf(Buffer.alloc(32, 7))
const chunkBytes = 1_048_576
const headBytes = 24
const sealedChunkBytes = chunkBytes + 16

async function* inParts(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) {
    yield bytes.subarray(start, start + size)
    await Promise.resolve()
  }
}

async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of source) parts.push(part)
  return Buffer.concat(parts)
}

const seal = (bytes: Buffer, sealingKey = key) => collect(sealWith(sealingKey)(inParts(bytes, 70_000)))
const open = (bytes: Buffer, openingKey = key) => collect(openWith(openingKey)(inParts(bytes, 99_999)))

describe('encrypted files of backups', () => {
  test.each([0, 1, chunkBytes - 1, chunkBytes, chunkBytes + 1, 3 * chunkBytes + 5])(
    'reads back a file of %d bytes',
    async (size) => {
      const plain = randomBytes(size)
      expect((await open(await seal(plain))).equals(plain)).toBe(true)
    },
  )

  test('shows no part of the content', async () => {
    const plain = randomBytes(chunkBytes + 100)
    const sealed = await seal(plain)
    for (const start of [0, 1_000, chunkBytes - 8, chunkBytes + 50])
      expect(sealed.includes(plain.subarray(start, start + 16))).toBe(false)
  })

  test('encrypts equal files differently', async () => {
    const plain = Buffer.alloc(100)
    expect((await seal(plain)).equals(await seal(plain))).toBe(false)
  })

  const plain = randomBytes(2 * chunkBytes + 10)
  const chunkAt = (sealed: Buffer, place: number) =>
    sealed.subarray(headBytes + place * sealedChunkBytes, headBytes + (place + 1) * sealedChunkBytes)

  test.each([
    ['that is empty', () => Buffer.alloc(0)],
    ['cut within its head', (sealed: Buffer) => sealed.subarray(0, headBytes - 1)],
    ['cut after its head', (sealed: Buffer) => sealed.subarray(0, headBytes)],
    ['cut between two chunks', (sealed: Buffer) => sealed.subarray(0, headBytes + sealedChunkBytes)],
    ['cut within a chunk', (sealed: Buffer) => sealed.subarray(0, headBytes + sealedChunkBytes + 100)],
    ['cut by its last byte', (sealed: Buffer) => sealed.subarray(0, sealed.length - 1)],
    ['with a byte more', (sealed: Buffer) => Buffer.concat([sealed, Buffer.alloc(1)])],
    [
      'with two chunks exchanged',
      (sealed: Buffer) =>
        Buffer.concat([sealed.subarray(0, headBytes), chunkAt(sealed, 1), chunkAt(sealed, 0), chunkAt(sealed, 2)]),
    ],
    [
      'with a chunk left out',
      (sealed: Buffer) => Buffer.concat([sealed.subarray(0, headBytes), chunkAt(sealed, 0), chunkAt(sealed, 2)]),
    ],
    ['with another form', (sealed: Buffer) => Buffer.concat([Buffer.from('DALASEA2'), sealed.subarray(8)])],
  ])('refuses a file %s', async (_name, damage) => {
    await expect(open(damage(await seal(plain)))).rejects.toThrow(/cannot be read/)
  })

  test('refuses a file with one altered bit, wherever it is', async () => {
    const sealed = await seal(randomBytes(40))
    for (let place = 0; place < sealed.length; place += 1) {
      const damaged = Buffer.from(sealed)
      damaged.writeUInt8(damaged.readUInt8(place) ^ 1, place)
      await expect(open(damaged)).rejects.toThrow(/cannot be read/)
    }
  })

  test('refuses another key', async () => {
    await expect(open(await seal(plain), backupKeyOf(Buffer.alloc(32, 8)))).rejects.toThrow(/cannot be read/)
  })

  test('names a key without showing a part of it', () => {
    const bytes = randomBytes(32)
    const { id } = backupKeyOf(bytes)
    expect(id).toMatch(/^[0-9a-f]{16}$/)
    expect(bytes.toString('hex')).not.toContain(id)
  })
})
