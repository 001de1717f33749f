/** As which role this tab shows the panel (header `X-View-As`): kept for the tab, so that a reload does not end it. */
import { type Asker, rankOf, type RoleType, rolesBelow } from '@dala/model'
import { atSessionEnd } from '../lib/session-end.ts'

/** Roles, and the consultant: a registered user who is one (contract §14). */
export const viewedRoles = ['authenticated', 'consultant', 'admin', 'super-admin'] as const
export type ViewedRole = (typeof viewedRoles)[number]

/** In the storage of the tab: what is opened in another one is not viewed. */
const key = 'view-as'
const listeners = new Set<() => void>()

const isViewedRole = (value: unknown): value is ViewedRole => viewedRoles.some((role) => role === value)

/** The role as the access table knows it. */
export function askerAs(viewed: ViewedRole): Asker {
  return viewed === 'consultant' ? { role: 'authenticated', isConsultant: true } : { role: viewed, isConsultant: false }
}

/** Whom somebody may look as: those who work above registered users, as every role below their own. */
export function mayViewAs(own: RoleType, viewed: ViewedRole): boolean {
  return rankOf(own) >= rankOf('admin') && rolesBelow(own).includes(askerAs(viewed).role)
}

/** The role this tab is looked at as; a storage that is refused holds none. */
export function viewedRole(): ViewedRole | undefined {
  try {
    const kept = sessionStorage.getItem(key)
    return isViewedRole(kept) ? kept : undefined
  } catch {
    return undefined
  }
}

/** Begins with a role, or ends. What was read before is of another role: `renewAll` forgets it. */
export function setViewedRole(viewed: ViewedRole | undefined): void {
  try {
    if (viewed) sessionStorage.setItem(key, viewed)
    else sessionStorage.removeItem(key)
  } catch {
    // Without a storage nothing is viewed.
  }
  for (const listener of listeners) listener()
}

export function subscribeToViewing(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

atSessionEnd(() => setViewedRole(undefined))
