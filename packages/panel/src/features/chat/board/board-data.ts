/**
 * The supervisor's board: load the open rooms of one consultant, and reassign many rooms at once (chat §5).
 */
import type { RoomFilters } from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../../api/route.ts'

export const boardQuery = queryOptions({
  queryKey: ['resource', 'chatrooms', 'board'],
  queryFn: ({ signal }) => callRoute('GET /api/chatrooms/board', { signal }),
  refetchInterval: 15_000,
  meta: { inPlace: true },
})

/** Open rooms of a consultant, or unassigned rooms when `null`; longest wait first. */
export const openRoomsQuery = (owner: number | null) =>
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

/**
 * Reassigns each room on its own, provided that its owner is unchanged; the answer has a result for each
 * room.
 */
export const sendReassignment = async (
  rooms: readonly number[],
  formerOwner: number | null,
  newOwner: number,
  note: string,
) =>
  (
    await callRoute('POST /api/chatrooms/reassign', {
      body: { data: { rooms, from: formerOwner, to: newOwner, note } },
    })
  ).results
