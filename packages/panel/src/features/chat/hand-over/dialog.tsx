/**
 * The dialog that hands a room over: to whom, with a note; after a conflict it continues with the current
 * owner.
 */
import { useState } from 'react'
import { useObstacle } from '../../../api/use-obstacle.ts'
import { useT } from '../../../lib/i18n.ts'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { FailureLine } from '../../../ui/inputs/field.tsx'
import { showToast } from '../../../ui/feedback/toast.ts'
import { isStaff } from '../desk-search.ts'
import { HandOverFields, useHandOver } from './fields.tsx'
import type { Reader } from '../reader.ts'
import { useAssign } from './use-assign.ts'

export interface HandOverDialogProps {
  /** Room to hand over; its customer is not offered as the new owner. */
  room: { id: number; sender: { id: number } }
  reader: Reader
  owner: number | null
  open: boolean
  onClose: () => void
}

export function HandOverDialog({ room, reader, owner, open, onClose }: HandOverDialogProps) {
  const t = useT()
  const obstacle = useObstacle()
  const { assign, failure, takenBy } = useAssign(room.id)
  // The dialog sends the owner at the time it opened, so that a reassignment in between becomes a visible
  // conflict.
  const [formerOwner] = useState(owner)
  const form = useHandOver([owner ?? undefined, room.sender.id], open)
  const submitOwner = (newOwner: number | null) => {
    const values = form.check()
    if (!values || assign.isPending) return
    const finishHandOver = () => {
      showToast({ kind: 'success', title: t('chat.handedOver', { name: form.taker?.label ?? '' }) })
      onClose()
    }
    assign.mutate({ ...values, from: newOwner }, { onSuccess: finishHandOver })
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('chat.handOverTitle')}
      description={t('chat.handOverText')}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button
            kind="primary"
            isBusy={assign.isPending}
            disabled={obstacle ?? false}
            onClick={() => submitOwner(formerOwner)}
          >
            {t('chat.handOver')}
          </Button>
        </>
      }
    >
      <div className="grid gap-[18px]">
        <HandOverFields form={form} />
        <FailureLine>{failure}</FailureLine>
        {/* Staff may take the room back from the new owner; for other users the room is lost. */}
        {takenBy !== undefined && isStaff(reader) ? (
          <LinkButton className="justify-self-start" onClick={() => submitOwner(takenBy)}>
            {t('chat.handOverAnyway')}
          </LinkButton>
        ) : null}
      </div>
    </Dialog>
  )
}
