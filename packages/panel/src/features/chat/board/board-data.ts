/** The supervisor's board, the rooms of one consultant, and giving many of them to somebody else (chat §5). */
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import type { Person, RoomsPage } from '../chat-data.ts'

export interface Figures {
  /** Rooms that are not closed. */
  open: number
  waiting: number
  /** Since when the first of them waits. */
  oldest_wait: string | null
  /** Rooms whose customer waits longer than the target allows. */
  overdue: number
  breaches_today: number
}

export interface BoardRow extends Figures {
  consultant: Person
  online: boolean
}

export const boardQuery = queryOptions({
  queryKey: ['resource', 'chatrooms', 'board'],
  queryFn: ({ signal }) => call<{ data: BoardRow[]; unassigned: Figures }>('GET', '/chatrooms/board', { signal }),
  refetchInterval: 15_000,
  meta: { inPlace: true },
})

/** Of a consultant, or with null of nobody: those that wait longest first. */
export const heldQuery = (owner: number | null) =>
  queryOptions({
    queryKey: ['resource', 'chatrooms', 'held', owner ?? 0],
    queryFn: async ({ signal }) => {
      const filters = owner === null ? { assignee: 'none' } : { owner }
      const query = { scope: 'all', sort: 'waiting', filters, pagination: { page: 1, pageSize: 50 } }
      const page = await call<RoomsPage>('GET', '/get_customized_rooms', { query, signal })
      return { rooms: page.results.filter(({ state }) => state !== 'closed'), total: page.pagination.total }
    },
    refetchInterval: 15_000,
    meta: { inPlace: true },
  })

export interface Moved {
  room: number
  ok: boolean
  code?: string
  owner?: Person | null
}

/** Each room by itself, as long as its owner still has it: what could not be moved is told room by room. */
export const reassign = async (rooms: readonly number[], from: number | null, to: number, note: string) => {
  const body = { data: { rooms, from, to, note } }
  return (await call<{ results: Moved[] }>('POST', '/chatrooms/reassign', { body })).results
}
