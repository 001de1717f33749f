/** The way out: the browser forgets the session at once, and the server is told. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { signOut } from '../api/session.ts'
import { useT } from '../lib/i18n.ts'
import { holdsSignOut } from '../lib/session-end.ts'
import { showToast } from '../ui/feedback/toast.ts'

export function useSignOut(): () => void {
  const t = useT()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const leave = useMutation({
    meta: { inPlace: true },
    mutationFn: async () => {
      // Before the page changes: over a slow link the sign-in page takes its time, and nobody may go on meanwhile.
      const ended = signOut()
      await navigate({ to: '/user/login', replace: true })
      // Only now: screens still drawn would ask again without a token.
      queryClient.clear()
      showToast({ kind: 'success', title: t('message.signedOut') })
      await ended
    },
  })
  return () => {
    const go = () => leave.mutate()
    if (!holdsSignOut(go)) go()
  }
}
