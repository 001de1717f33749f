/** Dialog for the name of a saved report and the roles that it is shared with. */
import { maxSavedTitle, rankOfRole, reportSharedRoles, type ReportSharedRole, type SavedReport } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callerRoleOf, meQuery } from '../../../api/session.ts'
import { useT } from '../../../lib/i18n.ts'
import { NamingDialog } from '../../../resource/views/naming-dialog.tsx'
import { Field } from '../../../ui/inputs/field.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import type { SavedNaming } from './saved-reports.ts'

interface SavedDialogProps {
  /** Saved report to change; a new one when absent. */
  saved: SavedReport | undefined
  isOpen: boolean
  saveMutation: { isPending: boolean; error: Error | null }
  onSave: (naming: SavedNaming, onSaved: () => void) => void
  onClose: () => void
}

export function SavedDialog({ saved, isOpen, saveMutation, onSave, onClose }: SavedDialogProps) {
  const t = useT()
  const { data: me } = useQuery(meQuery)
  const [sharedWith, setSharedWith] = useState<ReportSharedRole | 'none'>(saved?.shared_with ?? 'none')
  const roles = me ? reportSharedRoles.filter((role) => rankOfRole(role) <= rankOfRole(callerRoleOf(me).role)) : []
  const nameOf = (role: ReportSharedRole) =>
    role === 'authenticated'
      ? t('statistics.saved.consultants')
      : t('views.roleAndAbove', { role: t(`roles.values.type.${role}`) })
  return (
    <NamingDialog
      title={t(saved ? 'views.settings' : 'statistics.saved.save')}
      description={saved ? undefined : t('statistics.saved.what')}
      label={t('statistics.saved.name')}
      name={saved?.title ?? ''}
      maxLength={maxSavedTitle}
      isOpen={isOpen}
      saveMutation={saveMutation}
      onSave={(title) => onSave({ title, shared_with: sharedWith === 'none' ? null : sharedWith }, onClose)}
      onClose={onClose}
    >
      <Field label={t('views.sharedWith')} help={sharedWith === 'none' ? undefined : t('statistics.saved.sharedHelp')}>
        <Select<ReportSharedRole | 'none'>
          value={sharedWith}
          onValueChange={setSharedWith}
          choices={[
            { value: 'none', label: t('views.private') },
            ...roles.map((role) => ({ value: role, label: nameOf(role) })),
          ]}
        />
      </Field>
    </NamingDialog>
  )
}
