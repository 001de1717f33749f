/** The dialogs that finish and reopen a consultation, or end its wait, with a reason. */
import type { Entry, MessageId } from '@dala/model'
import { useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { FailureLine, Field } from '../../ui/inputs/field.tsx'
import { Textarea } from '../../ui/inputs/input.tsx'
import { isBlank } from './consultation-permissions.ts'
import { useStep } from './use-step.ts'

interface StepDialogProps {
  record: Entry
  open: boolean
  onClose: () => void
}

export type ReasonedStep = 'finish' | 'reopen' | 'noReply'

const texts = {
  finish: { title: 'consultation.finishTitle', confirm: 'action.finish' },
  reopen: { title: 'consultation.reopenTitle', confirm: 'action.reopen' },
  noReply: { title: 'chat.noReply', confirm: 'chat.noReply' },
} as const satisfies Record<ReasonedStep, Record<string, MessageId>>

/**
 * Finishing a consultation needs a reason if there is no answer, reopening one always does, and the end of a
 * wait never.
 */
export function ReasonDialog({ record, name, open, onClose }: StepDialogProps & { name: ReasonedStep }) {
  const t = useT()
  const { step, failure } = useStep(record, name)
  const [reason, setReason] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const isFinish = name === 'finish'
  const isNeeded = name === 'reopen' || (isFinish && isBlank(record.answer))
  const isMissing = isNeeded && reason.trim() === ''
  const submitStep = () => {
    setSubmitted(true)
    if (isMissing) return
    step.mutate(reason.trim() ? { reason: reason.trim() } : {}, { onSuccess: onClose })
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t(texts[name].title)}
      description={
        name === 'noReply'
          ? t('consultation.noReplyText')
          : isFinish && isNeeded
            ? t('consultation.finishText')
            : undefined
      }
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button kind="primary" isBusy={step.isPending} onClick={submitStep}>
            {t(texts[name].confirm)}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <Field
          label={t(isNeeded ? 'consultation.reason' : 'chat.reasonIfAny')}
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
