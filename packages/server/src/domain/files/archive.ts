/** Reads the central directory of a ZIP archive, and compares all its statements with the real bytes. */
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw } from 'node:zlib'

/** Packed file of a ZIP archive. */
export interface ArchiveEntry {
  name: string
  method: 'stored' | 'deflated'
  /** Packed (compressed) bytes of a file in the ZIP archive. */
  packed: Buffer
  /** Number of bytes of the archive's file after unpacking, as the archive states it. */
  size: number
}

// Signatures and lengths of the records of a ZIP archive (APPNOTE.TXT of PKWARE, section 4.3).
const endOfList = { signature: 0x06_05_4b_50, length: 22, longestComment: 65_535 }
const directoryHeader = { signature: 0x02_01_4b_50, length: 46 }
const localHeader = { signature: 0x04_03_4b_50, length: 30 }
const zip64Locator = { signature: 0x07_06_4b_50, length: 20 }
const encryptedFlag = 1
const methods: Readonly<Record<number, ArchiveEntry['method']>> = { 0: 'stored', 8: 'deflated' }
/** Best compression ratio that the method deflate reaches. */
const maxPackingRatio = 1_032

/** Finds the end record of a ZIP archive: the last one whose comment ends with the file. */
function findEnd(bytes: Buffer): number | undefined {
  const firstOffset = Math.max(0, bytes.length - endOfList.length - endOfList.longestComment)
  for (let offset = bytes.length - endOfList.length; offset >= firstOffset; offset -= 1) {
    if (bytes.readUInt32LE(offset) !== endOfList.signature) continue
    return offset + endOfList.length + bytes.readUInt16LE(offset + 20) === bytes.length ? offset : undefined
  }
  return undefined
}

/**
 * Returns the file of a directory line; undefined when the line contradicts the bytes before the directory.
 */
function readEntry(bytes: Buffer, line: number, nameLength: number, listStart: number) {
  const method = methods[bytes.readUInt16LE(line + 10)]
  const [packedSize, size] = [bytes.readUInt32LE(line + 20), bytes.readUInt32LE(line + 24)]
  const start = bytes.readUInt32LE(line + 42)
  const name = bytes.toString('utf8', line + directoryHeader.length, line + directoryHeader.length + nameLength)
  if (method === undefined || bytes.readUInt16LE(line + 8) & encryptedFlag || start + localHeader.length > listStart)
    return undefined
  if (bytes.readUInt32LE(start) !== localHeader.signature) return undefined
  const localName = start + localHeader.length
  const data = localName + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28)
  const end = data + packedSize
  if (end > listStart || bytes.readUInt16LE(start + 26) !== nameLength) return undefined
  if (bytes.toString('utf8', localName, localName + nameLength) !== name) return undefined
  const isPossible = method === 'stored' ? size === packedSize : size <= packedSize * maxPackingRatio
  return isPossible ? { start, end, entry: { name, method, packed: bytes.subarray(data, end), size } } : undefined
}

/**
 * Reads the central directory of a ZIP archive. The effort grows with the real bytes, not with the counts
 * that they state.
 *
 * @param bytes - The whole file; the archive begins with its first byte.
 * @param maxEntries - Maximum number of files.
 * @returns The files; undefined for anything but a plain archive whose directory matches its content: no
 * ZIP64, no parts, no encryption, no two files that share bytes, nothing beyond the end.
 */
export function readArchive(bytes: Buffer, maxEntries: number): ArchiveEntry[] | undefined {
  const end = bytes.length < endOfList.length ? undefined : findEnd(bytes)
  if (end === undefined || bytes.readUInt32LE(0) !== localHeader.signature) return undefined
  const locator = end - zip64Locator.length
  if (locator >= 0 && bytes.readUInt32LE(locator) === zip64Locator.signature) return undefined
  const count = bytes.readUInt16LE(end + 10)
  const [listSize, listStart] = [bytes.readUInt32LE(end + 12), bytes.readUInt32LE(end + 16)]
  // The end record of an archive must state one part: number of this part, part of the directory, files
  // listed in this part.
  const isWhole = bytes.readUInt32LE(end + 4) === 0 && bytes.readUInt16LE(end + 8) === count
  if (!isWhole || count > maxEntries || listStart + listSize !== end) return undefined

  const foundEntries: NonNullable<ReturnType<typeof readEntry>>[] = []
  let line = listStart
  for (let turn = 0; turn < count; turn += 1) {
    if (line + directoryHeader.length > end || bytes.readUInt32LE(line) !== directoryHeader.signature) return undefined
    const nameLength = bytes.readUInt16LE(line + 28)
    const nextOffset =
      line + directoryHeader.length + nameLength + bytes.readUInt16LE(line + 30) + bytes.readUInt16LE(line + 32)
    const readResult = nextOffset <= end ? readEntry(bytes, line, nameLength, listStart) : undefined
    if (!readResult) return undefined
    foundEntries.push(readResult)
    line = nextOffset
  }
  const sortedEntries = foundEntries.toSorted((a, b) => a.start - b.start)
  const overlaps = sortedEntries.some(
    ({ end: entryEnd }, index) => entryEnd > (sortedEntries[index + 1]?.start ?? listStart),
  )
  return line === end && !overlaps ? foundEntries.map(({ entry }) => entry) : undefined
}

/**
 * Unpacks one file of an archive outside the main thread.
 *
 * @param entry - The file as the archive lists it.
 * @param keep - Whether the bytes are needed.
 * @returns The unpacked bytes; empty when they are not needed.
 * @throws When the file is broken, or has another size than the archive states.
 */
export async function unpackEntry({ packed, method, size }: ArchiveEntry, keep: boolean): Promise<Buffer> {
  const chunks: Buffer[] = []
  let seenBytes = 0
  const count = new Writable({
    write(chunk: Buffer, _encoding, onWritten) {
      seenBytes += chunk.length
      if (keep) chunks.push(chunk)
      onWritten(seenBytes > size ? new Error('The file is larger than its archive says') : null)
    },
  })
  if (method === 'stored') count.end(packed)
  else await pipeline([packed], createInflateRaw(), count)
  if (method === 'deflated' && seenBytes !== size) throw new Error('The file is smaller than its archive says')
  return method === 'stored' && keep ? packed : Buffer.concat(chunks)
}
