/**
 * The role that this tab views the panel as (header `X-View-As`), stored for the tab so that it survives a
 * reload.
 */
import { type CallerRole, rankOfRole, type RoleType, rolesBelow } from '@dala/model'
import { onSessionEnd } from '../lib/session-end.ts'

/** The roles that can be viewed as, and the consultant, who is a registered user (contract §14). */
export const viewedRoles = ['authenticated', 'consultant', 'admin', 'super-admin'] as const
export type ViewedRole = (typeof viewedRoles)[number]

/** The viewed role is stored in `sessionStorage`, so another tab is not affected. */
const key = 'view-as'
const listeners = new Set<() => void>()

const isViewedRole = (value: unknown): value is ViewedRole => viewedRoles.some((role) => role === value)

/** Viewed role, as the access table knows it. */
export function callerRoleAs(shownRole: ViewedRole): CallerRole {
  return shownRole === 'consultant'
    ? { role: 'authenticated', isConsultant: true }
    : { role: shownRole, isConsultant: false }
}

/**
 * Whether a user may view the panel as a role: users above registered ones may, as every role below their
 * own.
 */
export function mayViewAs(ownRole: RoleType, shownRole: ViewedRole): boolean {
  return rankOfRole(ownRole) >= rankOfRole('admin') && rolesBelow(ownRole).includes(callerRoleAs(shownRole).role)
}

/** The role that this tab is viewed as; undefined when the browser refuses its storage. */
export function viewedRole(): ViewedRole | undefined {
  try {
    const storedText = sessionStorage.getItem(key)
    return isViewedRole(storedText) ? storedText : undefined
  } catch {
    return undefined
  }
}

/**
 * Starts viewing the panel as a role, or stops. Call `renewAll` to drop the data read as the previous role.
 */
export function setViewedRole(shownRole: ViewedRole | undefined): void {
  try {
    if (shownRole) sessionStorage.setItem(key, shownRole)
    else sessionStorage.removeItem(key)
  } catch {
    // Without storage the user views the panel as their own role.
  }
  for (const listener of listeners) listener()
}

export function subscribeToViewing(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

onSessionEnd(() => setViewedRole(undefined))
