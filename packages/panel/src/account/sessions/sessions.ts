/** The sessions of an account: one's own, and those of a person one looks after. */
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'

export interface Session {
  id: string
  /** The one that asks; never said of another person's. */
  current?: boolean
  address: string | null
  agent: string | null
  created_at: string
  last_seen_at: string
  expires_at: string
}

const sessionsAt = (path: string, queryKey: readonly (string | number)[]) =>
  queryOptions({
    queryKey,
    queryFn: async ({ signal }) => (await call<{ data: Session[] }>('GET', path, { signal })).data,
    // What has just been seen of a session is what one looks for.
    staleTime: 0,
    meta: { inPlace: true },
  })

export const ownSessions = sessionsAt('/auth/sessions', ['auth', 'sessions'])

export const sessionsOf = (id: number) => sessionsAt(`/users/${id}/sessions`, ['resource', 'users', 'sessions', id])
