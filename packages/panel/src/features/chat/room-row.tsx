/** A room in the list: who, what was said last and when, what is unread, who answers and how long somebody waits. */
import { nameOfCard } from '../../api/error-toasts.ts'
import { choiceLabel, localeNames, resources, type Screen } from '@dala/model'
import { Link } from '@tanstack/react-router'
import Clock from 'lucide-react/icons/clock'
import { fileAddress } from '../../api/client.ts'
import { cx } from '../../lib/class-names.ts'
import { formatClock, formatDateTime, formatNumber } from '../../lib/format.ts'
import { tFirst, useLocale, useT } from '../../lib/i18n.ts'
import { useNow } from '../../lib/use-now.ts'
import { Avatar } from '../../ui/avatar.tsx'
import type { Room } from './chat-data.ts'
import type { Reader } from './reader.ts'
import type { DeskSearch } from './desk-search.ts'
import { lastWords, partnerOf, waitingWords } from './room-words.ts'

export interface RoomRowProps {
  screen: Screen
  room: Room
  reader: Reader
  isChosen: boolean
  /** The list's part of the address, which stays. */
  search: DeskSearch
}

export function RoomRow({ screen, room, reader, isChosen, search }: RoomRowProps) {
  const t = useT()
  const locale = useLocale()
  const now = useNow()
  const { last_message: last, unread_message: unread, language, state } = room
  const partner = partnerOf(room, reader.id)
  const name = partner ? nameOfCard(partner) : t('consultation.unassigned')
  const owner = room.assignee ?? room.receiver
  const waits = waitingWords(t, room, now)
  const time = last?.createdAt ?? room.updatedAt
  return (
    <li className="border-b border-line last:border-0">
      <Link
        to={`/app/${screen.path}/${room.id}`}
        search={{ ...search }}
        aria-current={isChosen ? 'page' : undefined}
        className={cx(
          'relative flex gap-3 px-4 py-2.5 -outline-offset-2 hover:bg-hover',
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
              className={cx('shrink-0 text-sm tabular-nums', isChosen ? 'text-on-brand-soft' : 'text-muted')}
            >
              {formatClock(time, now)}
            </time>
          </span>
          <span className={cx('flex items-center gap-2 text-sm', isChosen ? 'text-on-brand-soft' : 'text-muted')}>
            <span
              lang={language ?? undefined}
              className={cx('min-w-0 flex-1 truncate', unread > 0 && !isChosen && 'font-medium text-ink')}
            >
              {lastWords(t, room)}
            </span>
            {unread > 0 ? (
              <span className="min-w-5 shrink-0 rounded-full bg-brand px-1.5 text-center text-xs font-semibold text-on-brand tabular-nums">
                <span aria-hidden>{formatNumber(locale, unread)}</span>
                <span className="sr-only">{t('chat.unread', { count: unread })}</span>
              </span>
            ) : null}
          </span>
          <span
            className={cx(
              'flex flex-wrap items-center gap-x-2.5 text-xs',
              isChosen ? 'text-on-brand-soft' : 'text-muted',
            )}
          >
            {waits ? (
              <span className={cx('inline-flex items-center gap-1 font-medium', !isChosen && 'text-warning-text')}>
                <Clock size={13} aria-hidden />
                {waits}
              </span>
            ) : null}
            {state === 'closed' ? <span>{tFirst(choiceLabel(resources.chatrooms, 'state', state))}</span> : null}
            <span className="min-w-0 truncate">
              {owner ? (
                <bdi>{owner.id === reader.id ? t('chat.you') : nameOfCard(owner)}</bdi>
              ) : (
                t('consultation.unassigned')
              )}
            </span>
            {language ? (
              <abbr title={localeNames[language]} className="no-underline">
                {language}
              </abbr>
            ) : null}
          </span>
        </span>
      </Link>
    </li>
  )
}
