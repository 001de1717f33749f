/** Dialog for the name of something that is saved, with further fields below the name. */
import { type ReactNode, useRef, useState } from 'react'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { FailureLine, Field } from '../../ui/inputs/field.tsx'
import { Input } from '../../ui/inputs/input.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'

interface NamingDialogProps {
  title: string
  description?: string | undefined
  /** Label of the name. */
  label: string
  /** The name before the change; empty for something new. */
  name: string
  maxLength: number
  /** Returns the reason why a name cannot be used, which is shown while it is typed. */
  refusalOf?: (name: string) => string | undefined
  isOpen: boolean
  saveMutation: { isPending: boolean; error: Error | null }
  onSave: (name: string) => void
  onClose: () => void
  /** Fields below the name. */
  children: ReactNode
}

export function NamingDialog({
  title,
  description,
  label,
  name: nameBefore,
  maxLength,
  refusalOf = () => undefined,
  isOpen,
  saveMutation,
  onSave,
  onClose,
  children,
}: NamingDialogProps) {
  const t = useT()
  const [name, setName] = useState(nameBefore)
  const [isSubmitted, setSubmitted] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const givenName = name.trim()
  const refusal = refusalOf(givenName)
  const submit = () => {
    setSubmitted(true)
    if (givenName === '' || refusal !== undefined) return input.current?.focus()
    if (!saveMutation.isPending) onSave(givenName)
  }
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(isOpening) => !isOpening && onClose()}
      title={title}
      {...(description === undefined ? {} : { description })}
      initialFocus={input}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button kind="primary" isBusy={saveMutation.isPending} onClick={submit}>
            {t('action.save')}
          </Button>
        </>
      }
    >
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Field label={label} required error={isSubmitted && givenName === '' ? t('validation.name') : refusal}>
          <Input ref={input} value={name} maxLength={maxLength} onChange={(event) => setName(event.target.value)} />
        </Field>
        {children}
        <FailureLine>{saveMutation.error ? messageOfFailure(saveMutation.error) : undefined}</FailureLine>
      </form>
    </Dialog>
  )
}
