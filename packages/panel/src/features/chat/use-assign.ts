/** Gives a room to somebody; when somebody else was quicker, says who has it now. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { wordsOfFailure } from '../../api/error-toasts.ts'

export interface Assignment {
  to: number
  /** Who has it as far as the reader knows. */
  from: number | null
  note?: string
}

export function useAssign(room: number) {
  const cache = useQueryClient()
  const assign = useMutation({
    meta: { inPlace: true },
    mutationFn: (data: Assignment) => call('POST', `/chatrooms/${room}/assign`, { body: { data } }),
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource', 'chatrooms'] }),
  })
  return { assign, failure: assign.error ? wordsOfFailure(assign.error) : undefined }
}
