/** Dialogs: a plain one, a question with two answers, and the question before a deletion. */
import { type ReactNode, useRef } from 'react'
import { useT } from '../../lib/i18n.ts'
import { AwaitedPart } from '../awaited.tsx'
import { Button } from '../button.tsx'
import { FieldError } from '../inputs/field.tsx'
import type { DialogProps } from './dialog-frame.tsx'
import { useWasEverTrue } from '../use-ever.ts'
import type { DisabledReason } from '../disabled-reason.tsx'
import { lazyPart } from '../lazy-part.ts'

/** Preloads the code of a dialog, while there is a connection. */
export const loadDialog = () => import('./dialog-frame.tsx')
const DialogFrame = lazyPart(async () => (await loadDialog()).DialogFrame)

/** Dialog whose code is loaded when it first opens. */
export function Dialog(props: DialogProps) {
  const wasOpened = useWasEverTrue(props.open)
  if (!wasOpened) return null
  return (
    <AwaitedPart onGiveUp={() => props.onOpenChange(false)}>
      <DialogFrame {...props} />
    </AwaitedPart>
  )
}

export interface ConfirmDialogProps {
  open: boolean
  onOpenChange: (isOpen: boolean) => void
  title: string
  description?: ReactNode
  confirmLabel: string
  cancelLabel?: string
  isDangerous?: boolean
  isBusy?: boolean
  /** Reason why the user cannot confirm the action of the dialog now. */
  disabled?: DisabledReason
  /** Reason why the last attempt of the confirmed action failed. */
  failure?: string | undefined
  onConfirm: () => void
  /** Third button of the dialog, between the confirming and the cancelling one. */
  extraAction?: { label: string; onChoose: () => void } | undefined
  /** Called when the dialog is closed and no longer visible. */
  onClosed?: () => void
  finalFocus?: DialogProps['finalFocus']
  children?: ReactNode
}

/** Question in a dialog; the safe answer has the initial focus. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  cancelLabel,
  isDangerous: danger = false,
  isBusy: isPending = false,
  disabled,
  failure,
  onConfirm,
  extraAction,
  onClosed,
  finalFocus,
  children,
}: ConfirmDialogProps) {
  const t = useT()
  const cancelButton = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={description}
      initialFocus={cancelButton}
      {...(onClosed && { onClosed })}
      {...(finalFocus && { finalFocus })}
      actions={
        <>
          <Button ref={cancelButton} onClick={() => onOpenChange(false)}>
            {cancelLabel ?? t('action.cancel')}
          </Button>
          {extraAction ? (
            <Button kind={danger ? 'primary' : 'plain'} onClick={extraAction.onChoose}>
              {extraAction.label}
            </Button>
          ) : null}
          <Button kind={danger ? 'danger' : 'primary'} isBusy={isPending} disabled={disabled} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {children}
      {failure ? (
        <div role="alert">
          <FieldError>{failure}</FieldError>
        </div>
      ) : null}
    </Dialog>
  )
}

export interface DeleteDialogProps {
  open: boolean
  onOpenChange: (isOpen: boolean) => void
  /** Name of the record to delete, or the number of records. */
  target: ReactNode
  isBusy?: boolean
  disabled?: DisabledReason
  /** Reason why the last attempt to delete failed. */
  failure?: string | undefined
  onConfirm: () => void
  finalFocus?: DialogProps['finalFocus']
  children?: ReactNode
}

/** Dialog "Do you want to delete this?" (requirements §2). */
export function DeleteDialog({ target, ...dialogProps }: DeleteDialogProps) {
  const t = useT()
  return (
    <ConfirmDialog
      {...dialogProps}
      title={t('dialog.delete.title')}
      description={target}
      confirmLabel={t('action.delete')}
      isDangerous
    />
  )
}
