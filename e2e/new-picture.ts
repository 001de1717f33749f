/** A picture to upload: a PNG of one colour, a different one each time. */
import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

const pictureSide = 64

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

export function newPicture(): { name: string; mimeType: string; buffer: Buffer } {
  const headerBytes = Buffer.alloc(13)
  headerBytes.writeUInt32BE(pictureSide, 0)
  headerBytes.writeUInt32BE(pictureSide, 4)
  // A PNG header for eight bits a channel, in red, green and blue.
  headerBytes.set([8, 2], 8)
  const colour = randomBytes(3)
  const row = Buffer.concat([Buffer.from([0]), ...Array.from({ length: pictureSide }, () => colour)])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: pictureSide }, () => row)))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const buffer = Buffer.concat([
    signature,
    chunk('IHDR', headerBytes),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
  return { name: `field-${colour.toString('hex')}.png`, mimeType: 'image/png', buffer }
}
