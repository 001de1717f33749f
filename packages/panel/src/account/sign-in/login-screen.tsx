/**
 * The sign-in page: user name or e-mail, password, the code of the authenticator app where required, then the
 * requested page.
 */
import LogIn from 'lucide-react/icons/log-in'
import { useEffect, useState } from 'react'
import { signIn } from '../../api/session.ts'
import { useAuthSettings } from '../credentials/password-rules.ts'
import { useT } from '../../lib/i18n.ts'
import { preload } from '../../ui/lazy-part.ts'
import { checkFilledField } from './check-filled.ts'
import { AccountForm, type AccountField } from './account-form.tsx'
import { useEnter } from './entered.ts'
import { UserLink } from './user-link.tsx'

type Name = 'identifier' | 'password' | 'code'

export interface LoginScreenProps {
  /** Loads the pages behind the sign-in form; this must be a stable function. */
  preloadPanel: () => Promise<unknown>
}

export function LoginScreen({ preloadPanel }: LoginScreenProps) {
  const t = useT()
  const enterPanel = useEnter()
  const { registration } = useAuthSettings()
  const [needsCode, setNeedsCode] = useState(false)
  useEffect(() => {
    // The panel loads when the user types the sign-in data; loading it earlier would slow the sign-in form
    // down.
    const end = new AbortController()
    document.addEventListener('input', () => preload(preloadPanel), { once: true, signal: end.signal })
    return () => end.abort()
  }, [preloadPanel])
  const fields: readonly AccountField<Name>[] = [
    {
      name: 'identifier',
      label: 'field.identifier',
      kind: 'text',
      autoComplete: 'username',
      check: checkFilledField('validation.email'),
    },
    {
      name: 'password',
      label: 'field.password',
      kind: 'password',
      autoComplete: 'current-password',
      aside: (
        <UserLink to="forgot-password" small>
          {t('auth.login.forgot')}
        </UserLink>
      ),
      check: checkFilledField('validation.password'),
    },
    {
      name: 'code',
      label: 'auth.twoStep.code',
      kind: 'code',
      autoComplete: 'one-time-code',
      help: t('auth.twoStep.needed'),
      check: checkFilledField('validation.required'),
    },
  ]
  return (
    <AccountForm
      title={t('auth.login.title')}
      text={t('auth.login.subtitle')}
      draftKey="login"
      fields={needsCode ? fields : fields.slice(0, 2)}
      initialFocus={needsCode ? 'code' : undefined}
      submitLabel={t('auth.login.submit')}
      icon={<LogIn size={17} aria-hidden className="mirrored" />}
      onSubmit={async ({ identifier, password, code }) => {
        const answer = await signIn({ identifier, password, ...(code && { code }) })
        if (answer === 'yes') await enterPanel()
        else setNeedsCode(true)
      }}
    >
      {registration ? (
        <p className="mt-6 text-muted">
          {t('auth.login.noAccount')} <UserLink to="register">{t('auth.register.submit')}</UserLink>
        </p>
      ) : null}
    </AccountForm>
  )
}
