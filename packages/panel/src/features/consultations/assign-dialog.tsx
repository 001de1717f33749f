/**
 * The dialog in which staff assign one or several questions to a consultant, or return them to the queue. A
 * hand-over needs a note for the colleague; taking a question oneself does not.
 */
import { type Entry, resources } from '@dala/model'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { callRoute } from '../../api/route.ts'
import { meQuery } from '../../api/session.ts'
import { useObstacle } from '../../api/use-obstacle.ts'
import { labelOf, useTitleOf } from '../../fields/field-display.tsx'
import { RelatedInput } from '../../fields/relation/related-input.tsx'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { FailureLine, Field } from '../../ui/inputs/field.tsx'
import { Textarea } from '../../ui/inputs/input.tsx'
import { isRecord } from './consultation-permissions.ts'

const { consultations } = resources

interface Question {
  record: Entry
  /** Consultant known to the user; undefined where the list does not show consultants. */
  from: number | null | undefined
}

interface AssignRefusal {
  record: Entry
  error: unknown
}

const ownerOf = ({ consultant }: Entry): number | null | undefined =>
  isRecord(consultant) ? consultant.id : consultant === null ? null : undefined

/** Assigns questions one after another; a refused one does not stop the others. */
async function assignQuestions(questions: readonly Question[], data: { to: number | null; note?: string }) {
  const refusals: AssignRefusal[] = []
  for (const { record, from } of questions) {
    try {
      const body = { data: { ...data, ...(from !== undefined && { from }) } }
      await callRoute('POST /api/consultations/:id/assign', { params: { id: record.id }, body })
    } catch (error) {
      refusals.push({ record, error })
    }
  }
  return refusals
}

export interface AssignDialogProps {
  records: readonly Entry[]
  open: boolean
  /** Called with whether questions were assigned. */
  onClose: (isDone: boolean) => void
}

export function AssignDialog({ records, open, onClose }: AssignDialogProps) {
  const t = useT()
  const cache = useQueryClient()
  const obstacle = useObstacle()
  const { data: me } = useQuery(meQuery)
  const [firstRecord] = records
  const isSingle = records.length === 1
  const [consultant, setConsultant] = useState<unknown>(isSingle ? firstRecord?.consultant : null)
  const [note, setNote] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  // The dialog sends the consultants at the time it opened, so that a reassignment in between becomes a
  // visible conflict.
  const [questions, setQuestions] = useState<readonly Question[]>(() =>
    records.map((record) => ({ record, from: ownerOf(record) })),
  )
  const consultantId = isRecord(consultant) ? consultant.id : null
  const isMissing = note.trim() === '' && (consultantId === null || consultantId !== me?.id)
  const assignMutation = useMutation({
    meta: { inPlace: true },
    mutationFn: () => assignQuestions(questions, { to: consultantId, ...(note.trim() && { note: note.trim() }) }),
    onSuccess: (refusals) => {
      const count = questions.length - refusals.length
      if (count > 0) {
        const title = isSingle ? t('consultation.assigned') : t('consultation.assignedCount', { count })
        showToast({ kind: 'success', title })
      }
      if (refusals.length === 0) return onClose(true)
      // Only the refused questions are sent again.
      setQuestions(questions.filter(({ record }) => refusals.some((refusal) => refusal.record.id === record.id)))
    },
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource'] }),
  })
  const submitAssignment = () => {
    setSubmitted(true)
    if (!isMissing && !assignMutation.isPending) assignMutation.mutate()
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose(assignMutation.isSuccess)}
      title={isSingle ? t('consultation.assignTitle') : t('consultation.assignCount', { count: records.length })}
      description={t('consultation.assignText')}
      actions={
        <>
          <Button onClick={() => onClose(assignMutation.isSuccess)}>{t('action.cancel')}</Button>
          <Button
            kind="primary"
            isBusy={assignMutation.isPending}
            disabled={obstacle ?? false}
            onClick={submitAssignment}
          >
            {t('action.assign')}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <Field label={labelOf(consultations, 'consultant')}>
          <RelatedInput
            field={consultations.fields.consultant}
            value={consultant}
            onChange={setConsultant}
            filters={{ is_consultant: true }}
          />
        </Field>
        <Field
          label={t('chat.handOverNote')}
          required={consultantId === null || consultantId !== me?.id}
          error={isSubmitted && isMissing ? t('validation.reason') : undefined}
        >
          <Textarea rows={3} maxLength={1000} value={note} onChange={(event) => setNote(event.target.value)} />
        </Field>
        {assignMutation.data ? <Refusals refusals={assignMutation.data} isSingle={isSingle} /> : null}
      </div>
    </Dialog>
  )
}

/** Reasons why questions were not assigned, each with its question where there are several. */
function Refusals({ refusals, isSingle }: { refusals: readonly AssignRefusal[]; isSingle: boolean }) {
  const titleOf = useTitleOf(consultations)
  if (isSingle) return <FailureLine>{refusals[0] && messageOfFailure(refusals[0].error)}</FailureLine>
  if (refusals.length === 0) return null
  return (
    <ul role="alert" className="grid gap-1.5 text-sm text-danger-text">
      {refusals.map(({ record, error }) => (
        <li key={record.id}>
          <b className="line-clamp-1 font-semibold">{titleOf(record)}</b>
          {messageOfFailure(error)}
        </li>
      ))}
    </ul>
  )
}
