/** Who answers in a room; taking it, and handing it over with a note. */
import { nameOfCard } from '../../api/error-toasts.ts'
import { resources } from '@dala/model'
import { useState } from 'react'
import { RelatedInput } from '../../fields/related-input.tsx'
import { labelOf } from '../../fields/field-display.tsx'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailureLine, Field } from '../../ui/field.tsx'
import { Textarea } from '../../ui/input.tsx'
import { showToast } from '../../ui/toast.ts'
import type { OpenRoom } from './chat-data.ts'
import type { Reader } from './reader.ts'
import { isStaff } from './desk-search.ts'
import type { Standing } from './standing.ts'
import { useAssign } from './use-assign.ts'

const { chatrooms } = resources

export interface RoomAssignmentProps {
  room: OpenRoom
  reader: Reader
  standing: Standing
}

export function RoomAssignment({ room, reader, standing: { owner, mayHandOver, side } }: RoomAssignmentProps) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const words = owner ? (side === 'owner' ? t('chat.you') : nameOfCard(owner)) : t('consultation.unassigned')
  return (
    <section className="grid gap-2 text-sm">
      <h3 className="text-xs text-muted">{labelOf(chatrooms, 'assignee')}</h3>
      <p>
        <bdi>{words}</bdi>
      </p>
      {mayHandOver ? (
        <Button className="justify-self-start" onClick={() => setOpen(true)}>
          {t('chat.handOver')}
        </Button>
      ) : null}
      <HandOver
        key={String(open)}
        room={room}
        reader={reader}
        owner={owner?.id ?? null}
        open={open}
        onClose={() => setOpen(false)}
      />
    </section>
  )
}

interface HandOverProps {
  room: OpenRoom
  reader: Reader
  owner: number | null
  open: boolean
  onClose: () => void
}

const idOf = (value: unknown): number | undefined =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number' ? value.id : undefined

function HandOver({ room, reader, owner, open, onClose }: HandOverProps) {
  const t = useT()
  const { assign, failure } = useAssign(room.id)
  const [colleague, setColleague] = useState<unknown>(null)
  const [note, setNote] = useState('')
  const [tried, setTried] = useState(false)
  const to = idOf(colleague)
  const submit = () => {
    setTried(true)
    if (to === undefined || note.trim() === '') return
    assign.mutate(
      { to, from: owner, note: note.trim() },
      {
        onSuccess: () => {
          showToast({ kind: 'success', title: t('message.updated', { resource: t('chatrooms.one') }) })
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={t('chat.handOverTitle')}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button kind="primary" busy={assign.isPending} onClick={submit}>
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
          <RelatedInput
            field={chatrooms.fields.assignee}
            value={colleague}
            onChange={setColleague}
            // Others see consultants only, and may not ask by this.
            {...(isStaff(reader) && { filters: { is_consultant: true } })}
          />
        </Field>
        <Field
          label={t('chat.handOverNote')}
          required
          error={tried && note.trim() === '' ? t('validation.reason') : undefined}
        >
          <Textarea rows={3} maxLength={1000} value={note} onChange={(event) => setNote(event.target.value)} />
        </Field>
        <FailureLine>{failure}</FailureLine>
      </div>
    </Dialog>
  )
}
