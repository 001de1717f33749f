/** Drops all read data and reads what is on screen again, because another role gets other answers. */
import type { Query, QueryClient } from '@tanstack/react-query'
import { nextPaint } from '../lib/painted.ts'
import { meQuery } from './session.ts'
import { setViewedRole, type ViewedRole } from './viewing.ts'

const isOtherQuery = ({ queryKey: [firstKey] }: Query) => firstKey !== meQuery.queryKey[0]

/** Views the panel as another role, or as oneself again; pending answers are discarded. */
export async function viewAs(cache: QueryClient, newRole: ViewedRole | undefined): Promise<void> {
  setViewedRole(newRole)
  await cache.cancelQueries()
  // The user is read first, because former requests of lists and forms may be refused now.
  await cache.query({ ...meQuery, staleTime: 0 }).catch(() => cache.resetQueries({ queryKey: meQuery.queryKey }))
  await nextPaint()
  cache.removeQueries({ type: 'inactive', predicate: isOtherQuery })
  await cache.resetQueries({ predicate: isOtherQuery })
}
