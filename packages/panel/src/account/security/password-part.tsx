/** Changing the user's own password, which ends all other sessions. */
import { resources, validateField } from '@dala/model'
import { useQueryClient } from '@tanstack/react-query'
import { callRoute } from '../../api/route.ts'
import { type CurrentUser, nameOfUser } from '../../api/session.ts'
import { useObstacle } from '../../api/use-obstacle.ts'
import { applyPasswordLimits } from '../credentials/accounts-here.ts'
import { useAuthSettings } from '../credentials/password-rules.ts'
import { useT } from '../../lib/i18n.ts'
import { issueMessage } from '../../lib/issue-message.ts'
import { CredentialsForm } from '../credentials/credentials-form.tsx'
import { ownSessions } from '../sessions/sessions.ts'
import { Part } from '../../resource/part.tsx'
import { showToast } from '../../ui/feedback/toast.ts'

export function PasswordPart({ me }: { me: CurrentUser }) {
  const t = useT()
  const cache = useQueryClient()
  const obstacle = useObstacle()
  const { password: lengths } = useAuthSettings()
  return (
    <Part title={t('field.password')}>
      <p className="mb-4 max-w-[60ch] text-muted">{t('account.password.text')}</p>
      <CredentialsForm
        isCompact
        inPlace
        username={me.username}
        names={[me.username, ...nameOfUser(me).split(' ')]}
        fields={[
          {
            name: 'currentPassword',
            label: 'field.currentPassword',
            kind: 'password',
            autoComplete: 'current-password',
            check: (value) => (value === '' ? issueMessage('validation.password') : undefined),
          },
          {
            name: 'password',
            label: 'field.newPassword',
            kind: 'new-password',
            autoComplete: 'new-password',
            help: t('people.password.new', { min: lengths.min, max: lengths.max }),
            check: (value) => {
              const issue = validateField(applyPasswordLimits(resources.users, lengths), 'password', value, 'create')
              return issue && issueMessage(issue.code, issue.params)
            },
          },
          {
            name: 'passwordConfirmation',
            label: 'field.passwordConfirm',
            kind: 'password',
            autoComplete: 'new-password',
            check: (value, { password }) =>
              value === password ? undefined : issueMessage('validation.passwordMismatch'),
          },
        ]}
        fieldByError={{ 'auth.current-password': 'currentPassword', 'auth.same-password': 'password' }}
        submitLabel={t('auth.changePassword')}
        obstacle={obstacle}
        onSubmit={(body) => callRoute('POST /api/auth/change-password', { body })}
        onDone={() => {
          showToast({ kind: 'success', title: t('message.passwordChanged'), text: t('account.password.others') })
          void cache.invalidateQueries({ queryKey: ownSessions.queryKey })
        }}
      />
    </Part>
  )
}
