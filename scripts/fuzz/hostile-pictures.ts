/**
 * Files that only look like pictures, for the proof of hostile uploads: broken, double, or far too large when
 * decoded.
 */
import { crc32, deflateSync, gzipSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

export const latin = (text: string): Buffer => Buffer.from(text, 'latin1')
export const joinBytes = (...parts: (Buffer | string)[]): Buffer =>
  Buffer.concat(parts.map((bytesOrText) => (typeof bytesOrText === 'string' ? latin(bytesOrText) : bytesOrText)))

export const signatures = {
  png: latin('\x89PNG\r\n\x1a\n'),
  jpeg: latin('\xff\xd8\xff\xe0'),
  gif: latin('GIF89a'),
  webp: latin('RIFF\x00\x00\x10\x00WEBPVP8 '),
} as const

/** Makes a valid picture of one colour. */
export const makePlainPicture = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background: '#0a0' } })

function chunk(type: string, data: Buffer): Buffer {
  const body = joinBytes(type, data)
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return joinBytes(length, body, sum)
}

/** Makes a PNG that claims a size and contains this many bytes of compressed zeros. */
export function pngBomb(width: number, height: number, byteCount: number): Buffer {
  const pngHeader = Buffer.alloc(13)
  pngHeader.writeUInt32BE(width, 0)
  pngHeader.writeUInt32BE(height, 4)
  pngHeader.set([8, 2, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(byteCount), { level: 9 })
  return joinBytes(signatures.png, chunk('IHDR', pngHeader), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0)))
}

/** Makes a ZIP archive that has no entries but a comment: only its end record. */
export function archive(comment: string): Buffer {
  const record = Buffer.alloc(22)
  record.write('PK\x05\x06', 'latin1')
  record.writeUInt16LE(comment.length, 20)
  return joinBytes('PK\x03\x04 something that was packed', record, comment)
}

/** Compresses this many zero bytes with gzip, without a picture around them. */
export const compressZeros = (byteCount: number): Buffer => gzipSync(Buffer.alloc(byteCount), { level: 9 })

/** Makes a JPEG with a comment of this content right behind its header; long ones span several segments. */
export function addComment(jpeg: Buffer, content: Buffer): Buffer {
  const segments: Buffer[] = []
  for (let offset = 0; offset < content.length; offset += 65_000) {
    const contentSlice = content.subarray(offset, offset + 65_000)
    const macroHead = latin('\xff\xfe\x00\x00')
    macroHead.writeUInt16BE(contentSlice.length + 2, 2)
    segments.push(macroHead, contentSlice)
  }
  return joinBytes(jpeg.subarray(0, 2), ...segments, jpeg.subarray(2))
}

/** Makes an animation of frames of different colours, in one column. */
export function makeAnimation(frames: number): Sharp {
  const pictureSide = 8
  const pixels = Buffer.alloc(frames * pictureSide * pictureSide * 3)
  for (let byteIndex = 0; byteIndex < pixels.length; byteIndex += 1)
    pixels[byteIndex] = Math.floor(byteIndex / (pictureSide * pictureSide * 3)) * 53 + (byteIndex % 3) * 40
  return sharp(pixels, {
    raw: { width: pictureSide, height: pictureSide * frames, channels: 3, pageHeight: pictureSide },
  })
}
