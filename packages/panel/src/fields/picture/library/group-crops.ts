/** Groups cropped copies under their original, so that a page of the library shows each picture once. */
import type { Entry } from '@dala/model'

/** Picture of the library with its cropped copies on the same page. */
export interface FileWithCrops {
  entry: Entry
  crops: readonly Entry[]
}

/**
 * Groups cropped copies of pictures under their originals.
 *
 * @param entries - The files of a page, in their order.
 * @returns The files in the same order; a copy whose original is on another page is a group of its own.
 */
export function groupCrops(entries: readonly Entry[]): FileWithCrops[] {
  const ids = new Set(entries.map(({ id }) => id))
  const isCopyOfListed = ({ original }: Entry) => typeof original === 'number' && ids.has(original)
  return entries
    .filter((entry) => !isCopyOfListed(entry))
    .map((entry) => ({ entry, crops: entries.filter((crop) => isCopyOfListed(crop) && crop['original'] === entry.id) }))
}
