/** Search for messages in all rooms the user may read, paginated (chat §4). */
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { callRoute } from '../../../api/route.ts'

/** Minimum length of a text to search messages; a shorter text matches too much. */
export const minSearchLength = 2

/** Limits of a message search: one room, and the first and the last day. */
export interface SearchedPart {
  room?: number | undefined
  from?: string | undefined
  to?: string | undefined
}

/**
 * The query of a message search.
 *
 * @param q - The search text.
 * @param part - The messages that are searched; without it all of the user's rooms.
 */
export const hitsQuery = (searchText: string, { room, from, to }: SearchedPart = {}) =>
  infiniteQueryOptions({
    queryKey: ['resource', 'chatmessages', 'search', searchText, { room, from, to }],
    queryFn: ({ pageParam, signal }) =>
      callRoute('GET /api/chatmessages/search', {
        query: {
          q: searchText,
          ...(room && { room }),
          ...(from && { from }),
          ...(to && { to }),
          pagination: { page: pageParam, pageSize: 30 },
        },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { page, pageCount = 0 } }) => (page < pageCount ? page + 1 : undefined),
    placeholderData: keepPreviousData,
    enabled: searchText.trim().length >= minSearchLength,
    meta: { inPlace: true },
  })
