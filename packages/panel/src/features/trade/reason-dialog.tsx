/** Asks for the reason of a decision; what was typed stays when the decision is refused. */
import { labelOfCode, resources, type Step, validateField } from '@dala/model'
import { useRef, useState } from 'react'
import { labelOf } from '../../fields/field-display.tsx'
import { hasMessage, useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailureLine, Field } from '../../ui/field.tsx'
import { Textarea } from '../../ui/input.tsx'
import { wordsOfStep } from './post-steps.ts'

const { tradinposts } = resources

export interface ReasonDialogProps {
  /** The step that needs the reason; undefined closes the dialog. */
  step: Step | undefined
  busy: boolean
  failure: string | undefined
  onClose: () => void
  onConfirm: (given: { reason: string; public_note?: string }) => void
}

export function ReasonDialog({ step: asked, busy, failure, onClose, onConfirm }: ReasonDialogProps) {
  const t = useT()
  const [reason, setReason] = useState('')
  const [note, setNote] = useState('')
  const [problem, setProblem] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  // Its words stay while it closes.
  const [step, setStep] = useState(asked)
  if (asked && asked !== step) setStep(asked)
  const isRefusal = step?.to === 'rejected'

  const submit = () => {
    const issue = reason.trim() === '' ? undefined : validateField(tradinposts, 'reason', reason, 'update')
    const label = issue && labelOfCode(issue.code)
    const words =
      reason.trim() === ''
        ? t('validation.reason')
        : label !== undefined && hasMessage(label)
          ? t(label, issue?.params)
          : undefined
    setProblem(words)
    if (words !== undefined) return field.current?.focus()
    onConfirm({ reason: reason.trim(), ...(note.trim() !== '' && { public_note: note.trim() }) })
  }
  return (
    <Dialog
      open={asked !== undefined}
      onOpenChange={(open) => !open && onClose()}
      title={t(isRefusal ? 'dialog.rejectPost.title' : 'dialog.needsChanges.title')}
      initialFocus={field}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button kind={isRefusal ? 'danger' : 'primary'} busy={busy} onClick={submit}>
            {step ? wordsOfStep(step) : ''}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <Field
          label={t(isRefusal ? 'dialog.rejectPost.reason' : 'dialog.needsChanges.reason')}
          required
          error={problem}
        >
          <Textarea
            ref={field}
            rows={3}
            value={reason}
            onChange={(event) => {
              setReason(event.target.value)
              setProblem(undefined)
            }}
          />
        </Field>
        <Field label={labelOf(tradinposts, 'public_note')}>
          <Textarea rows={2} value={note} onChange={(event) => setNote(event.target.value)} />
        </Field>
        <FailureLine>{failure}</FailureLine>
      </div>
    </Dialog>
  )
}
