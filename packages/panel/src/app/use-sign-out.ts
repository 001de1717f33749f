/** Signs the user out. The session ends in the browser before the server has answered. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { signOut } from '../api/session.ts'
import { useT } from '../lib/i18n.ts'
import { isSignOutDelayed } from '../lib/session-end.ts'
import { showToast } from '../ui/feedback/toast.ts'

export function useSignOut(): () => void {
  const t = useT()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const signOutMutation = useMutation({
    meta: { inPlace: true },
    mutationFn: async () => {
      // The session ends before the page changes, which may take long on a slow connection.
      const signingOut = signOut()
      await navigate({ to: '/user/login', replace: true })
      // The cache is cleared last, because mounted screens would repeat their calls without a token.
      queryClient.clear()
      showToast({ kind: 'success', title: t('message.signedOut') })
      await signingOut
    },
  })
  return () => {
    const signOutNow = () => signOutMutation.mutate()
    if (!isSignOutDelayed(signOutNow)) signOutNow()
  }
}
