/** Dialog for the name of a saved report and the roles that it is shared with. */
import { maxSavedTitle, rankOfRole, reportSharedRoles, type ReportSharedRole, type SavedReport } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { callerRoleOf, meQuery } from '../../../api/session.ts'
import { useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureLine, Field } from '../../../ui/inputs/field.tsx'
import { Input } from '../../../ui/inputs/input.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import type { SavedNaming } from './saved-reports.ts'

interface SavedDialogProps {
  /** Saved report to change; a new one when absent. */
  saved: SavedReport | undefined
  isOpen: boolean
  saveMutation: { isPending: boolean; error: Error | null }
  onSave: (naming: SavedNaming, onSaved: () => void) => void
  onClose: () => void
}

export function SavedDialog({ saved, isOpen, saveMutation: running, onSave, onClose }: SavedDialogProps) {
  const t = useT()
  const { data: me } = useQuery(meQuery)
  const [title, setTitle] = useState(saved?.title ?? '')
  const [sharedWith, setSharedWith] = useState<ReportSharedRole | 'none'>(saved?.shared_with ?? 'none')
  const [isSubmitted, setSubmitted] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const isMissing = title.trim() === ''
  const roles = me ? reportSharedRoles.filter((role) => rankOfRole(role) <= rankOfRole(callerRoleOf(me).role)) : []
  const nameOf = (role: ReportSharedRole) =>
    role === 'authenticated'
      ? t('statistics.saved.consultants')
      : t('views.roleAndAbove', { role: t(`roles.values.type.${role}`) })
  const submitReport = () => {
    setSubmitted(true)
    if (isMissing) return input.current?.focus()
    if (running.isPending) return
    onSave({ title: title.trim(), shared_with: sharedWith === 'none' ? null : sharedWith }, onClose)
  }
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(next) => !next && onClose()}
      title={t(saved ? 'views.settings' : 'statistics.saved.save')}
      {...(saved ? {} : { description: t('statistics.saved.what') })}
      initialFocus={input}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button kind="primary" isBusy={running.isPending} onClick={submitReport}>
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
          submitReport()
        }}
      >
        <Field
          label={t('statistics.saved.name')}
          required
          error={isSubmitted && isMissing ? t('validation.name') : undefined}
        >
          <Input
            ref={input}
            value={title}
            maxLength={maxSavedTitle}
            onChange={(event) => setTitle(event.target.value)}
          />
        </Field>
        <Field label={t('views.sharedWith')} help={t('statistics.saved.sharedHelp')}>
          <Select<ReportSharedRole | 'none'>
            value={sharedWith}
            onValueChange={setSharedWith}
            choices={[
              { value: 'none', label: t('views.private') },
              ...roles.map((role) => ({ value: role, label: nameOf(role) })),
            ]}
          />
        </Field>
        <FailureLine>{running.error ? messageOfFailure(running.error) : undefined}</FailureLine>
      </form>
    </Dialog>
  )
}
