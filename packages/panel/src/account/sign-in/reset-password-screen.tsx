/** Sets a new password with the code of an e-mail. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { resetPassword } from '../../api/session.ts'
import { useAuthSettings } from '../credentials/password-rules.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { useT } from '../../lib/i18n.ts'
import { issueMessage } from '../../lib/issue-message.ts'
import { buttonClass } from '../../ui/button.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import { checkPassword } from './account-checks.ts'
import { AccountForm } from './account-form.tsx'
import { useEnter } from './entered.ts'
import { readTypedInput } from '../credentials/kept-typed.ts'
import { UserLink } from './user-link.tsx'

export function ResetPasswordScreen() {
  const t = useT()
  const enterPanel = useEnter()
  const navigate = useNavigate()
  const { code, invited, from }: { code?: unknown; invited?: unknown; from?: unknown } = useSearch({ strict: false })
  const isInvited = invited !== undefined
  const title = t(isInvited ? 'account.invited.title' : 'auth.reset.title')
  const { password: lengths } = useAuthSettings()
  useDocumentTitle(title)
  if (typeof code !== 'string' && typeof code !== 'number') {
    return (
      <>
        <h1 className="text-2xl leading-tight font-semibold tracking-[-0.012em]">{title}</h1>
        <p className="mt-2 mb-6 text-muted">{t('auth.reset.noCode')}</p>
        <Link to="/user/forgot-password" className={buttonClass('primary')}>
          {t('auth.forgot.submit')}
        </Link>
      </>
    )
  }
  return (
    <AccountForm
      title={title}
      text={t(isInvited ? 'account.invited.text' : 'auth.reset.text')}
      username={readTypedInput('forgot-password')['email'] || undefined}
      fields={[
        {
          name: 'password',
          label: 'field.newPassword',
          kind: 'new-password',
          autoComplete: 'new-password',
          help: t('people.password.new', lengths),
          check: (value) => checkPassword(lengths, value),
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
      submitLabel={t(isInvited ? 'account.invited.submit' : 'auth.reset.submit')}
      onSubmit={async (passwords) => {
        const answer = await resetPassword({ code: String(code), ...passwords })
        if (answer === 'yes') return await enterPanel()
        // The new password is set, but the session also requires the code of the authenticator app.
        showToast({ kind: 'success', title: t('message.passwordChanged') })
        await navigate({ to: '/user/login', search: typeof from === 'string' ? { from } : {}, replace: true })
      }}
    >
      {isInvited ? (
        <p className="mt-6 text-muted">{t('account.invited.old')}</p>
      ) : (
        <p className="mt-6">
          <UserLink to="forgot-password">{t('auth.forgot.again')}</UserLink>
        </p>
      )}
    </AccountForm>
  )
}
