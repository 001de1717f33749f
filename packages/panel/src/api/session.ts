/** The session: the token in local storage, who is signed in, signing in and out (spec §4, §7). */
import type { Asker, RoleType } from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import { forgetDisplayMode } from '../lib/preferences.ts'
import { readStorage, storageKeys, writeStorage } from '../lib/storage-keys.ts'
import { call } from './client.ts'

/** The flat user of `GET /users/me?populate=role` (contract §3). */
export interface CurrentUser {
  id: number
  username: string
  email: string
  name: string | null
  surname: string | null
  is_consultant?: boolean
  role?: { id: number; name: string; type: RoleType } | null
}

interface Credentials {
  identifier: string
  password: string
}

export function hasToken(): boolean {
  return Boolean(readStorage(storageKeys.token))
}

/** Signs in and keeps the token. Throws `ApiError` as any call. */
export async function signIn(credentials: Credentials): Promise<void> {
  const answer = await call<{ jwt: string }>('POST', '/auth/local', { body: credentials })
  writeStorage(storageKeys.token, answer.jwt)
}

/** Forgets the session in this browser: the token and the display mode (spec §4). */
export function forgetSession(): void {
  writeStorage(storageKeys.token, null)
  forgetDisplayMode()
}

/** Ends the session on the server and here; the browser forgets it even when the call fails. */
export async function signOut(): Promise<void> {
  const ended = call('POST', '/auth/logout').catch(() => undefined)
  forgetSession()
  await ended
}

/** Who is signed in. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => call<CurrentUser>('GET', '/users/me', { query: { populate: 'role' }, signal }),
  staleTime: 5 * 60_000,
})

/** Who asks, as the access table sees him. */
export function askerOf({ role, is_consultant }: CurrentUser): Asker {
  return { role: role?.type ?? 'public', isConsultant: is_consultant === true }
}

/** The name to show for a person: first name and surname, else the user name. */
export function nameOfUser(user: Pick<CurrentUser, 'name' | 'surname' | 'username'>): string {
  return [user.name, user.surname].filter(Boolean).join(' ') || user.username
}
