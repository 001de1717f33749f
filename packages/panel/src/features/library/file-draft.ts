/** What is being written about a file, as the difference to what is stored. */
import type { Entry, Translations } from '@dala/model'
import { altOf, captionsOf, folderOf } from '../../fields/picture/library/file.ts'
import { type Focal, focalOf } from '../../fields/picture/picture.ts'
import { fileNameOf } from '../../fields/picture/picture-value.ts'

export interface FileDraft {
  name: string
  alt: Translations
  captions: Translations
  folder: string
  focal: Focal | null
}

export const draftOf = (file: Entry): FileDraft => ({
  name: fileNameOf(file),
  alt: altOf(file),
  captions: captionsOf(file),
  folder: folderOf(file),
  focal: focalOf(file),
})

const partsOf = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? JSON.stringify(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)))
    : JSON.stringify(value)

/** What of the draft differs from the file: only that is sent, so that a colleague's words beside it stay. */
export function changesOf(file: Entry, edits: Partial<FileDraft>): Partial<FileDraft> {
  const stored = draftOf(file)
  const changed = Object.entries(edits).filter(
    ([name, value]) => !Object.entries(stored).some(([own, kept]) => own === name && partsOf(kept) === partsOf(value)),
  )
  return Object.fromEntries(changed)
}

/** The changes as the server takes them: what is empty becomes null. */
export function infoOf(changes: Partial<FileDraft>): Record<string, unknown> {
  const isEmpty = (value: unknown) =>
    value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  return Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, isEmpty(value) ? null : value]))
}
