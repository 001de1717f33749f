/** The open sessions of the account with their devices; the user can end one, or all others. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import LogOut from 'lucide-react/icons/log-out'
import { useRef, useState } from 'react'
import { callRoute } from '../../api/route.ts'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { useT } from '../../lib/i18n.ts'
import { SessionList } from '../sessions/session-list.tsx'
import { ownSessions } from '../sessions/sessions.ts'
import { LoadedPart, Part } from '../../resource/part.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx'
import { showToast } from '../../ui/feedback/toast.ts'

export function SessionsPart() {
  const t = useT()
  const cache = useQueryClient()
  const query = useQuery(ownSessions)
  const [isDialogOpen, setDialogOpen] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const otherCount = (query.data ?? []).filter(({ current }) => current !== true).length
  const refreshSessions = () => cache.invalidateQueries({ queryKey: ownSessions.queryKey })
  const end = useMutation({
    meta: { inPlace: true, missed: t('message.notDone', { what: t('account.sessions.endOthers') }) },
    mutationFn: () => callRoute('POST /api/auth/sessions/end-others', {}),
    onSuccess: async ({ ended }) => {
      showToast({ kind: 'success', title: t('account.sessions.ended', { count: ended }) })
      await refreshSessions()
      setDialogOpen(false)
    },
  })
  return (
    <Part title={t('account.sessions')} total={query.data?.length}>
      <p className="mb-4 max-w-[60ch] text-muted">{t('account.sessions.text')}</p>
      <LoadedPart query={query}>
        {(sessions) => (
          <div className="grid justify-items-start gap-4">
            <div ref={list} className="w-full">
              <SessionList
                sessions={sessions}
                onEnd={async ({ id }) => {
                  await callRoute('DELETE /api/auth/sessions/:id', { params: { id } })
                  await refreshSessions()
                }}
              />
            </div>
            {otherCount > 0 ? (
              <Button icon={<LogOut size={16} aria-hidden />} onClick={() => setDialogOpen(true)}>
                {t('account.sessions.endOthers')}
              </Button>
            ) : null}
          </div>
        )}
      </LoadedPart>
      <ConfirmDialog
        open={isDialogOpen}
        onOpenChange={(isOpen) => {
          if (isOpen) return
          end.reset()
          setDialogOpen(false)
        }}
        title={t('account.sessions.endOthersTitle')}
        description={t('people.endSessions.own')}
        confirmLabel={t('account.sessions.endOthers')}
        isBusy={end.isPending}
        failure={end.error ? messageOfFailure(end.error) : undefined}
        onClosed={() => {
          // The focused button has disappeared with the ended sessions.
          if (otherCount === 0) list.current?.querySelector('ul')?.focus()
        }}
        onConfirm={() => end.mutate()}
      />
    </Part>
  )
}
