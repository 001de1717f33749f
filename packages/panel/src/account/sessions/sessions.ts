/** The sessions of an account: one's own, and those of a person one looks after. */
import type { Resource } from '@dala/model'
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

/**
 * The sessions of another person.
 *
 * @param accounts The resource of their account.
 * @param id The id of the account.
 * @returns The query.
 */
export const sessionsOf = ({ name, wire }: Resource, id: number) =>
  sessionsAt(`/${wire}/${id}/sessions`, ['resource', name, 'sessions', id])
