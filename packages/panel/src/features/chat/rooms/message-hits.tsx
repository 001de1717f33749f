/** Messages found by a search, shown instead of the rooms; each opens its room at the message. */
import type { MessageHit, Screen } from '@dala/model'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Lock from 'lucide-react/icons/lock'
import { ApiError } from '../../../api/api-error.ts'
import { nameOfCard, messageOfFailure } from '../../../api/error-toasts.ts'
import { cx } from '../../../lib/class-names.ts'
import { formatClock, formatDateTime } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { FailureState } from '../../../ui/feedback/failure-state.tsx'
import { DelayedContent, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import type { DeskSearch } from '../desk-search.ts'
import { hitsQuery, minSearchLength } from './message-search.ts'
import type { Reader } from '../reader.ts'
import { partnerOf } from './room-text.ts'

export interface MessageHitsProps {
  screen: Screen
  reader: Reader
  q: string
  /** Search parameters of the room list, which stay in the addresses of found messages. */
  search: DeskSearch
  /** `seq` of the message that the thread is opened at. */
  at: number | undefined
  chosen: number | undefined
}

export function MessageHits({ screen, reader, q, search, at, chosen }: MessageHitsProps) {
  const t = useT()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } = useInfiniteQuery(
    hitsQuery(q.trim(), { room: search.in === 'room' ? chosen : undefined, from: search.from, to: search.to }),
  )
  const messageHits = data?.pages.flatMap(({ results }) => results) ?? []
  const [firstPage] = data?.pages ?? []
  if (q.trim().length < minSearchLength) return <p className="px-4 py-6 text-sm text-muted">{t('chat.searchShort')}</p>
  if (error && !data) {
    const status = error instanceof ApiError && error.status > 0 ? { status: error.status } : {}
    return (
      <FailureState
        title={t('chat.searchFailed')}
        text={messageOfFailure(error)}
        {...status}
        onRetry={() => void refetch()}
      />
    )
  }
  if (!data) {
    return (
      <DelayedContent>
        <div aria-hidden className="grid gap-4 p-4">
          {[0, 1, 2, 3].map((row) => (
            <Skeleton key={row} className="h-12 w-full" />
          ))}
        </div>
      </DelayedContent>
    )
  }
  if (messageHits.length === 0) return <EmptyState title={t('empty.noData')} text={t('empty.noResults')} />
  return (
    <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain" aria-busy={isPlaceholderData}>
      <output className="block px-4 py-2 text-sm text-muted">
        {t('chat.hitsFound', { count: firstPage?.pagination.total ?? messageHits.length })}
      </output>
      <ul aria-label={t('chatmessages.many')} className={cx(isPlaceholderData && 'opacity-60')}>
        {messageHits.map((hit) => (
          <li key={hit.message.id}>
            <Hit
              hit={hit}
              to={`/app/${screen.path}/${hit.room.id}`}
              search={{ ...search, at: hit.message.seq }}
              reader={reader}
              isChosen={hit.room.id === chosen && hit.message.seq === at}
            />
          </li>
        ))}
      </ul>
      {hasNextPage ? (
        <div className="grid justify-items-center p-3">
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('chat.moreHits')}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

interface HitProps {
  hit: MessageHit
  to: string
  search: DeskSearch
  reader: Reader
  isChosen: boolean
}

function Hit({ hit: { message, room, snippet }, to, search, reader, isChosen }: HitProps) {
  const t = useT()
  const now = useNow()
  const partner = partnerOf(room, reader.id)
  const { sender, createdAt, kind } = message
  return (
    <Link
      to={to}
      search={{ ...search }}
      aria-current={isChosen ? 'true' : undefined}
      className={cx(
        'grid gap-0.5 border-b border-line px-4 py-2.5 -outline-offset-2 hover:bg-hover',
        isChosen && 'bg-brand-soft text-on-brand-soft',
      )}
    >
      <span className="flex items-baseline gap-2">
        <bdi className="min-w-0 flex-1 truncate font-semibold">
          {partner ? nameOfCard(partner) : t('consultation.unassigned')}
        </bdi>
        <time
          dateTime={createdAt}
          title={formatDateTime(createdAt)}
          className={cx('shrink-0 text-sm tabular-nums', !isChosen && 'text-muted')}
        >
          {formatClock(createdAt, now)}
        </time>
      </span>
      <span className={cx('flex items-center gap-1 text-xs', !isChosen && 'text-muted')}>
        {kind === 'note' ? <Lock size={12} aria-hidden /> : null}
        <bdi>{sender.id === reader.id ? t('chat.you') : nameOfCard(sender)}</bdi>
        {kind === 'note' ? ` · ${t('chat.internalNote')}` : null}
      </span>
      <span dir="auto" className="line-clamp-3 text-sm wrap-anywhere">
        {snippet.map((snippetPart, index) =>
          snippetPart.hit ? (
            <mark key={index} className="rounded-1 bg-warning-soft px-0.5 font-semibold text-warning-text">
              {snippetPart.text}
            </mark>
          ) : (
            <span key={index}>{snippetPart.text}</span>
          ),
        )}
      </span>
    </Link>
  )
}
