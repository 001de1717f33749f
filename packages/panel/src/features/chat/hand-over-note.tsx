/** Above the thread of whoever was given the room: by whom, and what he should know, until he has answered (product/chat.md §5). */
import { useQuery } from '@tanstack/react-query'
import Lock from 'lucide-react/icons/lock'
import { nameOfCard } from '../../api/error-toasts.ts'
import { useT } from '../../lib/i18n.ts'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import type { Message } from './chat-data.ts'
import type { Reader } from './reader.ts'
import { historyQuery } from './room-facts.ts'

export interface HandOverNoteProps {
  room: number
  reader: Reader
  messages: readonly Message[]
}

export function HandOverNote({ room, reader, messages }: HandOverNoteProps) {
  const t = useT()
  // Newest first: the reader has the room, so the last hand-over was to him.
  const { data } = useQuery({ ...historyQuery(room), refetchOnMount: 'always' })
  const given = data?.find(({ action }) => action === 'assigned')
  const note = given?.data?.['note']
  if (!given || typeof note !== 'string' || given.user?.id === reader.id) return null
  const isReply = ({ sender, kind, createdAt }: Message) =>
    sender.id === reader.id && kind === 'message' && Date.parse(createdAt) > Date.parse(given.at)
  if (messages.some(isReply)) return null
  return (
    <ScrollRegion
      aria-label={t('chat.notice.assigned')}
      className="max-h-28 shrink-0 overflow-y-auto border-b border-line bg-warning-soft px-5 py-2 text-sm text-warning-text max-md:px-3.5"
    >
      <p className="flex items-center gap-1.5 font-medium">
        <Lock size={14} aria-hidden className="shrink-0" />
        <span>
          {t('chat.notice.assigned')}
          {given.user ? (
            <>
              {' · '}
              <bdi>{nameOfCard(given.user)}</bdi>
            </>
          ) : null}
        </span>
      </p>
      <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
        {note}
      </p>
    </ScrollRegion>
  )
}
