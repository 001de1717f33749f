/** A page of the library as the reader may work with it: staff have all pictures in hand, others their own (contract §14). */
import { rankOf } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { askerOf, meQuery } from '../../../api/session.ts'
import { libraryQuery } from './api.ts'
import type { LibraryView } from './view.ts'

/** Whose pictures are shown: one account's, or everybody's; undefined until it is known who reads. */
export function useLibraryOwner(): number | 'everybody' | undefined {
  const { data: me } = useQuery(meQuery)
  if (!me) return undefined
  return rankOf(askerOf(me).role) >= rankOf('admin') ? 'everybody' : me.id
}

export function useLibrary(view: LibraryView) {
  const owner = useLibraryOwner()
  return useQuery({ ...libraryQuery(view, owner === 'everybody' ? undefined : owner), enabled: owner !== undefined })
}
