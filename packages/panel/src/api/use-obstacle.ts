/** Why nothing can be saved now, and as which role the panel is seen. */
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

/** The one reason for all that saves: there is no connection, or the panel is only looked at. */
export function useObstacle(): string | undefined {
  const t = useT()
  const online = useOnline()
  const viewed = useViewedRole()
  if (viewed) return t('app.viewingShort', { role: t(roleLabel(viewed)) })
  return online ? undefined : t('app.offline')
}
