/** One room: who it is with, what was said, and where to write. */
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { wordsOfFailure } from '../../api/error-toasts.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { FailureState } from '../../ui/failure-state.tsx'
import { Delayed, Skeleton } from '../../ui/skeleton.tsx'
import { chatKeys, roomQuery, threadQuery } from './chat-data.ts'
import type { Reader } from './reader.ts'
import { Composer } from './composer.tsx'
import { ComposerClosed } from './composer-closed.tsx'
import { outboxKey } from './outbox.ts'
import { standingOf } from './standing.ts'
import { ThreadHead } from './thread-head.tsx'
import { ThreadLog } from './thread-log.tsx'
import { useSend } from './use-send.ts'

export interface ThreadProps {
  id: number
  reader: Reader
  /** Goes back to the rooms, where they are not beside it. */
  onBack: (() => void) | undefined
  person: { open: boolean; toggle: () => void }
  /** The writer came here from the list: the next thing is to write. */
  isChosen: boolean
}

export function Thread({ id, reader, onBack, person, isChosen }: ThreadProps) {
  const t = useT()
  const cache = useQueryClient()
  const room = useQuery(roomQuery(id, useLocale()))
  const thread = useInfiniteQuery(threadQuery(id))
  const { send, retry } = useSend(reader.id, id)

  // The room tells that something has changed; the messages are asked for only then.
  const [known, told] = [thread.data?.pages[0]?.rev, room.data?.rev]
  useEffect(() => {
    if (known !== undefined && told !== undefined && told > known) {
      void cache.invalidateQueries({ queryKey: chatKeys.thread(id) })
    }
  }, [cache, id, known, told])

  const error = (!room.data && room.error) || (!thread.data && thread.error)
  if (error) {
    const status = error instanceof ApiError && error.status > 0 ? { status: error.status } : {}
    const retryBoth = () => void Promise.all([room.refetch(), thread.refetch()])
    return (
      <div className="min-h-0 overflow-y-auto">
        <FailureState title={t('chat.messagesFailed')} text={wordsOfFailure(error)} {...status} onRetry={retryBoth} />
      </div>
    )
  }
  // What is new since the last visit is known only after the first answers of this one.
  if (!room.data || !thread.data || !room.isFetchedAfterMount || !thread.isFetchedAfterMount) return <Waiting />

  const standing = standingOf(room.data, reader)
  const messages = thread.data.pages.toReversed().flatMap(({ results }) => results)
  return (
    <section className="flex min-h-0 min-w-0 flex-col" aria-label={t('chatrooms.one')}>
      <ThreadHead room={room.data} reader={reader} onBack={onBack} person={person} />
      <ThreadLog
        room={room.data}
        reader={reader}
        messages={messages}
        outbox={outboxKey(reader.id, id)}
        rev={known ?? room.data.rev}
        earlier={
          thread.hasNextPage
            ? {
                load: () => void thread.fetchNextPage(),
                busy: thread.isFetchingNextPage,
                failed: thread.isFetchNextPageError,
              }
            : undefined
        }
        onRetry={standing.mayWrite ? retry : undefined}
      />
      {standing.mayWrite ? (
        <Composer
          room={room.data}
          user={reader.id}
          asks={standing.side === 'asker'}
          isChosen={isChosen}
          onSend={send}
        />
      ) : (
        <ComposerClosed room={room.data} reader={reader} standing={standing} />
      )}
    </section>
  )
}

function Waiting() {
  return (
    <Delayed>
      <div className="grid content-start gap-4 p-5" aria-hidden>
        {[0, 1, 2, 3, 4].map((row) => (
          <div key={row} className="flex gap-3">
            <Skeleton className="size-9 rounded-2" />
            <Skeleton className={row % 2 ? 'h-14 w-1/2' : 'h-10 w-2/3'} />
          </div>
        ))}
      </div>
    </Delayed>
  )
}
