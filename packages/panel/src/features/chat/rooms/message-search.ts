/** Search for messages in all rooms the user may read, paginated (chat §4). */
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { callRoute } from '../../../api/route.ts'

/** Minimum length of a text to search messages; a shorter text matches too much. */
export const minSearchLength = 2

/**
 * The query of a message search.
 *
 * @param q - The search text.
 * @param room - Limits the search to one room.
 */
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
    enabled: q.trim().length >= minSearchLength,
    meta: { inPlace: true },
  })
