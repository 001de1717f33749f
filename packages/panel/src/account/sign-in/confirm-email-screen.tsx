/**
 * Confirms an e-mail address with the code of an e-mail. The user must press a button, because mail programs
 * open links too.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { ApiError } from '../../api/api-error.ts'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { confirmEmail } from '../../api/session.ts'
import { useObstacle } from '../../api/use-obstacle.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { useT } from '../../lib/i18n.ts'
import { useWait } from '../../resource/retry-after.ts'
import { WaitNote } from '../../resource/wait-note.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'

/** The page behind the link in the e-mail, for users who are signed in or not. */
export function ConfirmEmailScreen() {
  const t = useT()
  const cache = useQueryClient()
  const obstacle = useObstacle()
  const { code }: { code?: unknown } = useSearch({ strict: false })
  const confirm = useMutation({
    meta: { inPlace: true },
    mutationFn: confirmEmail,
    onSuccess: () => void cache.invalidateQueries(),
  })
  const wait = useWait(confirm.error)
  useDocumentTitle(t('auth.confirmEmail.title'))
  const hasCode = typeof code === 'string' || typeof code === 'number'
  const isOld = confirm.error instanceof ApiError && confirm.error.code === 'auth.code'
  return (
    <>
      <h1 className="text-2xl leading-tight font-semibold tracking-[-0.012em]">{t('auth.confirmEmail.title')}</h1>
      <output className="mt-5 block rounded-2 bg-success-soft px-3 py-2.5 text-success-text empty:hidden">
        {confirm.isSuccess ? t('auth.confirmEmail.done') : null}
      </output>
      {confirm.isSuccess || isOld ? null : (
        <p className="mt-1 mb-7 text-muted">{t(hasCode ? 'auth.confirmEmail.text' : 'auth.reset.noCode')}</p>
      )}
      {confirm.error && wait === 0 ? (
        <p role="alert" className="mb-5 rounded-2 bg-danger-soft px-3 py-2.5 text-danger-text">
          {isOld ? t('auth.confirmEmail.expired') : messageOfFailure(confirm.error)}
        </p>
      ) : null}
      {wait > 0 ? <WaitNote seconds={wait} /> : null}
      <div className="mt-5 grid gap-3">
        {hasCode && !confirm.isSuccess && !isOld ? (
          <Button
            kind="primary"
            isBusy={confirm.isPending}
            disabled={(wait > 0 && t('error.429.title')) || obstacle}
            onClick={() => confirm.mutate(String(code))}
          >
            {t('auth.confirmEmail.submit')}
          </Button>
        ) : null}
        {confirm.isSuccess || isOld || !hasCode ? (
          <Link to={isOld ? '/app/profile/security' : '/app'} className={buttonClass('primary')}>
            {t(isOld ? 'nav.security' : 'auth.confirmEmail.continue')}
          </Link>
        ) : null}
      </div>
    </>
  )
}
