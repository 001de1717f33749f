/** Small videos, documents and subtitles for tests of resumable uploads. */
import { strToU8, zipSync } from 'fflate'
import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  type VideoCodec,
  WebMOutputFormat,
} from 'mediabunny'

/** Configuration of an H.264 stream: a parameter set of each kind, without pictures. */
const h264 = Buffer.from('0142c00dffe100186742c00dd90141fb0110000003001000000301e8f142a480010005' + '68cb83cb20', 'hex')

const videos = {
  mp4: { codec: 'avc', name: 'avc1.42c00d', description: h264 },
  webm: { codec: 'vp8', name: 'vp8', description: undefined },
  hevc: { codec: 'hevc', name: 'hvc1.1.6.L93.B0', description: Buffer.alloc(23) },
} as const satisfies Record<string, { codec: VideoCodec; name: string; description: Buffer | undefined }>

/**
 * Makes a video whose pictures are any bytes: its structure is right, but it cannot be played.
 *
 * @param kind - The kind of file; `hevc` is an mp4 with a codec that not all browsers play.
 * @param options - Its seconds, the bytes of each of its pictures, one a second, and the place of its index.
 */
export async function videoFile(
  kind: keyof typeof videos,
  { seconds = 4, picture = 2_000, indexAtEnd = false } = {},
): Promise<Buffer> {
  const { codec, name, description } = videos[kind]
  const format =
    kind === 'webm' ? new WebMOutputFormat() : new Mp4OutputFormat({ fastStart: indexAtEnd ? false : 'in-memory' })
  const target = new BufferTarget()
  const output = new Output({ format, target })
  const source = new EncodedVideoPacketSource(codec)
  output.addVideoTrack(source, { frameRate: 1 })
  await output.start()
  const config = { codec: name, codedWidth: 320, codedHeight: 180, ...(description && { description }) }
  for (let secondIndex = 0; secondIndex < seconds; secondIndex += 1) {
    const bytes = new Uint8Array(picture).fill(secondIndex + 1)
    // A unit of H.264 data in a video begins with its length.
    new DataView(bytes.buffer).setUint32(0, picture - 4)
    await source.add(new EncodedPacket(bytes, 'key', secondIndex, 1), { decoderConfig: config })
  }
  await output.finalize()
  if (!target.buffer) throw new Error('The video has no bytes')
  return Buffer.from(target.buffer)
}

const office = 'application/vnd.openxmlformats-officedocument'

/** Makes a document whose content shows its kind. */
export function documentFile(kind: 'pdf' | 'docx' | 'odt' | 'csv'): Buffer {
  if (kind === 'pdf') return Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n')
  if (kind === 'csv') return Buffer.from('name;price\nбуғдой;3 500\n')
  if (kind === 'odt')
    return Buffer.from(zipSync({ mimetype: [strToU8('application/vnd.oasis.opendocument.text'), { level: 0 }] }))
  return officeFile({})
}

/**
 * Makes a docx with further parts.
 *
 * @param parts - The bytes of the parts by name.
 * @param type - The stated type of a first part; a document without macros by default.
 */
export function officeFile(
  parts: Readonly<Record<string, Uint8Array>>,
  type = `${office}.wordprocessingml.document.main+xml`,
): Buffer {
  const types = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="${type}"/></Types>`
  const list: Uint8Array = strToU8(types)
  return Buffer.from(
    zipSync({ '[Content_Types].xml': [list, { level: 0 }], 'word/document.xml': strToU8('<document/>'), ...parts }),
  )
}

/**
 * Makes the beginning of an OLE file, as Word and Excel 97 to 2003 write it, with the names of its streams.
 */
export const oleFile = (streams: readonly string[]): Buffer =>
  Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(504),
    ...streams.map((name) => Buffer.concat([Buffer.from(name, 'utf16le'), Buffer.alloc(128 - name.length * 2)])),
  ])
