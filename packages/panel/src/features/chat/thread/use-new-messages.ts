/**
 * Messages that arrive while the room is open: read when visible, counted while scrolled up, and announced to
 * screen readers.
 */
import type { ChatMessage } from '@dala/model'
import { useState } from 'react'
import { nameOfCard } from '../../../api/error-toasts.ts'
import { useT } from '../../../lib/i18n.ts'
import { useSeen } from './use-seen.ts'

/** Maximum number of characters of a message that are announced. */
const saidLength = 200

export interface NewsOf {
  atEnd: boolean
  /** Messages read here count as read. */
  mayMark: boolean
  /** `seq` of the newest message of the room, loaded or not. */
  lastSeq: number
}

export function useNews(room: number, reader: number, messages: readonly ChatMessage[], of: NewsOf) {
  const t = useT()
  const newest = messages.at(-1)?.seq ?? 0
  // Opening a room reads it; messages that arrive while the user is scrolled up are read when they get there.
  const [opened] = useState(() => Math.max(newest, of.lastSeq))
  const [reached, setReached] = useState(opened)
  if (of.atEnd && newest > reached) setReached(newest)
  useSeen(room, reached || undefined, of.mayMark)

  // Few of many: messages that arrived since are at the end.
  const came = messages.slice(messages.findLastIndex(({ seq }) => seq <= opened) + 1)
  const others = came.filter(({ sender }) => sender.id !== reader)
  const fresh = others.filter(({ seq }) => seq > reached).length
  const last = others.at(-1)
  const announcement = last
    ? t('chat.arrivedFrom', {
        name: nameOfCard(last.sender),
        text: (last.text ?? t('chat.lastPicture')).slice(0, saidLength),
      })
    : ''
  return { fresh, announcement }
}
