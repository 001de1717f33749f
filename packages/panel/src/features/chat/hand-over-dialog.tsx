/** Handing a room over: to whom, with what he should know; when somebody was quicker, to go on from there. */
import { resources } from '@dala/model'
import { useState } from 'react'
import { wordsOfFailure } from '../../api/error-toasts.ts'
import { useObstacle } from '../../api/use-obstacle.ts'
import { labelOf } from '../../fields/field-display.tsx'
import { useT } from '../../lib/i18n.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Combobox, type ComboOption } from '../../ui/combobox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailureLine, Field } from '../../ui/field.tsx'
import { Textarea } from '../../ui/input.tsx'
import { showToast } from '../../ui/toast.ts'
import type { OpenRoom } from './chat-data.ts'
import { isStaff } from './desk-search.ts'
import type { Reader } from './reader.ts'
import { useTakers } from './takers.ts'
import { useAssign } from './use-assign.ts'

export interface HandOverDialogProps {
  room: OpenRoom
  reader: Reader
  owner: number | null
  open: boolean
  onClose: () => void
}

export function HandOverDialog({ room, reader, owner, open, onClose }: HandOverDialogProps) {
  const t = useT()
  const obstacle = useObstacle()
  const { assign, failure, takenBy } = useAssign(room.id)
  const takers = useTakers([owner ?? undefined, room.sender.id], open)
  const [colleague, setColleague] = useState<ComboOption | null>(null)
  const [note, setNote] = useState('')
  const [tried, setTried] = useState(false)
  const to = typeof colleague?.value === 'number' ? colleague.value : undefined
  const submit = (from: number | null) => {
    setTried(true)
    if (to === undefined || note.trim() === '' || assign.isPending) return
    const done = () => {
      showToast({ kind: 'success', title: t('chat.handedOver', { name: colleague?.label ?? '' }) })
      onClose()
    }
    assign.mutate({ to, from, note: note.trim() }, { onSuccess: done })
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={t('chat.handOverTitle')}
      description={t('chat.handOverText')}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button kind="primary" busy={assign.isPending} disabled={obstacle ?? false} onClick={() => submit(owner)}>
            {t('chat.handOver')}
          </Button>
        </>
      }
    >
      <div className="grid gap-[18px]">
        <Field
          label={labelOf(resources.consultations, 'consultant')}
          required
          error={tried && to === undefined ? t('validation.consultant') : undefined}
        >
          <Combobox value={colleague} onValueChange={setColleague} {...takers.list} />
        </Field>
        <FailureLine>{takers.error ? wordsOfFailure(takers.error) : undefined}</FailureLine>
        <Field
          label={t('chat.handOverNote')}
          required
          error={tried && note.trim() === '' ? t('validation.reason') : undefined}
        >
          <Textarea rows={3} maxLength={1000} value={note} onChange={(event) => setNote(event.target.value)} />
        </Field>
        <FailureLine>{failure}</FailureLine>
        {/* Staff may take it from whoever was quicker; others have lost it. */}
        {takenBy !== undefined && isStaff(reader) ? (
          <LinkButton className="justify-self-start" onClick={() => submit(takenBy)}>
            {t('chat.handOverAnyway')}
          </LinkButton>
        ) : null}
      </div>
    </Dialog>
  )
}
