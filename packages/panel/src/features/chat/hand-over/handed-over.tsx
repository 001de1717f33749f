/**
 * The note pinned above the thread for the new owner: its author and its text; their first answer removes it.
 */
import type { ChatMessage } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import ArrowRightLeft from 'lucide-react/icons/arrow-right-left'
import { useId } from 'react'
import { nameOfCard, nameOfPerson } from '../../../api/error-toasts.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx'
import { handOverTo } from './hand-over.ts'
import { historyQuery } from '../person/room-details.ts'

export interface HandedOverProps {
  room: number
  reader: number
  messages: readonly ChatMessage[]
}

export function HandOverNotice({ room, reader, messages }: HandedOverProps) {
  const t = useT()
  const id = useId()
  const { data: history = [] } = useQuery(historyQuery(room))
  const handOver = handOverTo(reader, history, messages)
  if (!handOver) return null
  const previousOwner = nameOfPerson(handOver.previousOwner)
  return (
    <section
      aria-labelledby={id}
      className="flex gap-2.5 border-b border-line bg-warning-soft px-4 py-2.5 text-sm text-warning-text max-md:px-3.5"
    >
      <ArrowRightLeft size={16} aria-hidden className="mt-0.5 shrink-0" />
      <div className="min-w-0 flex-1">
        <h3 id={id} className="font-semibold">
          {handOver.by ? t('chat.handedToYou', { name: nameOfCard(handOver.by) }) : t('chat.notice.assigned')}
        </h3>
        {/* A long note about a hand-over scrolls, also by keyboard. */}
        <ScrollRegion aria-label={t('chat.handOverNote')} className="max-h-[4.5lh] overflow-y-auto">
          <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
            {handOver.note}
          </p>
        </ScrollRegion>
        <p className="text-xs">
          {previousOwner ? `${t('chat.answeredBefore', { name: previousOwner })} · ` : null}
          {formatDateTime(handOver.at)}
        </p>
      </div>
    </section>
  )
}
