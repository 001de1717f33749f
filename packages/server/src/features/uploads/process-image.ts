/** Decodes a picture whole and writes it anew: nothing of the file that came in is kept but its pixels (checklist §4). */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault, fault } from '@dala/model'
import type { Sharp, SharpOptions } from 'sharp'
import { createBound } from '../../resources/bounded.ts'
import { imageLimits } from './limits.ts'
import { formatBoxes, type FormatName, type ImageKind } from './stored-names.ts'

type SharpLibrary = (typeof import('sharp'))['default']
let loaded: Promise<SharpLibrary> | undefined

/** The library of pictures, loaded with the first one: it takes 20 MiB. */
const sharpLibrary = () => (loaded ??= loadSharp())

async function loadSharp(): Promise<SharpLibrary> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  // Loaders of other formats are closed in the library itself: what it takes for one of them is not decoded at all.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
  })
  return sharp
}

/** Decoding takes memory by the pixel: two at once, the others wait (checklist §4). */
const bounded = createBound({ running: 2, waiting: 32 })

/** A written picture, in a temporary file. */
export interface Picture {
  file: string
  width: number
  height: number
  bytes: number
}
/** A smaller copy in the picture's own kind, and as WebP where that is smaller. */
export interface SmallerCopy extends Picture {
  webp?: Picture
}
export interface ProcessedImage {
  kind: ImageKind
  main: Picture
  formats: Partial<Record<FormatName, SmallerCopy>>
  /** The difference hash of the picture; of a film that of its first frame. */
  likeness: string
}

const quality = 90
/** Above this many pixels WebP is written with less search: otherwise a large photograph takes half a minute. */
const largeWebp = 10_000_000

/** Of the copies beside JPEG, PNG and GIF; measured in decision 19. */
const webpBeside = { quality: 80, effort: 2 }

function encode(image: Sharp, kind: ImageKind, pixels: number): Sharp {
  if (kind === 'jpeg') return image.jpeg({ quality })
  if (kind === 'png') return image.png()
  if (kind === 'webp') return image.webp({ quality, effort: pixels > largeWebp ? 2 : 4 })
  return image.gif({ keepDuplicateFrames: true })
}

/** Refusals for what the library says of a file; errors of the disk are passed on. */
function toRefusal(error: unknown, limits: typeof imageLimits): unknown {
  if (error instanceof Fault || !(error instanceof Error)) return error
  const { message } = error
  if (/no space|quota exceeded/i.test(message)) return fault('server.disk-full')
  if (/pixel limit/i.test(message)) return tooLarge(limits)
  if (/unsupported image format/i.test(message)) return fault('upload.type')
  return fault(/timeout/i.test(message) ? 'upload.too-slow' : 'upload.broken')
}

const tooLarge = ({ pixels, side, frames }: typeof imageLimits) =>
  fault('upload.dimensions', { params: { megapixels: pixels / 1_000_000, side, frames } })

async function write(image: Sharp, file: string): Promise<Picture> {
  const { width, height, pageHeight } = await image.toFile(file)
  return { file, width, height: pageHeight ?? height, bytes: (await stat(file)).size }
}

/** Columns and rows of the grey picture that a difference hash is made of. */
const [hashColumns, hashRows] = [9, 8]
/** Grey levels, of 256, by which a neighbour must be lighter: smaller steps are noise of the compression. */
const leastStep = 2
/** The hash of a picture that cannot be decoded. */
export const unknownLikeness = '0'.repeat(16)

/** Returns 64 bits in hexadecimal digits: whether each point of a small grey picture is darker than its neighbour. */
async function differenceHash(image: Sharp): Promise<string> {
  const grey = await image
    .flatten({ background: '#fff' })
    .greyscale()
    .resize({ width: hashColumns, height: hashRows, fit: 'fill' })
    .raw()
    .toBuffer()
  let bits = 0n
  for (let row = 0; row < hashRows; row += 1) {
    for (let column = 1; column < hashColumns; column += 1) {
      const at = row * hashColumns + column
      bits = (bits << 1n) | (Number(grey[at]) - Number(grey[at - 1]) > leastStep ? 1n : 0n)
    }
  }
  return bits.toString(16).padStart(16, '0')
}

/**
 * Computes the difference hash of a stored picture.
 *
 * @param bytes - The picture or one of its smaller copies.
 * @returns 16 hexadecimal digits, all zero for what cannot be decoded.
 * @throws 503 when too many pictures wait to be decoded.
 */
export function likenessOf(bytes: Buffer): Promise<string> {
  return bounded(async () => {
    const sharp = await sharpLibrary()
    try {
      const image = sharp(bytes, { limitInputPixels: imageLimits.pixels }).timeout({ seconds: imageLimits.seconds })
      return await differenceHash(image)
    } catch {
      return unknownLikeness
    }
  })
}

async function process(file: string, kind: ImageKind, folder: string, limits: typeof imageLimits) {
  const sharp = await sharpLibrary()
  const still: SharpOptions = { failOn: 'error', limitInputPixels: limits.pixels }
  const whole: SharpOptions = { ...still, animated: kind === 'gif' || kind === 'webp' }
  const timeout = { seconds: limits.seconds }

  const { format, width, height, pages = 1, pageHeight = height } = await sharp(file, whole).metadata()
  if (format !== kind) throw fault('upload.type')
  if (width > limits.side || pageHeight > limits.side || pages > limits.frames) throw tooLarge(limits)

  // A film cannot be turned; cameras, which turn, make none.
  const source = pages > 1 ? sharp(file, whole) : sharp(file, whole).autoOrient()
  const main = await write(encode(source.timeout(timeout), kind, width * height), join(folder, `${kind}-main`))

  const formats: ProcessedImage['formats'] = {}
  const decoded = () => (pages > 1 ? sharp(file, still) : sharp(file, still).autoOrient()).timeout(timeout)
  let current: Sharp | undefined
  for (const [name, box] of Object.entries(formatBoxes) as [FormatName, { width: number; height: number }][]) {
    if (main.width <= box.width && main.height <= box.height) continue
    // The first one is decoded from the file, the others from its pixels. Of a film it is the first picture.
    const base = current ?? decoded()
    const { data, info } = await base
      .resize({ ...box, fit: 'inside', withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true })
    const raw = { width: info.width, height: info.height, channels: info.channels }
    const place = join(folder, `${kind}-${name}`)
    const copy = await write(encode(sharp(data, { raw }), kind, 0), place)
    const webp = kind === 'webp' ? copy : await write(sharp(data, { raw }).webp(webpBeside), `${place}-webp`)
    formats[name] = { ...copy, ...(webp.bytes < copy.bytes && { webp }) }
    current = sharp(data, { raw })
  }
  return { kind, main, formats, likeness: await differenceHash(current ?? decoded()) }
}

/** All files of a picture. */
export const picturesOf = ({ main, formats }: ProcessedImage): Picture[] => [
  main,
  ...Object.values(formats).flatMap((copy) => (copy.webp ? [copy, copy.webp] : [copy])),
]

/**
 * Decodes a picture and writes it, turned upright and without metadata, with its smaller copies (contract §10).
 *
 * In: the temporary file, what its content says it is, and an empty folder for the results.
 * Throws 400 when it is something else, broken, too large or takes too long; 503 when too many wait; 507.
 */
export function processImage(
  file: string,
  kind: ImageKind,
  folder: string,
  limits: typeof imageLimits = imageLimits,
): Promise<ProcessedImage> {
  return bounded(() => process(file, kind, folder, limits)).catch((error: unknown) => {
    throw toRefusal(error, limits)
  })
}
