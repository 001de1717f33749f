/** Blocks and unblocks an account, each with a reason; open work is handed over in the same step. */
import { type Entry, resources, validateField } from '@dala/model'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { callRoute } from '../../api/route.ts'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { useTitleOf } from '../../fields/field-display.tsx'
import { useT } from '../../lib/i18n.ts'
import { issueMessage } from '../../lib/issue-message.ts'
import { LoadedPart } from '../../resource/part.tsx'
import { Button } from '../../ui/button.tsx'
import { Combobox, type ComboOption } from '../../ui/inputs/combobox.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { FailureLine, Field } from '../../ui/inputs/field.tsx'
import { Textarea } from '../../ui/inputs/input.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import { openWorkQuery, queueValue, useTakers, useOpenWorkText } from './open-work.ts'

const labels = {
  block: {
    title: 'dialog.blockUser.title',
    text: 'people.block.text',
    confirm: 'action.block',
    done: 'people.blocked.done',
  },
  unblock: {
    title: 'people.unblock.title',
    text: 'people.unblock.text',
    confirm: 'action.unblock',
    done: 'people.unblocked.done',
  },
} as const

interface AccessDialogProps {
  kind: 'block' | 'unblock'
  record: Entry
  open: boolean
  onClose: () => void
  onDone?: () => void
}

export function AccessDialog({ kind: initialKind, record, open, onClose, onDone }: AccessDialogProps) {
  const t = useT()
  const cache = useQueryClient()
  const titleOf = useTitleOf(resources.users)
  const describeWork = useOpenWorkText()
  const reasonField = useRef<HTMLTextAreaElement>(null)
  const successorField = useRef<HTMLDivElement>(null)
  const [reason, setReason] = useState('')
  const [successor, setSuccessor] = useState<ComboOption | null>(null)
  const [isTried, setTried] = useState(false)
  // The closing dialog keeps the text for its action until it has closed, although the account's state has
  // changed.
  const [kind, setKind] = useState(initialKind)
  if (open && initialKind !== kind) setKind(initialKind)

  const openWorkOptions = openWorkQuery(record.id)
  const workQuery = useQuery({ ...openWorkOptions, enabled: open && kind === 'block' })
  const hasWork =
    kind === 'block' && workQuery.data !== undefined && workQuery.data.consultations + workQuery.data.rooms > 0
  const successors = useTakers(record.id, open && hasWork)
  const issue = validateField(resources.users, 'blocked_reason', reason, 'update')
  const reasonProblem = reason.trim() === '' ? t('validation.reason') : issue && issueMessage(issue.code, issue.params)

  const applyChange = useMutation({
    meta: { inPlace: true, missed: t('message.notDone', { what: `${t(labels[kind].confirm)}, ${titleOf(record)}` }) },
    mutationFn: () =>
      callRoute(`POST /api/users/:id/${kind}`, {
        params: { id: record.id },
        body: {
          reason: reason.trim(),
          ...(hasWork && successor && { handover: { to: successor.value === queueValue ? null : successor.value } }),
        },
      }),
    onSuccess: async () => {
      showToast({ kind: 'success', title: t(labels[kind].done) })
      await cache.invalidateQueries({ queryKey: ['resource'] })
      onDone?.()
    },
    onError: (error) => {
      // Open work was assigned to the user while the dialog was open, and has to be handed over too.
      if (error instanceof ApiError && error.code === 'user.open-work') void workQuery.refetch()
    },
  })
  const submitAccess = () => {
    setTried(true)
    if (reasonProblem !== undefined) return reasonField.current?.focus()
    if (hasWork && !successor) return successorField.current?.querySelector('input')?.focus()
    // Only the dialog that sent the request is closed: the user may have opened another one before the
    // response.
    applyChange.mutate(undefined, { onSuccess: onClose })
  }
  const text = labels[kind]
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onClosed={() => {
        applyChange.reset()
        setReason('')
        setSuccessor(null)
        setTried(false)
      }}
      title={t(text.title)}
      description={t(text.text, { name: titleOf(record) })}
      initialFocus={reasonField}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button kind={kind === 'block' ? 'danger' : 'primary'} isBusy={applyChange.isPending} onClick={submitAccess}>
            {t(text.confirm)}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <Field
          label={t('field.reason')}
          required
          help={t(kind === 'block' ? 'account.block.reasonHelp' : 'account.unblock.reasonHelp')}
          error={isTried ? reasonProblem : undefined}
        >
          <Textarea ref={reasonField} rows={3} value={reason} onChange={(event) => setReason(event.target.value)} />
        </Field>
        {kind === 'block' ? (
          <LoadedPart query={workQuery} rows={1}>
            {(openWork) =>
              openWork.consultations + openWork.rooms === 0 ? null : (
                <div ref={successorField} className="grid gap-3 border-t border-line pt-4">
                  <p>{t('account.block.work', { work: describeWork(openWork) })}</p>
                  <Field
                    label={t('account.block.to')}
                    required
                    error={isTried && !successor ? t('account.block.chooseTaker') : undefined}
                  >
                    <Combobox
                      value={successor}
                      onValueChange={setSuccessor}
                      options={successors.options}
                      loading={successors.loading}
                      onSearch={successors.onSearch}
                    />
                  </Field>
                </div>
              )
            }
          </LoadedPart>
        ) : null}
        <FailureLine>{applyChange.error ? messageOfFailure(applyChange.error) : undefined}</FailureLine>
      </div>
    </Dialog>
  )
}
