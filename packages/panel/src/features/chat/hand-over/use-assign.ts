/** Assigns a chat room; on a conflict returns the current owner. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../api/api-error.ts'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { callRoute } from '../../../api/route.ts'
import { expectOwnRevision } from '../live/use-room-log.ts'

export interface Assignment {
  to: number | null
  /** Owner of the chat room, as known to the user. */
  from: number | null
  note?: string
}

/** Reads the current owner from a refused assignment; undefined for any other failure. */
function presentOwner(error: unknown): number | null | undefined {
  if (!(error instanceof ApiError) || error.code !== 'desk.taken') return undefined
  const { owner } = error.details
  if (owner === null) return null
  return typeof owner === 'object' && 'id' in owner && typeof owner.id === 'number' ? owner.id : undefined
}

export function useAssign(room: number) {
  const cache = useQueryClient()
  const assignMutation = useMutation({
    meta: { inPlace: true },
    mutationFn: (data: Assignment) =>
      callRoute('POST /api/chatrooms/:id/assign', { params: { id: room }, body: { data } }),
    onSuccess: ({ rev }) => expectOwnRevision(cache, room, rev),
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource', 'chatrooms'] }),
  })
  const { error } = assignMutation
  return { assign: assignMutation, failure: error ? messageOfFailure(error) : undefined, takenBy: presentOwner(error) }
}
