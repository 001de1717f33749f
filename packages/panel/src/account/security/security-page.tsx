/** The sign-in settings: the password, the second step, and the open sessions. */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import UserRound from 'lucide-react/icons/user-round'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { useT } from '../../lib/i18n.ts'
import { UserBoundary } from '../../resource/with-user.tsx'
import { FormNotice } from '../../resource/form/notices.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { EmailPart } from './email-part.tsx'
import { PasswordPart } from './password-part.tsx'
import { SessionsPart } from './sessions-part.tsx'
import { TwoStepPart } from '../two-step/part.tsx'
import { twoStepQuery } from '../two-step/two-step.ts'

/** The page that was blocked by the missing second step; addresses outside the panel are ignored. */
const pageBefore = (requestedPage: unknown) =>
  typeof requestedPage === 'string' && /^\/app(\/|\?|$)/.test(requestedPage) ? requestedPage : undefined

export function SecurityPage() {
  const t = useT()
  const title = t('nav.security')
  useDocumentTitle(title)
  return (
    // The page head is limited in width, so that its button ends where the sheets below it end.
    <div className="max-w-[860px]">
      <PageHead
        title={title}
        text={t('account.security.about')}
        actions={
          <Link to="/app/profile" className={buttonClass('plain')}>
            <UserRound size={16} aria-hidden />
            {t('nav.profile')}
          </Link>
        }
      />
      <div className="mb-8 grid gap-5">
        <UserBoundary>
          {(me) => (
            <>
              <RequiredNotice />
              <TwoStepPart me={me} />
              <PasswordPart me={me} />
              <EmailPart me={me} />
              <SessionsPart />
            </>
          )}
        </UserBoundary>
      </div>
    </div>
  )
}

/** Explains why this page is shown instead of the requested one, and then links to that page. */
function RequiredNotice() {
  const t = useT()
  const navigate = useNavigate()
  const { data } = useQuery(twoStepQuery)
  const { from }: { from?: unknown } = useSearch({ strict: false })
  const formerPage = pageBefore(from)
  if (!data?.required) return null
  if (!data.on) return <FormNotice tone="info">{t('account.twoStep.required')}</FormNotice>
  if (formerPage === undefined) return null
  return (
    <FormNotice
      tone="info"
      action={<Button onClick={() => void navigate({ href: formerPage })}>{t('account.twoStep.goOn')}</Button>}
    >
      {t('account.twoStep.done')}
    </FormNotice>
  )
}
