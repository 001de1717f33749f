/** What was written about a file and is not saved yet, kept in this browser for the one who wrote it. */
import { isLocale, type Translations } from '@dala/model'
import { focalOf } from '../../fields/picture/picture.ts'
import { keep, readKept } from '../../lib/kept/kept.ts'
import type { FileDraft } from './file-draft.ts'

type Edits = Partial<FileDraft>

const storageKey = (user: number, file: number) => `draft/file/${user}/${file}`

const isText = (value: unknown): value is string => typeof value === 'string'
const isTexts = (value: unknown): value is Translations =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).every(([key, text]) => isLocale(key) && isText(text))

/** Out: the edits of a file as they were kept; nothing of what another hand has written there. */
export function readEdits(user: number, file: number): Edits {
  try {
    const kept: unknown = JSON.parse(readKept(storageKey(user, file)) ?? '{}')
    if (typeof kept !== 'object' || kept === null) return {}
    const { name, alt, captions, folder, focal }: Record<string, unknown> = { ...kept }
    return {
      ...(isText(name) && { name }),
      ...(isTexts(alt) && { alt }),
      ...(isTexts(captions) && { captions }),
      ...(isText(folder) && { folder }),
      ...(focal === null || focalOf({ focal }) ? { focal: focalOf({ focal }) } : {}),
    }
  } catch {
    return {}
  }
}

export function keepEdits(user: number, file: number, edits: Edits): void {
  keep(storageKey(user, file), Object.keys(edits).length > 0 ? JSON.stringify(edits) : null)
}
