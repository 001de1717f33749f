/**
 * A room in the list: the other side, the last message, unread count, owner, and how long the customer has
 * waited.
 */
import { nameOfCard } from '../../../api/error-toasts.ts'
import { choiceLabel, localeNames, resources, type Screen } from '@dala/model'
import { Link } from '@tanstack/react-router'
import Paperclip from 'lucide-react/icons/paperclip'
import Lock from 'lucide-react/icons/lock'
import PencilLine from 'lucide-react/icons/pencil-line'
import Reply from 'lucide-react/icons/reply'
import type { ReactNode } from 'react'
import { fileAddress } from '../../../api/client.ts'
import { cx } from '../../../lib/class-names.ts'
import { formatClock, formatDateTime, formatNumber } from '../../../lib/format.ts'
import { firstTranslation, useLocale, useT } from '../../../lib/i18n.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { WaitChip } from '../../../ui/wait-chip.tsx'
import type { Room } from '../chat-data.ts'
import { type DeskSearch, isDesk } from '../desk-search.ts'
import { useHasDraft } from '../composer/drafts.ts'
import type { Reader } from '../reader.ts'
import { lastMessageText, partnerOf } from './room-text.ts'

export interface RoomRowProps {
  screen: Screen
  room: Room
  reader: Reader
  isChosen: boolean
  /** Whether the row is the tab stop of the room list; the other rows are reached by arrow keys. */
  isStop: boolean
  /** Search parameters of the room list, which stay in the address of the room. */
  search: DeskSearch
}

export function RoomRow({ screen, room, reader, isChosen, isStop, search }: RoomRowProps) {
  const t = useT()
  const locale = useLocale()
  const now = useNow()
  const hasDraft = useHasDraft(reader.id, room.id)
  const { last_message: lastMessage, unread_message: unreadCount, language, state } = room
  const partner = partnerOf(room, reader.id)
  const name = partner ? nameOfCard(partner) : t('consultation.unassigned')
  const owner = room.assignee ?? room.receiver
  const time = lastMessage?.createdAt ?? room.updatedAt
  const mutedClass = isChosen ? 'text-on-brand-soft' : 'text-muted'
  return (
    <Link
      to={`/app/${screen.path}/${room.id}`}
      search={{ ...search }}
      data-room={room.id}
      tabIndex={isStop ? 0 : -1}
      aria-current={isChosen ? 'page' : undefined}
      className={cx(
        'relative flex gap-3 border-b border-line px-4 py-2.5 -outline-offset-2 hover:bg-hover',
        isChosen && 'bg-brand-soft before:absolute before:inset-y-0 before:start-0 before:w-[3px] before:bg-brand-ui',
      )}
    >
      <Avatar name={name} src={fileAddress(partner?.avatar?.url)} />
      <span className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-0.5">
        <span className="flex items-baseline gap-2">
          <bdi className="min-w-0 flex-1 truncate font-semibold">{name}</bdi>
          <time
            dateTime={time}
            title={formatDateTime(time)}
            className={cx('shrink-0 text-sm tabular-nums', mutedClass)}
          >
            {formatClock(time, now)}
          </time>
        </span>
        <span className={cx('flex items-center gap-2 text-sm', mutedClass)}>
          <LastMessage room={room} reader={reader} isStrong={unreadCount > 0 && !isChosen} />
          {hasDraft ? (
            <span className="inline-flex shrink-0 items-center gap-1 text-xs font-medium">
              <PencilLine size={13} aria-hidden />
              {t('chat.draft')}
            </span>
          ) : null}
          {unreadCount > 0 ? (
            <span className="min-w-5 shrink-0 rounded-full bg-brand px-1.5 text-center text-xs font-semibold text-on-brand tabular-nums">
              <span aria-hidden>{formatNumber(locale, unreadCount)}</span>
              <span className="sr-only">{t('chat.unread', { count: unreadCount })}</span>
            </span>
          ) : null}
        </span>
        <span className={cx('flex items-center gap-x-2.5 text-xs', mutedClass)}>
          {isDesk(reader) ? <WaitChip wait={room} now={now} isPlain={isChosen} /> : null}
          {state === 'closed' ? (
            <span className="shrink-0">{firstTranslation(choiceLabel(resources.chatrooms, 'state', state))}</span>
          ) : null}
          <span className="min-w-0 flex-1 truncate">
            {owner ? (
              <bdi>{owner.id === reader.id ? t('chat.you') : nameOfCard(owner)}</bdi>
            ) : (
              t('consultation.unassigned')
            )}
          </span>
          {language ? (
            <abbr title={localeNames[language]} className="shrink-0 no-underline">
              {language}
            </abbr>
          ) : null}
        </span>
      </span>
    </Link>
  )
}

interface LastProps {
  room: Pick<Room, 'last_message' | 'language'>
  reader: Reader
  isStrong: boolean
}

/** The last message of a room: a file, a note or text, and whether it is the user's own. */
function LastMessage({ room, reader, isStrong }: LastProps) {
  const t = useT()
  const { last_message: lastMessage, language } = room
  const isOwn = lastMessage?.sender === reader.id
  const renderSign = (icon: ReactNode, label: string) => (
    <>
      <span className="shrink-0">{icon}</span>
      <span className="sr-only">{label}: </span>
    </>
  )
  return (
    <span className={cx('flex min-w-0 flex-1 items-center gap-1', isStrong && 'font-medium text-ink')}>
      {isOwn ? renderSign(<Reply size={13} aria-hidden className="mirrored" />, t('chat.you')) : null}
      {lastMessage?.kind === 'note' ? renderSign(<Lock size={13} aria-hidden />, t('chat.internalNote')) : null}
      {lastMessage && lastMessage.text === null ? <Paperclip size={13} aria-hidden className="shrink-0" /> : null}
      <span lang={language ?? undefined} dir="auto" className="min-w-0 truncate">
        {lastMessageText(t, room)}
      </span>
    </span>
  )
}
