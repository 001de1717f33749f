/** Roles that the user may grant, as records to choose from. */
import { type Entry, type Resource, resources } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { resourceQueries } from '../../api/resource-queries.ts'
import { meQuery } from '../../api/session.ts'
import { grantableRoles } from './grantable.ts'

type LeastRole = 'admin' | 'authenticated'

/** Lowest role of the accounts on the screen: for staff it is administrator. */
export const leastRoleOf = ({ name }: Resource): LeastRole => (name === 'staff' ? 'admin' : 'authenticated')

export function useGrantable(leastRole: LeastRole): Entry[] {
  const { data: me } = useQuery(meQuery)
  const { data } = useQuery(
    resourceQueries(resources.roles).list({
      fields: ['name', 'type'],
      sort: 'id:asc',
      pagination: { pageSize: 100, withCount: false },
    }),
  )
  const allowedRoles: readonly unknown[] = grantableRoles(me?.role?.type ?? 'public', leastRole)
  return (data?.entries ?? []).filter((role) => allowedRoles.includes(role.type))
}
