/** Requests the e-mail for setting a new password; the answer reveals nothing about existing accounts. */
import { useState } from 'react'
import { askForReset } from '../../api/session.ts'
import { useT } from '../../lib/i18n.ts'
import { checkAccount } from './account-checks.ts'
import { AccountForm } from './account-form.tsx'
import { UserLink } from './user-link.tsx'

export function ForgotPasswordScreen() {
  const t = useT()
  const [sentTo, setSentTo] = useState('')
  return (
    <AccountForm
      title={t('auth.forgot.title')}
      text={t('auth.forgot.text')}
      draftKey="forgot-password"
      fields={[
        {
          name: 'email',
          label: 'field.email',
          kind: 'email',
          autoComplete: 'email',
          check: (value) => checkAccount('email', value),
        },
      ]}
      submitLabel={t(sentTo === '' ? 'auth.forgot.submit' : 'auth.forgot.again')}
      onSubmit={async ({ email }) => {
        await askForReset(email)
        setSentTo(email)
      }}
    >
      <output className="mt-5 block rounded-2 bg-info-soft px-3 py-2.5 text-info-text empty:hidden">
        {sentTo === '' ? null : t('auth.forgot.sent', { email: sentTo })}
      </output>
      <p className="mt-6">
        <UserLink to="login">{t('auth.forgot.back')}</UserLink>
      </p>
    </AccountForm>
  )
}
