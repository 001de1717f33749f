/** The reason why nothing can be saved now, and the role that the panel is viewed as. */
import { useSyncExternalStore } from 'react'
import { useT } from '../lib/i18n.ts'
import { useOnline } from '../lib/hooks/use-online.ts'
import { subscribeToViewing, type ViewedRole, viewedRole } from './viewing.ts'

export function useViewedRole(): ViewedRole | undefined {
  return useSyncExternalStore(subscribeToViewing, viewedRole)
}

/** The name of a role, or of the consultant among the registered users. */
export const roleLabel = (role: ViewedRole) =>
  role === 'consultant' ? 'role.consultant' : (`roles.values.type.${role}` as const)

/** The one reason for all save buttons: there is no connection, or the panel is viewed as another role. */
export function useObstacle(): string | undefined {
  const t = useT()
  const online = useOnline()
  const viewedRoleType = useViewedRole()
  if (viewedRoleType) return t('app.viewingShort', { role: t(roleLabel(viewedRoleType)) })
  return online ? undefined : t('app.offline')
}
