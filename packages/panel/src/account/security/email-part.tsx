/** Changing the user's own e-mail: with the current password, and by a link to the new address. */
import { resources, validateField } from '@dala/model'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { messageOfFailure } from '../../api/error-toasts.ts'
import type { CurrentUser } from '../../api/session.ts'
import { useObstacle } from '../../api/use-obstacle.ts'
import { useT } from '../../lib/i18n.ts'
import { issueMessage } from '../../lib/issue-message.ts'
import { CredentialsForm } from '../credentials/credentials-form.tsx'
import { FormNotice } from '../../resource/form/notices.tsx'
import { LoadedPart, Part } from '../../resource/part.tsx'
import { useWait } from '../../resource/retry-after.ts'
import { WaitNote } from '../../resource/wait-note.tsx'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/inputs/field.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import { cancelEmailChange, changeEmail, emailQuery, resendEmailLink } from './email.ts'
import { passwordField, refusedAt } from './fields.ts'

/** The part of the security page that shows and changes the e-mail address. */
export function EmailPart({ me }: { me: CurrentUser }) {
  const t = useT()
  const cache = useQueryClient()
  const obstacle = useObstacle()
  const query = useQuery(emailQuery)
  const root = useRef<HTMLDivElement>(null)
  // The focused button disappears with the notice of the pending address, so the first field takes the focus.
  const focusField = () => root.current?.querySelector<HTMLElement>('input[name=email]')?.focus()
  return (
    <Part title={t('field.email')}>
      <div ref={root}>
        <LoadedPart query={query} rows={1}>
          {({ email, confirmed, pending }) => (
            <div className="mb-4 grid gap-4">
              <p className="max-w-[60ch] text-muted wrap-anywhere">{t('account.email.text', { email })}</p>
              {pending === null ? null : (
                <PendingEmail pending={pending} isOwn={!confirmed && pending === email} onCancelled={focusField} />
              )}
            </div>
          )}
        </LoadedPart>
        <CredentialsForm
          isCompact
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
                return issue && issueMessage(issue.code, issue.params)
              },
            },
            passwordField,
          ]}
          fieldByError={{ 'auth.current-password': refusedAt['auth.current-password'] }}
          submitLabel={t('account.email.change')}
          obstacle={obstacle}
          onSubmit={async ({ email, password }) => {
            await changeEmail({ email, currentPassword: password })
            showToast({ kind: 'success', title: t('account.email.sent', { email }) })
          }}
          onDone={() => void cache.invalidateQueries({ queryKey: emailQuery.queryKey })}
        />
      </div>
    </Part>
  )
}

/** The address that waits for confirmation, with buttons to send the link again and to cancel. */
function PendingEmail({ pending, isOwn, onCancelled }: { pending: string; isOwn: boolean; onCancelled: () => void }) {
  const t = useT()
  const cache = useQueryClient()
  const obstacle = useObstacle()
  const refreshAccount = () => cache.invalidateQueries({ queryKey: emailQuery.queryKey })
  const resendMutation = useMutation({
    meta: { inPlace: true, missed: t('message.notDone', { what: t('account.email.resend') }) },
    mutationFn: resendEmailLink,
    onSuccess: () => showToast({ kind: 'success', title: t('account.email.sent', { email: pending }) }),
    onSettled: refreshAccount,
  })
  const cancel = useMutation({
    meta: { inPlace: true, missed: t('message.notDone', { what: t('account.email.cancel') }) },
    mutationFn: cancelEmailChange,
    onSuccess: () => {
      onCancelled()
      showToast({ kind: 'success', title: t('account.email.cancelled') })
    },
    onSettled: refreshAccount,
  })
  const wait = useWait(resendMutation.error)
  const failure = [resendMutation.error, cancel.error].find((error) => error !== null)
  return (
    <FormNotice
      tone="info"
      action={
        <>
          <Button
            isBusy={resendMutation.isPending}
            disabled={(wait > 0 && t('error.429.title')) || obstacle}
            onClick={() => resendMutation.mutate()}
          >
            {t('account.email.resend')}
          </Button>
          {isOwn ? null : (
            <Button isBusy={cancel.isPending} disabled={obstacle} onClick={() => cancel.mutate()}>
              {t('account.email.cancel')}
            </Button>
          )}
        </>
      }
    >
      <p className="wrap-anywhere">
        {t(isOwn ? 'account.email.unconfirmed' : 'account.email.pending', { email: pending })}
      </p>
      {wait > 0 ? <WaitNote seconds={wait} /> : failure ? <FieldError>{messageOfFailure(failure)}</FieldError> : null}
    </FormNotice>
  )
}
