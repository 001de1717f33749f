/** Making an account of one's own; the role is always that of a reader. */
import { register } from '../../api/session.ts'
import { useT } from '../../lib/i18n.ts'
import { checkAccount } from './account-checks.ts'
import { AccountForm } from './account-form.tsx'
import { useEnter } from './entered.ts'
import { UserLink } from './user-link.tsx'

export function RegisterScreen() {
  const t = useT()
  const enter = useEnter()
  return (
    <AccountForm
      title={t('auth.register.title')}
      text={t('auth.register.text')}
      fields={[
        {
          name: 'username',
          label: 'field.username',
          kind: 'text',
          autoComplete: 'username',
          check: (value) => checkAccount('username', value),
        },
        {
          name: 'email',
          label: 'field.email',
          kind: 'email',
          autoComplete: 'email',
          check: (value) => checkAccount('email', value),
        },
        {
          name: 'password',
          label: 'field.password',
          kind: 'password',
          autoComplete: 'new-password',
          help: t('auth.passwordHint'),
          check: (value) => checkAccount('password', value),
        },
      ]}
      submitLabel={t('auth.register.submit')}
      onSubmit={async (account) => {
        await register(account)
        await enter()
      }}
    >
      <p className="mt-6 text-muted">
        {t('auth.register.haveAccount')} <UserLink to="login">{t('auth.login.submit')}</UserLink>
      </p>
    </AccountForm>
  )
}
