/**
 * Crops a picture: the visible part, rotated and mirrored, is drawn into a JPEG of exactly the preset's size.
 */
import { type CropPreset, presetSizes } from '../picture-value.ts'

interface CropArea {
  left: number
  top: number
  width: number
  height: number
}

/** Crop of a picture, stored with the cropped file, so that the crop can be repeated from its original. */
export interface StoredCrop {
  preset: CropPreset
  /** Rotation of the picture in degrees clockwise, after mirroring. */
  rotate: number
  flip: { horizontal: boolean; vertical: boolean }
  /** Cropped area in pixels of the rotated picture. */
  area: CropArea
}

interface PictureSize {
  width: number
  height: number
}

const isSideways = (rotate: number) => Math.abs(Math.round(rotate / 90)) % 2 === 1

/** Size of a picture after rotation by quarter turns. */
export const rotatedSize = ({ width, height }: PictureSize, rotate: number): PictureSize =>
  isSideways(rotate) ? { width: height, height: width } : { width, height }

/** The largest part of a picture in the proportions of `size`, around its centre. */
export function widestArea(imageSize: PictureSize, [width, height]: readonly [number, number]): CropArea {
  const scale = Math.min(imageSize.width / width, imageSize.height / height)
  const area = { width: width * scale, height: height * scale }
  return { ...area, left: (imageSize.width - area.width) / 2, top: (imageSize.height - area.height) / 2 }
}

/** Zoom of a crop, relative to the widest crop that fits into the picture. */
export function zoomOf(image: PictureSize, { rotate, area }: Pick<StoredCrop, 'rotate' | 'area'>): number {
  const { width, height } = rotatedSize(image, rotate)
  return Math.min(width, (height * area.width) / area.height) / area.width
}

/** Whether the cropped file will have more pixels than the crop. A pixel lost to rounding does not count. */
export function isTooSmall(area: PictureSize, [width, height]: readonly [number, number]): boolean {
  return Math.round(area.width) < width || Math.round(area.height) < height
}

type TransformMatrix = [a: number, b: number, c: number, d: number, e: number, f: number]

/** The matrix that maps a pixel of the picture to its place in the file, as `setTransform` takes it. */
export function matrixOf(
  image: PictureSize,
  { rotate, flip, area }: Omit<StoredCrop, 'preset'>,
  size: readonly [number, number],
): TransformMatrix {
  const [scaleX, scaleY] = [size[0] / area.width, size[1] / area.height]
  const angleRadians = (rotate * Math.PI) / 180
  const [cos, sin] = [Math.round(Math.cos(angleRadians)), Math.round(Math.sin(angleRadians))]
  const [mirrorX, mirrorY] = [flip.horizontal ? -1 : 1, flip.vertical ? -1 : 1]
  const rotatedPicture = rotatedSize(image, rotate)
  const [a, b, c, d] = [cos * mirrorX, sin * mirrorX, -sin * mirrorY, cos * mirrorY]
  // The centre of the picture stays in the centre when the picture is rotated.
  const leftOffset = rotatedPicture.width / 2 - (a * image.width + c * image.height) / 2 - area.left
  const top = rotatedPicture.height / 2 - (b * image.width + d * image.height) / 2 - area.top
  return [a * scaleX, b * scaleY, c * scaleX, d * scaleY, leftOffset * scaleX, top * scaleY]
}

const jpegQuality = 0.9

/**
 * The cropped picture as a file, named by its size.
 *
 * @throws Error when the browser cannot make it, e.g. without enough memory.
 */
export async function cropFile(image: HTMLImageElement, crop: StoredCrop): Promise<File> {
  const [width, height] = presetSizes[crop.preset]
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d', { alpha: false })
  if (!context) throw new Error('No canvas to draw on')
  context.fillStyle = 'white'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  const naturalSize = { width: image.naturalWidth, height: image.naturalHeight }
  context.setTransform(...matrixOf(naturalSize, crop, [width, height]))
  context.drawImage(image, 0, 0)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', jpegQuality))
  if (!blob) throw new Error('The picture could not be drawn')
  return new File([blob], `${width}x${height}.jpg`, { type: 'image/jpeg' })
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const isPreset = (value: unknown): value is CropPreset => typeof value === 'string' && value in presetSizes

/** Stored crop of a picture; undefined for values that this code did not write. */
export function parseCrop(value: unknown): StoredCrop | undefined {
  if (!isObject(value) || !isObject(value.flip) || !isObject(value.area)) return undefined
  const { preset, rotate, flip, area } = value
  const { left, top, width, height } = area
  const isNumber = (number: unknown): number is number => typeof number === 'number' && Number.isFinite(number)
  if (!isPreset(preset) || !isNumber(rotate) || rotate % 90 !== 0) return undefined
  if (!isNumber(left) || !isNumber(top) || !isNumber(width) || !isNumber(height)) return undefined
  if (width <= 0 || height <= 0) return undefined
  return {
    preset,
    rotate,
    flip: { horizontal: flip.horizontal === true, vertical: flip.vertical === true },
    area: { left, top, width, height },
  }
}
