/** Messages found in all rooms the reader may read, page after page (chat §4). */
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { callRoute } from '../../../api/route.ts'

/** Shorter than this a search finds everything and helps nobody. */
export const shortest = 2

/** In: what is searched for, and the room when only one is searched. */
export const hitsQuery = (q: string, room?: number) =>
  infiniteQueryOptions({
    queryKey: ['resource', 'chatmessages', 'search', q, room ?? 0],
    queryFn: ({ pageParam, signal }) =>
      callRoute('GET /api/chatmessages/search', {
        query: { q, ...(room && { room }), pagination: { page: pageParam, pageSize: 30 } },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { page, pageCount = 0 } }) => (page < pageCount ? page + 1 : undefined),
    placeholderData: keepPreviousData,
    enabled: q.trim().length >= shortest,
    meta: { inPlace: true },
  })
