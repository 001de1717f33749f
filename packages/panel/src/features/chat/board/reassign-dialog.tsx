/** Asks who gets the selected rooms, with a note for the new owner. */
import type { ReassignedRoom } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { useObstacle } from '../../../api/use-obstacle.ts'
import { useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { FailureLine } from '../../../ui/inputs/field.tsx'
import type { Room } from '../chat-data.ts'
import { HandOverFields, useHandOver } from '../hand-over/fields.tsx'
import { sendReassignment } from './board-data.ts'

export interface ReassignDialogProps {
  rooms: readonly Room[]
  owner: number | null
  open: boolean
  onClose: () => void
  onDone: (reassignedRooms: readonly ReassignedRoom[]) => void
}

export function ReassignDialog({ rooms, owner, open, onClose, onDone }: ReassignDialogProps) {
  const t = useT()
  const cache = useQueryClient()
  const obstacle = useObstacle()
  const form = useHandOver([owner ?? undefined], open)
  const reassignRooms = useMutation({
    meta: { inPlace: true },
    mutationFn: ({ to, note }: { to: number; note: string }) =>
      sendReassignment(
        rooms.map(({ id }) => id),
        owner,
        to,
        note,
      ),
    onSuccess: (reassignedRooms) => {
      onDone(reassignedRooms)
      onClose()
    },
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource', 'chatrooms'] }),
  })
  const submitRooms = () => {
    const values = form.check()
    if (values && !reassignRooms.isPending) reassignRooms.mutate(values)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('chat.reassignCount', { count: rooms.length })}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button kind="primary" isBusy={reassignRooms.isPending} disabled={obstacle ?? false} onClick={submitRooms}>
            {t('chat.handOver')}
          </Button>
        </>
      }
    >
      <div className="grid gap-[18px]">
        <HandOverFields form={form} />
        <FailureLine>{reassignRooms.error ? messageOfFailure(reassignRooms.error) : undefined}</FailureLine>
      </div>
    </Dialog>
  )
}
