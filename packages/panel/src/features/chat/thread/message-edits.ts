/** The unsaved edit of the user's own message, stored in this browser: it survives reloads and scrolling. */
import { createDraft, type StoredDraft } from '../../../lib/drafts/draft-store.ts'
import { isObject } from '../../../lib/is-object.ts'

export interface MessageEdit {
  text: string
  /** Revision of the room that the edit is based on. */
  rev: number
}

function parseEdit(storedValue: unknown): MessageEdit | undefined {
  if (!isObject(storedValue)) return undefined
  const { text, rev } = storedValue
  return typeof text === 'string' && typeof rev === 'number' ? { text, rev } : undefined
}

/** Draft of the unsaved edit of a message. */
export const messageEdit = (user: number, message: number): StoredDraft<MessageEdit> =>
  createDraft(`draft/message/${user}/${message}`, parseEdit)
