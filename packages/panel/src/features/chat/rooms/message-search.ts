/** Messages found in all rooms the reader may read, page after page (chat §4). */
import type { ChatMessage } from '@dala/model'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import type { Person } from '../chat-data.ts'

export interface MessageHit {
  message: Pick<ChatMessage, 'id' | 'seq' | 'sender' | 'text' | 'kind' | 'createdAt'>
  room: { id: number; sender: Person; receiver: Person | null; assignee: Person | null }
  /** The text around what was found. */
  snippet: readonly { text: string; hit: boolean }[]
}

interface HitsPage {
  results: MessageHit[]
  pagination: { page: number; pageCount: number; total: number }
}

/** Shorter than this a search finds everything and helps nobody. */
export const shortest = 2

/** In: what is searched for, and the room when only one is searched. */
export const hitsQuery = (q: string, room?: number) =>
  infiniteQueryOptions({
    queryKey: ['resource', 'chatmessages', 'search', q, room ?? 0],
    queryFn: ({ pageParam, signal }) =>
      call<HitsPage>('GET', '/chatmessages/search', {
        query: { q, ...(room && { room }), pagination: { page: pageParam, pageSize: 30 } },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { page, pageCount } }) => (page < pageCount ? page + 1 : undefined),
    placeholderData: keepPreviousData,
    enabled: q.trim().length >= shortest,
    meta: { inPlace: true },
  })
