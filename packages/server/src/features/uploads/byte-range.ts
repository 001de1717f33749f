/** Which part of a file a request asks for (RFC 9110, section 14). */
import type { ByteRange } from './storage/storage.ts'

/**
 * Reads a header `Range`. Out: the part, within the file; `none` when the file has no such part (416); undefined when
 * the whole is to be sent: without the header, in another unit, with a form that is wrong, or for several parts, which
 * a server may answer with the whole.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'none' | undefined {
  const [, first, last] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  // `-500` is the last 500 bytes.
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < start) return undefined
  return start >= size ? 'none' : { start, end }
}
