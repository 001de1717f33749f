/** The session: the token in local storage, the signed-in user, signing in and out (requirements §4, §7). */
import {
  type CallerRole,
  type Credentials,
  type Entry,
  type Locale,
  type PasswordReset,
  type RoleType,
  type Script,
} from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import { forgetSearches } from '../lib/last-search.ts'
import { forgetDisplayMode } from '../lib/preferences.ts'
import { emitSessionEnd } from '../lib/session-end.ts'
import { forgetLists, readStorage, storageKeys, writeStorage } from '../lib/storage-keys.ts'
import { offerTour } from '../lib/tour-mark.ts'
import { ApiError } from './api-error.ts'
import { callServer } from './client.ts'
import { callRoute } from './route.ts'
import { callerRoleAs, mayViewAs, setViewedRole, viewedRole } from './viewing.ts'

/** The flat user of `GET /users/me` with their role and photo (contract §3). */
export interface CurrentUser {
  id: number
  username: string
  email: string
  name: string | null
  surname: string | null
  is_consultant?: boolean
  /** The account's language: for its e-mails, and for the panel in a browser without a stored language. */
  language?: Locale | null
  /** The script of a language that has two. */
  script?: Script | null
  /** Chats that may play a sound, and the quiet hours. */
  chat_notify?: 'all' | 'mine' | 'none' | null
  quiet_from?: string | null
  quiet_to?: string | null
  role?: { id: number; name: string; type: RoleType } | null
  avatar?: Entry | null
  /** Own role of the user, while the panel is viewed as another role. */
  ownRole?: RoleType
  /** Whether the user is a consultant, while the panel is viewed as another role. */
  ownIsConsultant?: boolean
}

export function hasToken(): boolean {
  return Boolean(readStorage(storageKeys.token))
}

/**
 * Calls a route that opens a session, and stores its token.
 *
 * @throws ApiError as any call.
 */
async function openSession(signInCall: () => Promise<{ jwt: string; user: Entry }>): Promise<void> {
  // A new session views the panel as itself, whatever role the tab viewed it as before.
  setViewedRole(undefined)
  const { jwt, user } = await signInCall()
  writeStorage(storageKeys.token, jwt)
  offerTour(user)
}

/** The step between the right password and the session: none, or the code of the authenticator app. */
export type SignInOutcome = 'yes' | 'code-needed'

async function askForCode(sessionOpening: Promise<void>): Promise<SignInOutcome> {
  try {
    await sessionOpening
    return 'yes'
  } catch (error) {
    if (error instanceof ApiError && error.status === 422 && error.details['totp'] === true) return 'code-needed'
    throw error
  }
}

export const signIn = (body: Credentials) => askForCode(openSession(() => callRoute('POST /api/auth/local', { body })))

/** Creates an account and signs in with it. */
export const registerAccount = (body: { username: string; email: string; password: string }) =>
  openSession(() => callRoute('POST /api/auth/local/register', { body }))

/** Requests the e-mail that sets a new password; the answer is the same for an unknown address. */
export const askForReset = (email: string) => callRoute('POST /api/auth/forgot-password', { body: { email } })

/**
 * Sets a new password with the code from the e-mail; with two-step sign-in on, the user signs in afterwards.
 */
export const resetPassword = (body: PasswordReset) =>
  askForCode(openSession(() => callRoute('POST /api/auth/reset-password', { body })))

/** Confirms an e-mail address with the code that was sent to it. */
export const confirmEmail = (code: string) => callRoute('POST /api/auth/confirm-email', { body: { code } })

/**
 * Removes the session from this browser: the token, the display mode (requirements §4), the columns and
 * searches of lists, the recent choices of the command palette, and the actions that could be undone.
 */
export function forgetSession(): void {
  writeStorage(storageKeys.token, null)
  writeStorage(storageKeys.recent, null)
  forgetDisplayMode()
  forgetLists()
  forgetSearches()
  emitSessionEnd()
}

/** Ends the session on the server and here; the browser forgets it even when the call fails. */
export async function signOut(): Promise<void> {
  const signOutCall = callRoute('POST /api/auth/logout', {}).catch(() => undefined)
  forgetSession()
  await signOutCall
}

/**
 * The signed-in user as the panel shows them. A viewed role that the user does not (or no longer) outrank is
 * ignored.
 */
function userInViewedRole(me: CurrentUser): CurrentUser {
  const viewedRoleType = viewedRole()
  if (!viewedRoleType) return me
  const ownRole = me.role?.type ?? 'public'
  if (!mayViewAs(ownRole, viewedRoleType)) {
    setViewedRole(undefined)
    return me
  }
  const { role, isConsultant } = callerRoleAs(viewedRoleType)
  return {
    ...me,
    ownRole,
    ownIsConsultant: me.is_consultant === true,
    is_consultant: isConsultant,
    role: { id: 0, name: '', type: role },
  }
}

/** Query of the signed-in user. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) =>
    userInViewedRole(
      await callServer<CurrentUser>('GET', '/users/me', { query: { populate: ['role', 'avatar'] }, signal }),
    ),
  staleTime: 5 * 60_000,
})

/** Caller, as the access table knows the user. */
export function callerRoleOf({ role, is_consultant }: CurrentUser): CallerRole {
  return { role: role?.type ?? 'public', isConsultant: is_consultant === true }
}

/** The name to show for a person: first name and surname, else the user name. */
export function nameOfUser(user: Pick<CurrentUser, 'name' | 'surname' | 'username'>): string {
  return [user.name, user.surname].filter(Boolean).join(' ') || user.username
}
