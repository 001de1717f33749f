/** Registration; the role of a new account is always that of a reader. */
import { registerAccount } from '../../api/session.ts'
import { useAuthSettings } from '../credentials/password-rules.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { useT } from '../../lib/i18n.ts'
import { checkAccount, checkPassword } from './account-checks.ts'
import { AccountForm } from './account-form.tsx'
import { useEnter } from './entered.ts'
import { UserLink } from './user-link.tsx'

export function RegisterScreen() {
  const t = useT()
  const enterPanel = useEnter()
  const { registration, password } = useAuthSettings()
  const title = t('auth.register.title')
  const backLink = (
    <p className="mt-6 text-muted">
      {t('auth.register.haveAccount')} <UserLink to="login">{t('auth.login.submit')}</UserLink>
    </p>
  )
  useDocumentTitle(title)
  if (!registration) {
    return (
      <>
        <h1 className="text-2xl leading-tight font-semibold tracking-[-0.012em]">{t('auth.register.off')}</h1>
        <p className="mt-2 text-muted">{t('account.registerOff')}</p>
        {backLink}
      </>
    )
  }
  return (
    <AccountForm
      title={title}
      text={t('auth.register.text')}
      draftKey="register"
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
          kind: 'new-password',
          autoComplete: 'new-password',
          help: t('people.password.new', password),
          check: (value) => checkPassword(password, value),
        },
      ]}
      submitLabel={t('auth.register.submit')}
      onSubmit={async (account) => {
        await registerAccount(account)
        await enterPanel()
      }}
    >
      {backLink}
    </AccountForm>
  )
}
