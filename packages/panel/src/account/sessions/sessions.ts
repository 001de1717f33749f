/** The sessions of an account: one's own, and those of a person one looks after. */
import type { SessionView } from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../api/route.ts'

/** A session of any account; of the own ones it is known which one this page has. */
export type Session = SessionView & { current?: boolean }

// What has just been seen of a session is what one looks for.
const shown = { staleTime: 0, meta: { inPlace: true } } as const

export const ownSessions = queryOptions({
  queryKey: ['auth', 'sessions'],
  queryFn: async ({ signal }): Promise<Session[]> => (await callRoute('GET /api/auth/sessions', { signal })).data,
  ...shown,
})

export const sessionsOf = (id: number) =>
  queryOptions({
    queryKey: ['resource', 'users', 'sessions', id],
    queryFn: async ({ signal }): Promise<Session[]> =>
      (await callRoute('GET /api/users/:id/sessions', { params: { id }, signal })).data,
    ...shown,
  })
