/** Forgets what was read, and reads again what is on screen: another role is answered otherwise. */
import type { Query, QueryClient } from '@tanstack/react-query'
import { painted } from '../lib/painted.ts'
import { meQuery } from './session.ts'
import { setViewedRole, type ViewedRole } from './viewing.ts'

const isOther = ({ queryKey: [first] }: Query) => first !== meQuery.queryKey[0]

/** Looks at the panel as a role, or as oneself again; answers still on their way are not taken. */
export async function viewAs(cache: QueryClient, viewed: ViewedRole | undefined): Promise<void> {
  setViewedRole(viewed)
  await cache.cancelQueries()
  // Who reads comes first: lists and forms ask for what he may see, and would be refused what they asked for before.
  await cache.query({ ...meQuery, staleTime: 0 }).catch(() => cache.resetQueries({ queryKey: meQuery.queryKey }))
  await painted()
  cache.removeQueries({ type: 'inactive', predicate: isOther })
  await cache.resetQueries({ predicate: isOther })
}
