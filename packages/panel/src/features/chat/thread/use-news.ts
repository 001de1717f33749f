/** What came while the room is open: read when it is in sight, counted while the reader is further up, and said to who cannot see. */
import type { ChatMessage } from '@dala/model'
import { useState } from 'react'
import { nameOfCard } from '../../../api/error-toasts.ts'
import { useT } from '../../../lib/i18n.ts'
import { useSeen } from './use-seen.ts'

/** So much of a message is said aloud by itself. */
const saidLength = 200

export interface NewsOf {
  atEnd: boolean
  /** Reading here counts as reading. */
  mayMark: boolean
  /** The newest message of the room, whether it is loaded or not. */
  lastSeq: number
}

export function useNews(room: number, reader: number, messages: readonly ChatMessage[], of: NewsOf) {
  const t = useT()
  const newest = messages.at(-1)?.seq ?? 0
  // Opening a room reads it; what comes while the reader is further up is read when he gets there.
  const [opened] = useState(() => Math.max(newest, of.lastSeq))
  const [reached, setReached] = useState(opened)
  if (of.atEnd && newest > reached) setReached(newest)
  useSeen(room, reached || undefined, of.mayMark)

  // Few of many: what came since stands at the end.
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
