/** The sessions of a person, which can be ended one by one or all together. */
import { type Entry, resources } from '@dala/model'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { callRoute } from '../../api/route.ts'
import { useTitleOf } from '../../fields/field-display.tsx'
import { useT } from '../../lib/i18n.ts'
import { SessionList } from '../../account/sessions/session-list.tsx'
import { sessionsOf } from '../../account/sessions/sessions.ts'
import { LoadedPart } from '../../resource/part.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'

interface SessionsDialogProps {
  record: Entry
  open: boolean
  onClose: () => void
  /** Asks for confirmation to end all sessions of the person. */
  onEndAll: () => void
}

export function SessionsDialog({ record, open, onClose, onEndAll }: SessionsDialogProps) {
  const t = useT()
  const cache = useQueryClient()
  const titleOf = useTitleOf(resources.users)
  const sessionsQuery = sessionsOf(record.id)
  const query = useQuery({ ...sessionsQuery, enabled: open })
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('account.sessions')}
      description={titleOf(record)}
      actions={
        <>
          <Button onClick={onClose}>{t('action.close')}</Button>
          {query.data && query.data.length > 0 ? (
            <Button kind="danger" onClick={onEndAll}>
              {t('account.sessions.endAll')}
            </Button>
          ) : null}
        </>
      }
    >
      <LoadedPart query={query}>
        {(sessions) =>
          sessions.length === 0 ? (
            <p className="text-muted">{t('account.sessions.none')}</p>
          ) : (
            <SessionList
              sessions={sessions}
              onEnd={async ({ id }) => {
                await callRoute('DELETE /api/users/:id/sessions/:session', {
                  params: { id: record.id, session: id },
                })
                await cache.invalidateQueries({ queryKey: sessionsQuery.queryKey })
              }}
            />
          )
        }
      </LoadedPart>
    </Dialog>
  )
}
