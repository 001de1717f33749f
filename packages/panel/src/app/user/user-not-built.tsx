/** Pages before signing in whose calls come with a later version: their name, and the way back. */
import type { MessageId } from '@dala/model'
import { Link } from '@tanstack/react-router'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { useT } from '../../lib/i18n.ts'
import { buttonClass } from '../../ui/button.tsx'

const titles = {
  register: 'auth.register.title',
  'forgot-password': 'auth.forgot.title',
  'reset-password': 'auth.reset.title',
} as const satisfies Record<string, MessageId>

export function UserNotBuilt({ path }: { path: keyof typeof titles }) {
  const t = useT()
  const title = t(titles[path])
  useDocumentTitle(title)
  return (
    <>
      <h1 className="text-2xl leading-tight font-semibold tracking-[-0.012em]">{title}</h1>
      <p className="mt-3 font-medium">{t('screen.notBuilt.title')}</p>
      <p className="mt-1 mb-7 text-muted">{t('screen.notBuilt.text', { screen: title })}</p>
      <Link to="/user/login" className={buttonClass('plain')}>
        {t('auth.forgot.back')}
      </Link>
    </>
  )
}
