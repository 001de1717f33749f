/**
 * The dialogs of active two-step sign-in: new recovery codes, and turning it off. Both require password and
 * code.
 */
import type { TwoStepProof } from '@dala/model'
import { useLayoutEffect, useRef, useState } from 'react'
import type { CurrentUser } from '../../api/session.ts'
import { useT } from '../../lib/i18n.ts'
import { CredentialsForm } from '../credentials/credentials-form.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import { codeField, passwordField, refusedAt } from '../security/fields.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { renewCodes, turnOffTwoStep } from './two-step.ts'

interface ProofDialogProps {
  me: CurrentUser
  open: boolean
  onClose: () => void
  onDone: () => void
}

/**
 * The dialog focuses its first field itself; focusing it earlier would lose the button that the focus returns
 * to.
 */
function ProofForm({
  me,
  submitLabel,
  onSubmit,
  onClose,
}: {
  me: CurrentUser
  submitLabel: string
  onSubmit: (proof: TwoStepProof) => Promise<unknown>
  onClose: () => void
}) {
  const t = useT()
  return (
    <CredentialsForm
      isCompact
      inPlace
      username={me.username}
      fields={[passwordField, codeField(t, true)]}
      fieldByError={refusedAt}
      submitLabel={submitLabel}
      sideContent={<Button onClick={onClose}>{t('action.cancel')}</Button>}
      onSubmit={onSubmit}
    />
  )
}

export function TurnOffDialog({ me, open, onClose, onDone }: ProofDialogProps) {
  const t = useT()
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('account.twoStep.offTitle')}
      description={t('account.twoStep.offText')}
    >
      <ProofForm
        me={me}
        submitLabel={t('account.twoStep.turnOff')}
        onClose={onClose}
        onSubmit={async (proof) => {
          await turnOffTwoStep(proof)
          showToast({ kind: 'success', title: t('account.twoStep.turnedOff') })
          onDone()
        }}
      />
    </Dialog>
  )
}

export function NewCodesDialog({ me, open, onClose, onDone }: ProofDialogProps) {
  const t = useT()
  const [codes, setCodes] = useState<readonly string[]>([])
  const [isStored, setStored] = useState(false)
  const [isMaking, setMaking] = useState(false)
  const isShown = codes.length > 0
  const list = useRef<HTMLUListElement>(null)
  // The focused form was replaced by the recovery codes. A later effect would be too late: the dialog focuses itself
  // in the next frame when nothing in it has the focus.
  useLayoutEffect(() => {
    if (isShown) list.current?.focus()
  }, [isShown])
  const closeDialog = () => {
    // The old recovery codes are void or about to be, so a key pressed too early must not close the dialog
    // with the new ones.
    if (isShown ? isStored : !isMaking) onClose()
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && closeDialog()}
      onClosed={() => {
        setCodes([])
        setStored(false)
      }}
      title={t('account.recovery.renew')}
      description={t(isShown ? 'account.recovery.text' : 'account.recovery.renewText')}
      actions={
        isShown ? (
          <Button kind="primary" disabled={!isStored && t('account.recovery.missing')} onClick={closeDialog}>
            {t('action.ok')}
          </Button>
        ) : undefined
      }
    >
      {isShown ? (
        <RecoveryCodes codes={codes} isStored={isStored} onStored={setStored} list={list} />
      ) : (
        <ProofForm
          me={me}
          submitLabel={t('account.recovery.make')}
          onClose={closeDialog}
          onSubmit={async (proof) => {
            setMaking(true)
            try {
              setCodes((await renewCodes(proof)).recovery)
            } finally {
              setMaking(false)
            }
            onDone()
          }}
        />
      )}
    </Dialog>
  )
}
