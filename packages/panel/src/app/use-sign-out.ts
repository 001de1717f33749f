/** The way out: the session is forgotten at once, on the server as soon as it can be reached. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { signOut } from '../api/session.ts'
import { useT } from '../lib/i18n.ts'
import { holdsSignOut } from '../lib/session-end.ts'
import { showToast } from '../ui/toast.ts'

export function useSignOut(): () => void {
  const t = useT()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const leave = useMutation({
    mutationFn: signOut,
    meta: { inPlace: true },
    onMutate: async () => {
      // `signOut` forgets the token before its call, so the guard lets this pass at once.
      await Promise.resolve()
      await navigate({ to: '/user/login', replace: true })
      // Only now: screens still drawn would ask again without a token.
      queryClient.clear()
      showToast({ kind: 'success', title: t('message.signedOut') })
    },
  })
  return () => {
    const go = () => leave.mutate()
    if (!holdsSignOut(go)) go()
  }
}
