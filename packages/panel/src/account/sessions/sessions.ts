/** Sessions of the user's own account, and of an account that they manage. */
import type { SessionView } from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../api/route.ts'

/** Session of any account; `current` marks the session of this page among the user's own sessions. */
export type Session = SessionView & { current?: boolean }

// Sessions are never read from the cache: users look for the most recent activity.
const queryDefaults = { staleTime: 0, meta: { inPlace: true } } as const

export const ownSessions = queryOptions({
  queryKey: ['auth', 'sessions'],
  queryFn: async ({ signal }): Promise<Session[]> => (await callRoute('GET /api/auth/sessions', { signal })).data,
  ...queryDefaults,
})

export const sessionsOf = (id: number) =>
  queryOptions({
    queryKey: ['resource', 'users', 'sessions', id],
    queryFn: async ({ signal }): Promise<Session[]> =>
      (await callRoute('GET /api/users/:id/sessions', { params: { id }, signal })).data,
    ...queryDefaults,
  })
