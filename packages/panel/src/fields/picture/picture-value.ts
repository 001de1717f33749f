/** The value of a picture field in a form: the record of its upload. */
import type { Entry, ToManyField } from '@dala/model'

export type PictureFieldOptions = Pick<ToManyField, 'preset' | 'maxItems'>
export type CropPreset = NonNullable<PictureFieldOptions['preset']>

/** Sizes of the cropper's presets in pixels (requirements §9). */
export const presetSizes: Readonly<Record<CropPreset, readonly [number, number]>> = {
  avatar: [1080, 1080],
  patent: [1080, 1500],
  passport: [840, 1080],
  banner: [1232, 296],
  image: [1920, 1080],
  '4x3': [1920, 1440],
}

export function isUpload(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
export const addressOf = ({ url }: Entry): string => textOf(url)
export const fileNameOf = ({ name, id }: Entry): string => textOf(name) || String(id)

/** Pattern for the names of cropped picture files: `1920x1080.jpg`. */
const cropFileName = /^(\d+)x(\d+)\.\w+$/

/** Name of a picture file in a list: a cropped copy is named by its original and its size. */
export function fileTitleOf(file: Entry): string {
  const size = cropFileName.exec(textOf(file['name']))
  const originalPicture = textOf(file['original_name']).replace(/\.\w+$/, '')
  return size && originalPicture ? `${originalPicture} · ${size[1]}×${size[2]}` : fileNameOf(file)
}

/**
 * Whether a file is a still picture that a browser can draw: an animation would lose all but its first frame.
 */
export const isStillImage = (mime: unknown): boolean =>
  typeof mime === 'string' && mime.startsWith('image/') && mime !== 'image/gif'

export interface Placement {
  /**
   * Position in the order of choice of each uploaded file since the form was opened, by the id of the file.
   */
  positionByFile: ReadonlyMap<number, number>
  /** Id of the picture that the cropped file replaces, if that picture still exists. */
  replacedId: number | undefined
}

/**
 * Inserts an uploaded picture before those that were chosen after it. A picture already in the list is not
 * repeated.
 */
export function insertUploadedPicture(
  items: readonly Entry[],
  entry: Entry,
  { positionByFile, replacedId }: Placement,
): readonly Entry[] {
  if (items.some(({ id }) => id === entry.id)) return items
  if (items.some(({ id }) => id === replacedId)) return items.map((item) => (item.id === replacedId ? entry : item))
  const ownPosition = positionByFile.get(entry.id) ?? Number.POSITIVE_INFINITY
  const nextIndex = items.findIndex(({ id }) => (positionByFile.get(id) ?? -1) > ownPosition)
  return nextIndex < 0 ? [...items, entry] : items.toSpliced(nextIndex, 0, entry)
}

/** List of pictures with one of them moved one place up (-1) or down (1). */
export function reorderItems<T>(items: readonly T[], index: number, step: -1 | 1): T[] {
  const reorderedItems = [...items]
  const [item] = reorderedItems.splice(index, 1)
  if (item !== undefined) reorderedItems.splice(index + step, 0, item)
  return reorderedItems
}
