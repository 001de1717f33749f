/** What one's own messages are being changed into, kept in this browser: a reload or a long scroll loses nothing. */
import { keep, readKept } from '../../../lib/kept/kept.ts'

export interface MessageEdit {
  text: string
  /** The revision of the room that the change began from. */
  rev: number
}

const keyOf = (user: number, message: number) => `draft/message/${user}/${message}`

export function readEdit(user: number, message: number): MessageEdit | undefined {
  try {
    const value: unknown = JSON.parse(readKept(keyOf(user, message)) ?? 'null')
    if (typeof value !== 'object' || value === null || !('text' in value && 'rev' in value)) return undefined
    const { text, rev } = value
    return typeof text === 'string' && typeof rev === 'number' ? { text, rev } : undefined
  } catch {
    return undefined
  }
}

export function keepEdit(user: number, message: number, edit: MessageEdit | null): void {
  keep(keyOf(user, message), edit && JSON.stringify(edit))
}
