/** The client's name of a file is a label for people and nothing else: cleaned, never a path (checklist §4). */

const maxLength = 255
const nameless = 'image'
// Control characters, line and paragraph separators, and marks that turn the direction of text: they disguise names.
const disguises = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Cuts a name to so many code points; its extension stays. */
function shorten(name: string): string {
  const letters = [...name]
  if (letters.length <= maxLength) return name
  const [extension = ''] = /\.[^.]{1,10}$/.exec(name) ?? []
  return letters.slice(0, maxLength - [...extension].length).join('') + extension
}

/** Makes the label of a name that came with a file. Out: one line without path parts, 1 to 255 code points. */
export function toLabel(name: unknown): string {
  if (typeof name !== 'string') return nameless
  const last = name.toWellFormed().replace(disguises, '').split(/[/\\]/).at(-1)?.trim() ?? ''
  return /^\.*$/.test(last) ? nameless : shorten(last)
}

/** The label as a file name: with the extension the file is stored with, so that it is saved as what it is. */
export function toFileName(label: string, ext: string): string {
  const isSaid = ext === '.jpg' ? /\.jpe?g$/i.test(label) : new RegExp(`\\${ext}$`, 'i').test(label)
  return isSaid ? label : `${label}${ext}`
}
