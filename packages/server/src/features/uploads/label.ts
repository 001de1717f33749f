/** Cleans the client's file name, which is only a label for people and never a path (checklist §4). */
import { disguises } from '../../http/disguises.ts'

const maxLength = 255
const defaultLabel = 'image'

/** Shortens a file name to the maximum of code points and keeps its extension. */
function shortenName(name: string): string {
  const letters = [...name]
  if (letters.length <= maxLength) return name
  const [extension = ''] = /\.[^.]{1,10}$/.exec(name) ?? []
  return letters.slice(0, maxLength - [...extension].length).join('') + extension
}

/**
 * Turns the name of an uploaded file into its label.
 *
 * @param name - The name as the client sent it.
 * @returns One line without path parts, 1 to 255 code points.
 */
export function toLabel(name: unknown): string {
  if (typeof name !== 'string') return defaultLabel
  const lastSegmentText = name.toWellFormed().replace(disguises, '').split(/[/\\]/).at(-1)?.trim() ?? ''
  return /^\.*$/.test(lastSegmentText) ? defaultLabel : shortenName(lastSegmentText)
}

/** Returns the label with the extension of the stored file, so that a download is saved as what it is. */
export function toFileName(label: string, ext: string): string {
  const hasExtension = ext === '.jpg' ? /\.jpe?g$/i.test(label) : new RegExp(`\\${ext}$`, 'i').test(label)
  return hasExtension ? label : `${label}${ext}`
}
