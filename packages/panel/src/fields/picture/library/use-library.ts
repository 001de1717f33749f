/** A page of the picture library: staff see all pictures, other users their own (contract §14). */
import { rankOfRole } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { callerRoleOf, meQuery } from '../../../api/session.ts'
import { libraryQuery } from './api.ts'
import type { LibraryView } from './view.ts'

/** The account whose pictures the library shows, or everybody's; undefined until the user is loaded. */
export function useLibraryOwner(): number | 'everybody' | undefined {
  const { data: me } = useQuery(meQuery)
  if (!me) return undefined
  return rankOfRole(callerRoleOf(me).role) >= rankOfRole('admin') ? 'everybody' : me.id
}

export function useLibrary(view: LibraryView) {
  const owner = useLibraryOwner()
  return useQuery({ ...libraryQuery(view, owner === 'everybody' ? undefined : owner), enabled: owner !== undefined })
}
