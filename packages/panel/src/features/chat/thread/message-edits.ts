/** The unsaved edit of one's own message, stored in this browser: a reload or a long scroll loses nothing. */
import { createDraft, type StoredDraft } from '../../../lib/drafts/draft-store.ts'
import { isObject } from '../../../lib/is-object.ts'

export interface MessageEdit {
  text: string
  /** The revision of the room that the change began from. */
  rev: number
}

function parseEdit(stored: unknown): MessageEdit | undefined {
  if (!isObject(stored)) return undefined
  const { text, rev } = stored
  return typeof text === 'string' && typeof rev === 'number' ? { text, rev } : undefined
}

/** The unsaved edit of a message. */
export const messageEdit = (user: number, message: number): StoredDraft<MessageEdit> =>
  createDraft(`draft/message/${user}/${message}`, parseEdit)
