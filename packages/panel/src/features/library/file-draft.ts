/** Draft of a file's details, as the difference to the stored ones. */
import type { Entry, Translations } from '@dala/model'
import { altTextsOf, captionsOf, folderOf } from '../../fields/picture/library/file.ts'
import { type FocalPoint, focalOf } from '../../fields/picture/picture.ts'
import { fileNameOf } from '../../fields/picture/picture-value.ts'

export interface FileDraft {
  name: string
  alt: Translations
  captions: Translations
  folder: string
  focal: FocalPoint | null
}

export const draftOf = (file: Entry): FileDraft => ({
  name: fileNameOf(file),
  alt: altTextsOf(file),
  captions: captionsOf(file),
  folder: folderOf(file),
  focal: focalOf(file),
})

const partsOf = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? JSON.stringify(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)))
    : JSON.stringify(value)

/** Changed fields of the draft: only these are sent, so that a colleague's other changes stay. */
export function changesOf(file: Entry, edits: Partial<FileDraft>): Partial<FileDraft> {
  const storedDraft = draftOf(file)
  const changedEdits = Object.entries(edits).filter(
    ([name, value]) =>
      !Object.entries(storedDraft).some(
        ([storedName, storedValue]) => storedName === name && partsOf(storedValue) === partsOf(value),
      ),
  )
  return Object.fromEntries(changedEdits)
}

/** The changes of a file's details in the format of the server: empty fields become null. */
export function infoOf(changes: Partial<FileDraft>): Record<string, unknown> {
  const isEmpty = (value: unknown) =>
    value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  return Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, isEmpty(value) ? null : value]))
}
