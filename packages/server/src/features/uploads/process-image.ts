/** Decodes a picture completely and encodes it anew: only its pixels survive (checklist §4). */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault, fault } from '@dala/model'
import type { Sharp, SharpOptions } from 'sharp'
import { createLimiter } from '../../resources/limiter.ts'
import { imageLimits } from './limits.ts'
import { formatBoxes, type FormatName, type ImageKind } from './stored-names.ts'

type SharpLibrary = (typeof import('sharp'))['default']
let sharpPromise: Promise<SharpLibrary> | undefined

/** Loads the image library when the first picture arrives, because the library takes 20 MiB. */
const sharpLibrary = () => (sharpPromise ??= loadSharp())

async function loadSharp(): Promise<SharpLibrary> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  // Other formats of pictures are blocked in the library itself, so that a misdetected file is never decoded.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
  })
  return sharp
}

/** Limits decoding to two pictures at a time, because a picture takes memory by the pixel (checklist §4). */
const limitDecoding = createLimiter({ maxRunning: 2, maxWaiting: 32 })

/** Encoded picture in a temporary file. */
export interface Picture {
  file: string
  width: number
  height: number
  bytes: number
}
/** Smaller copy of a picture in the picture's own format, and as WebP where that is smaller. */
export interface SmallerCopy extends Picture {
  webp?: Picture
}
export interface ProcessedImage {
  kind: ImageKind
  mainPicture: Picture
  formats: Partial<Record<FormatName, SmallerCopy>>
  /** Difference hash of the picture, or of the first frame of a film. */
  likenessHash: string
}

const webpQuality = 90
/** Pixels above which WebP is encoded with less effort: otherwise a large photograph takes half a minute. */
const largeWebp = 10_000_000

/** WebP options of the copies of JPEG, PNG and GIF; measured in decision 19. */
const webpBeside = { quality: 80, effort: 2 }

function encodeImage(image: Sharp, kind: ImageKind, pixels: number): Sharp {
  if (kind === 'jpeg') return image.jpeg({ quality: webpQuality })
  if (kind === 'png') return image.png()
  if (kind === 'webp') return image.webp({ quality: webpQuality, effort: pixels > largeWebp ? 2 : 4 })
  return image.gif({ keepDuplicateFrames: true })
}

/** Maps errors of the image library to refusals; errors of the disk are passed on. */
function toRefusal(error: unknown, limits: typeof imageLimits): unknown {
  if (error instanceof Fault || !(error instanceof Error)) return error
  const { message } = error
  if (/no space|quota exceeded/i.test(message)) return fault('server.disk-full')
  if (/pixel limit/i.test(message)) return tooLargeFault(limits)
  if (/unsupported image format/i.test(message)) return fault('upload.type')
  return fault(/timeout/i.test(message) ? 'upload.too-slow' : 'upload.broken')
}

const tooLargeFault = ({ pixels, maxSideLength: maxSide, frames }: typeof imageLimits) =>
  fault('upload.dimensions', { params: { megapixels: pixels / 1_000_000, side: maxSide, frames } })

async function writePicture(image: Sharp, file: string): Promise<Picture> {
  const { width, height, pageHeight } = await image.toFile(file)
  return { file, width, height: pageHeight ?? height, bytes: (await stat(file)).size }
}

/** Columns and rows of the grey picture behind a difference hash. */
const [hashColumns, hashRows] = [9, 8]
/** Minimum difference of grey levels, of 256; smaller steps are compression noise. */
const minGreyStep = 2
/** Hash of a picture that cannot be decoded. */
export const emptyLikeness = '0'.repeat(16)

/**
 * Returns 64 bits in hexadecimal digits: whether each point of a small grey picture is darker than its
 * neighbour.
 */
async function differenceHash(image: Sharp): Promise<string> {
  const greyPixels = await image
    .flatten({ background: '#fff' })
    .greyscale()
    .resize({ width: hashColumns, height: hashRows, fit: 'fill' })
    .raw()
    .toBuffer()
  let bits = 0n
  for (let row = 0; row < hashRows; row += 1) {
    for (let column = 1; column < hashColumns; column += 1) {
      const pixelIndex = row * hashColumns + column
      bits =
        (bits << 1n) | (Number(greyPixels[pixelIndex]) - Number(greyPixels[pixelIndex - 1]) > minGreyStep ? 1n : 0n)
    }
  }
  return bits.toString(16).padStart(16, '0')
}

/**
 * Computes the difference hash of a stored picture.
 *
 * @param bytes - The picture or one of its smaller copies.
 * @returns 16 hexadecimal digits, all zero for a picture that cannot be decoded.
 * @throws 503 when too many pictures wait to be decoded.
 */
export function likenessOf(bytes: Buffer): Promise<string> {
  return limitDecoding(async () => {
    const sharpModule = await sharpLibrary()
    try {
      const image = sharpModule(bytes, { limitInputPixels: imageLimits.pixels }).timeout({
        seconds: imageLimits.seconds,
      })
      return await differenceHash(image)
    } catch {
      return emptyLikeness
    }
  })
}

async function processWithSharp(file: string, kind: ImageKind, folder: string, limits: typeof imageLimits) {
  const sharpModule = await sharpLibrary()
  const stillPictureOptions: SharpOptions = { failOn: 'error', limitInputPixels: limits.pixels }
  const wholeOptions: SharpOptions = { ...stillPictureOptions, animated: kind === 'gif' || kind === 'webp' }
  const timeout = { seconds: limits.seconds }

  const { format, width, height, pages = 1, pageHeight = height } = await sharpModule(file, wholeOptions).metadata()
  if (format !== kind) throw fault('upload.type')
  if (width > limits.maxSideLength || pageHeight > limits.maxSideLength || pages > limits.frames)
    throw tooLargeFault(limits)

  // A film cannot be turned, and cameras, which store a rotation, make none.
  const source = pages > 1 ? sharpModule(file, wholeOptions) : sharpModule(file, wholeOptions).autoOrient()
  const mainPicture = await writePicture(
    encodeImage(source.timeout(timeout), kind, width * height),
    join(folder, `${kind}-main`),
  )

  const formats: ProcessedImage['formats'] = {}
  const decodedImage = () =>
    (pages > 1 ? sharpModule(file, stillPictureOptions) : sharpModule(file, stillPictureOptions).autoOrient()).timeout(
      timeout,
    )
  let currentCopy: Sharp | undefined
  for (const [name, box] of Object.entries(formatBoxes) as [FormatName, { width: number; height: number }][]) {
    if (mainPicture.width <= box.width && mainPicture.height <= box.height) continue
    // The first smaller copy is decoded from the file, the others from its pixels. Copies of a film show its
    // first frame.
    const basePicture = currentCopy ?? decodedImage()
    const { data, info } = await basePicture
      .resize({ ...box, fit: 'inside', withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true })
    const rawShape = { width: info.width, height: info.height, channels: info.channels }
    const path = join(folder, `${kind}-${name}`)
    const copy = await writePicture(encodeImage(sharpModule(data, { raw: rawShape }), kind, 0), path)
    const webp =
      kind === 'webp' ? copy : await writePicture(sharpModule(data, { raw: rawShape }).webp(webpBeside), `${path}-webp`)
    formats[name] = { ...copy, ...(webp.bytes < copy.bytes && { webp }) }
    currentCopy = sharpModule(data, { raw: rawShape })
  }
  return { kind, mainPicture, formats, likenessHash: await differenceHash(currentCopy ?? decodedImage()) }
}

/** Returns all files of a processed picture. */
export const picturesOf = ({ mainPicture, formats }: ProcessedImage): Picture[] => [
  mainPicture,
  ...Object.values(formats).flatMap((copy) => (copy.webp ? [copy, copy.webp] : [copy])),
]

/**
 * Decodes a picture and encodes it, turned upright and without metadata, with its smaller copies (contract
 * §10).
 *
 * @param file - The temporary file.
 * @param kind - The kind that its content shows.
 * @param folder - An empty folder for the results.
 * @param limits - The limits of a picture.
 * @returns The picture and its copies.
 * @throws 400 when it is of another kind, broken, too large or takes too long; 503 when too many wait; 507.
 */
export function processImage(
  file: string,
  kind: ImageKind,
  folder: string,
  limits: typeof imageLimits = imageLimits,
): Promise<ProcessedImage> {
  return limitDecoding(() => processWithSharp(file, kind, folder, limits)).catch((error: unknown) => {
    throw toRefusal(error, limits)
  })
}
