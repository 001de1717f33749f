/** Navigates to the requested page after a sign-in. */
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { meQuery } from '../../api/session.ts'
import { suggestLanguage } from '../../lib/preferences.ts'
import { returnAddress } from './return-address.ts'

export function useEnter(): () => Promise<void> {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { from }: { from?: unknown } = useSearch({ strict: false })
  return async () => {
    queryClient.removeQueries({ queryKey: meQuery.queryKey })
    // The current user is requested early, because the first page needs it as soon as its code is loaded.
    queryClient
      .query(meQuery)
      .then(({ language, script }) => suggestLanguage(language, script))
      .catch(() => undefined)
    await navigate({ href: returnAddress(from), replace: true })
  }
}
