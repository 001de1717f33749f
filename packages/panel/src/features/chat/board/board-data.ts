/** The supervisor's board, the rooms of one consultant, and giving many of them to somebody else (chat §5). */
import type { RoomFilters } from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../../api/route.ts'

export const boardQuery = queryOptions({
  queryKey: ['resource', 'chatrooms', 'board'],
  queryFn: ({ signal }) => callRoute('GET /api/chatrooms/board', { signal }),
  refetchInterval: 15_000,
  meta: { inPlace: true },
})

/** Of a consultant, or with null of nobody: those that wait longest first. */
export const heldQuery = (owner: number | null) =>
  queryOptions({
    queryKey: ['resource', 'chatrooms', 'held', owner ?? 0],
    queryFn: async ({ signal }) => {
      const filters: RoomFilters = owner === null ? { assignee: 'none' } : { owner }
      const page = await callRoute('GET /api/get_customized_rooms', {
        query: { scope: 'all', sort: 'waiting', filters, pagination: { page: 1, pageSize: 50 } },
        signal,
      })
      return { rooms: page.results.filter(({ state }) => state !== 'closed'), total: page.pagination.total }
    },
    refetchInterval: 15_000,
    meta: { inPlace: true },
  })

/** Each room by itself, as long as its owner still has it: what could not be moved is told room by room. */
export const reassign = async (rooms: readonly number[], from: number | null, to: number, note: string) =>
  (await callRoute('POST /api/chatrooms/reassign', { body: { data: { rooms, from, to, note } } })).results
