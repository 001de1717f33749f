/**
 * Messages that arrive while the room is open: read when visible, counted while scrolled up, and announced to
 * screen readers.
 */
import type { ChatMessage } from '@dala/model'
import { useState } from 'react'
import { nameOfCard } from '../../../api/error-toasts.ts'
import { useT } from '../../../lib/i18n.ts'
import { useSeen } from './use-seen.ts'

/** Maximum number of characters of a new message that screen readers announce. */
const announcedLength = 200

export interface NewMessagesOptions {
  isAtEnd: boolean
  /** Whether messages that the user reads in this thread count as read. */
  mayMark: boolean
  /** `seq` of the newest message of the room, loaded or not. */
  lastSeq: number
}

export function useNewMessages(
  room: number,
  reader: number,
  messages: readonly ChatMessage[],
  options: NewMessagesOptions,
) {
  const t = useT()
  const newestSeq = messages.at(-1)?.seq ?? 0
  // An opened room counts as read; messages that arrive while the user is scrolled up are read when the user
  // gets there.
  const [openedSeq] = useState(() => Math.max(newestSeq, options.lastSeq))
  const [reachedSeq, setReachedSeq] = useState(openedSeq)
  if (options.isAtEnd && newestSeq > reachedSeq) setReachedSeq(newestSeq)
  useSeen(room, reachedSeq || undefined, options.mayMark)

  // Messages that arrived since the room was opened are at the end, also in a window of older messages.
  const arrivedMessages = messages.slice(messages.findLastIndex(({ seq }) => seq <= openedSeq) + 1)
  const othersMessages = arrivedMessages.filter(({ sender }) => sender.id !== reader)
  const newCount = othersMessages.filter(({ seq }) => seq > reachedSeq).length
  const lastMessage = othersMessages.at(-1)
  const announcement = lastMessage
    ? t('chat.arrivedFrom', {
        name: nameOfCard(lastMessage.sender),
        text: (lastMessage.text ?? t('chat.lastAttachment')).slice(0, announcedLength),
      })
    : ''
  return { fresh: newCount, announcement }
}
