/** To whom the chosen rooms go, with a note for him. */
import { resources } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { wordsOfFailure } from '../../../api/error-toasts.ts'
import { useObstacle } from '../../../api/use-obstacle.ts'
import { labelOf } from '../../../fields/field-display.tsx'
import { useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Combobox, type ComboOption } from '../../../ui/combobox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FailureLine, Field } from '../../../ui/field.tsx'
import { Textarea } from '../../../ui/input.tsx'
import type { Room } from '../chat-data.ts'
import { useTakers } from '../takers.ts'
import { type Moved, reassign } from './board-data.ts'

export interface ReassignDialogProps {
  rooms: readonly Room[]
  owner: number | null
  open: boolean
  onClose: () => void
  onDone: (moved: readonly Moved[]) => void
}

export function ReassignDialog({ rooms, owner, open, onClose, onDone }: ReassignDialogProps) {
  const t = useT()
  const cache = useQueryClient()
  const obstacle = useObstacle()
  const takers = useTakers([owner ?? undefined], open)
  const [colleague, setColleague] = useState<ComboOption | null>(null)
  const [note, setNote] = useState('')
  const [tried, setTried] = useState(false)
  const to = typeof colleague?.value === 'number' ? colleague.value : undefined
  const move = useMutation({
    meta: { inPlace: true },
    mutationFn: (taker: number) =>
      reassign(
        rooms.map(({ id }) => id),
        owner,
        taker,
        note.trim(),
      ),
    onSuccess: (moved) => {
      onDone(moved)
      onClose()
    },
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource', 'chatrooms'] }),
  })
  const submit = () => {
    setTried(true)
    if (to !== undefined && note.trim() !== '' && !move.isPending) move.mutate(to)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={t('chat.reassignCount', { count: rooms.length })}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button kind="primary" busy={move.isPending} disabled={obstacle ?? false} onClick={submit}>
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
        <Field
          label={t('chat.handOverNote')}
          required
          error={tried && note.trim() === '' ? t('validation.reason') : undefined}
        >
          <Textarea rows={3} maxLength={1000} value={note} onChange={(event) => setNote(event.target.value)} />
        </Field>
        <FailureLine>{takers.error ? wordsOfFailure(takers.error) : undefined}</FailureLine>
        <FailureLine>{move.error ? wordsOfFailure(move.error) : undefined}</FailureLine>
      </div>
    </Dialog>
  )
}
