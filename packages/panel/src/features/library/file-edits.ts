/** The unsaved changes of a file, stored in this browser for their author. */
import { isLocale, type Translations } from '@dala/model'
import { focalOf } from '../../fields/picture/picture.ts'
import { createDraft, type StoredDraft } from '../../lib/drafts/draft-store.ts'
import { isObject } from '../../lib/is-object.ts'
import type { FileDraft } from './file-draft.ts'

type FileEdits = Partial<FileDraft>

const isText = (value: unknown): value is string => typeof value === 'string'
const isTexts = (value: unknown): value is Translations =>
  isObject(value) && Object.entries(value).every(([key, text]) => isLocale(key) && isText(text))

function parseEdits(storedValue: unknown): FileEdits | undefined {
  if (!isObject(storedValue)) return undefined
  const { name, alt, captions, folder, focal } = storedValue
  return {
    ...(isText(name) && { name }),
    ...(isTexts(alt) && { alt }),
    ...(isTexts(captions) && { captions }),
    ...(isText(folder) && { folder }),
    ...(focal === null || focalOf({ focal }) ? { focal: focalOf({ focal }) } : {}),
  }
}

const editsOf = (user: number, file: number): StoredDraft<FileEdits> =>
  createDraft(`draft/file/${user}/${file}`, parseEdits)

/** Returns the draft with the unsaved changes of a file. */
export const readEdits = (user: number, file: number): FileEdits => editsOf(user, file).read() ?? {}

/** Stores the unsaved changes of a file; empty changes clear the storage. */
export function storeEdits(user: number, file: number, edits: FileEdits): void {
  const draft = editsOf(user, file)
  if (Object.keys(edits).length > 0) draft.write(edits)
  else draft.clear()
}
