/** Changing one's own e-mail: with the current password, for letters that set a new one go there. */
import { resources, validateField } from '@dala/model'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { type CurrentUser, meQuery } from '../../api/session.ts'
import { useObstacle } from '../../api/use-obstacle.ts'
import { useT } from '../../lib/i18n.ts'
import { wordsOfIssue } from '../../lib/issue-words.ts'
import { CredentialsForm } from '../../resource/account/credentials-form.tsx'
import { Part } from '../../resource/part.tsx'
import { showToast } from '../../ui/toast.ts'
import { passwordField, refusedAt } from './fields.ts'

export function EmailPart({ me }: { me: CurrentUser }) {
  const t = useT()
  const cache = useQueryClient()
  const obstacle = useObstacle()
  return (
    <Part title={t('field.email')}>
      <p className="mb-4 max-w-[60ch] text-muted wrap-anywhere">{t('account.email.text', { email: me.email })}</p>
      <CredentialsForm
        compact
        inPlace
        username={me.username}
        fields={[
          {
            name: 'email',
            label: 'account.email.new',
            kind: 'email',
            autoComplete: 'email',
            check: (value) => {
              const issue = validateField(resources.users, 'email', value, 'create')
              return issue && wordsOfIssue(issue.code, issue.params)
            },
          },
          passwordField,
        ]}
        refusedAt={{ 'auth.current-password': refusedAt['auth.current-password'] }}
        submitLabel={t('account.email.change')}
        obstacle={obstacle}
        onSubmit={({ email, password }) =>
          call('POST', '/auth/change-email', { body: { email, currentPassword: password } })
        }
        onDone={() => {
          showToast({ kind: 'success', title: t('account.email.changed') })
          void cache.invalidateQueries({ queryKey: meQuery.queryKey })
        }}
      />
    </Part>
  )
}
