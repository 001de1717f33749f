/** Parses the requested range of a file (RFC 9110, section 14). */
import type { ByteRange } from './storage/storage.ts'

/**
 * Parses a `Range` header.
 *
 * @param header - The header.
 * @param size - The size of the file.
 * @returns The range within the file; `none` when the file has no such range (416); undefined when the whole
 * file is to be sent: without the header, in another unit, for an invalid form, or for several ranges, which
 * a server may answer with the whole.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'none' | undefined {
  const [, firstByte, lastByte] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '') ?? []
  if (firstByte === undefined || lastByte === undefined || (firstByte === '' && lastByte === '')) return undefined
  // A header `Range` with `-500` requests the last 500 bytes.
  const start = firstByte === '' ? Math.max(0, size - Number(lastByte)) : Number(firstByte)
  const end = firstByte === '' || lastByte === '' ? size - 1 : Math.min(Number(lastByte), size - 1)
  if (firstByte !== '' && lastByte !== '' && Number(lastByte) < start) return undefined
  return start >= size ? 'none' : { start, end }
}
