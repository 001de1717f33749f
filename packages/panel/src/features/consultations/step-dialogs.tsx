/** The dialogs for the steps of a consultation: finish and reopen with a reason, and assign. */
import { type Entry, resources } from '@dala/model'
import { useState } from 'react'
import { labelOf } from '../../fields/field-display.tsx'
import { RelatedInput } from '../../fields/relation/related-input.tsx'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { FailureLine, Field } from '../../ui/inputs/field.tsx'
import { Textarea } from '../../ui/inputs/input.tsx'
import { isBlank, isRecord } from './consultation-permissions.ts'
import { useStep } from './use-step.ts'

const { consultations } = resources

export interface StepDialogProps {
  record: Entry
  open: boolean
  onClose: () => void
}

/** Finishing a consultation needs a reason if there is no answer; reopening one always does. */
export function ReasonDialog({ record, name, open, onClose }: StepDialogProps & { name: 'finish' | 'reopen' }) {
  const t = useT()
  const { step, failure } = useStep(record, name)
  const [reason, setReason] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const isFinish = name === 'finish'
  const isNeeded = !isFinish || isBlank(record.answer)
  const isMissing = isNeeded && reason.trim() === ''
  const submit = () => {
    setSubmitted(true)
    if (isMissing) return
    step.mutate(reason.trim() ? { reason: reason.trim() } : {}, { onSuccess: onClose })
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={t(isFinish ? 'consultation.finishTitle' : 'consultation.reopenTitle')}
      description={isFinish && isNeeded ? t('consultation.finishText') : undefined}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button kind="primary" busy={step.isPending} onClick={submit}>
            {t(isFinish ? 'action.finish' : 'action.reopen')}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <Field
          label={t('consultation.reason')}
          required={isNeeded}
          error={isSubmitted && isMissing ? t('validation.reason') : undefined}
        >
          <Textarea
            rows={3}
            maxLength={isFinish ? 255 : 1000}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
        <FailureLine>{failure}</FailureLine>
      </div>
    </Dialog>
  )
}

/** Staff assign a question to a consultant, or remove the assignment. */
export function AssignDialog({ record, open, onClose }: StepDialogProps) {
  const t = useT()
  const { step, failure } = useStep(record, 'assign')
  const [consultant, setConsultant] = useState<unknown>(record.consultant)
  // The dialog sends the consultant at the time it opened, so that a reassignment in between becomes a
  // visible conflict.
  const [from] = useState(isRecord(record.consultant) ? record.consultant.id : null)
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={t('consultation.assignTitle')}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button
            kind="primary"
            busy={step.isPending}
            onClick={() =>
              step.mutate({ to: isRecord(consultant) ? consultant.id : null, from }, { onSuccess: onClose })
            }
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
        <FailureLine>{failure}</FailureLine>
      </div>
    </Dialog>
  )
}
