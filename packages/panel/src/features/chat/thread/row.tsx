/** A positioned row of the thread: a day, the line above new messages, or a message. */
import { dateToDay, formatLongDate, type Translate } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { MessageItem, type MessageItemProps } from './message-item.tsx'
import type { ThreadRow as Row } from './rows.ts'

/** Label of a day in the thread: "Today", "Yesterday", or the date. */
export function dayLabel(t: Translate, day: string, now: Date): string {
  if (day === dateToDay(now)) return t('chat.today')
  return day === dateToDay(new Date(now.getTime() - 86_400_000)) ? t('chat.yesterday') : formatLongDate(t, day)
}

export const dayClass = 'rounded-full border border-line bg-surface px-3 py-0.5 text-sm text-muted'

export interface ThreadRowProps extends Omit<MessageItemProps, 'message' | 'isHeaded' | 'position'> {
  row: Row
  index: number
  start: number
  /** Measures the height of the thread row. */
  measure: (element: HTMLDivElement | null) => void
  /** Number of messages that were unread when the room was opened. */
  unread: number
}

export function ThreadRow({ row, index, start, measure, unread, ...otherProps }: ThreadRowProps) {
  const t = useT()
  return (
    <div
      ref={measure}
      data-index={index}
      className="absolute inset-x-0 top-0 px-5 max-md:px-3.5"
      style={{ transform: `translateY(${start}px)` }}
    >
      {row.kind === 'day' ? (
        <h3 className="flex justify-center py-2.5 font-normal">
          <span className={dayClass}>{dayLabel(t, row.day, otherProps.now)}</span>
        </h3>
      ) : row.kind === 'unread' ? (
        <h3 className="flex items-center gap-3 pt-4 text-sm font-semibold text-brand-text">
          <i aria-hidden className="h-px flex-1 bg-brand-ui" />
          {t('chat.newCount', { count: unread })}
          <i aria-hidden className="h-px flex-1 bg-brand-ui" />
        </h3>
      ) : (
        <MessageItem {...otherProps} message={row.message} isHeaded={row.isHeaded} position={row.position} />
      )}
    </div>
  )
}
