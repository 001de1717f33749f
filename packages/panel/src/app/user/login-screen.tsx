/** Signing in: user name or e-mail, password, and back to the page first asked for. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import LogIn from 'lucide-react/icons/log-in'
import { type ComponentProps, useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { noticeOfError } from '../../api/error-toasts.ts'
import { meQuery, signIn } from '../../api/session.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Field, FieldError } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { returnAddress } from '../guard.ts'

interface Draft {
  identifier: string
  password: string
}

export function LoginScreen() {
  const t = useT()
  useDocumentTitle(t('auth.login.title'))
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState<Draft>({ identifier: '', password: '' })
  const [checked, setChecked] = useState(false)
  const submit = useSignIn()
  const missing = {
    identifier: checked && draft.identifier.trim() === '',
    password: checked && draft.password === '',
  }

  const handleSubmit: NonNullable<ComponentProps<'form'>['onSubmit']> = (event) => {
    event.preventDefault()
    if (submit.isPending) return
    setChecked(true)
    const wrong = draft.identifier.trim() === '' ? 'identifier' : draft.password === '' ? 'password' : undefined
    if (wrong === undefined) submit.mutate({ ...draft, identifier: draft.identifier.trim() })
    else form.current?.querySelector<HTMLInputElement>(`[name=${wrong}]`)?.focus()
  }

  return (
    <>
      <h1 className="text-2xl leading-tight font-semibold tracking-[-0.012em]">{t('auth.login.title')}</h1>
      <p className="mt-1 mb-7 text-muted">{t('auth.login.subtitle')}</p>
      <form ref={form} noValidate onSubmit={handleSubmit} className="grid gap-[18px]">
        <Field label={t('field.identifier')} error={missing.identifier ? t('validation.email') : undefined}>
          <Input
            name="identifier"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            value={draft.identifier}
            onChange={(event) => setDraft({ ...draft, identifier: event.target.value })}
          />
        </Field>
        <Field
          label={t('field.password')}
          error={missing.password ? t('validation.password') : undefined}
          aside={
            <Link
              to="/user/forgot-password"
              className="inline-flex min-h-6 items-center text-sm font-semibold text-brand-text hover:underline"
            >
              {t('auth.login.forgot')}
            </Link>
          }
        >
          <PasswordInput
            name="password"
            autoComplete="current-password"
            value={draft.password}
            onChange={(event) => setDraft({ ...draft, password: event.target.value })}
          />
        </Field>
        <div role="alert" className="empty:hidden">
          {submit.failure ? (
            <div className="rounded-2 bg-danger-soft px-3 py-2.5">
              <FieldError>{submit.failure}</FieldError>
            </div>
          ) : null}
        </div>
        <Button
          type="submit"
          kind="primary"
          busy={submit.isPending}
          icon={<LogIn size={17} aria-hidden className="mirrored" />}
          className="w-full"
        >
          {t('auth.login.submit')}
        </Button>
      </form>
      <p className="mt-6 text-muted">
        {t('auth.login.noAccount')}{' '}
        <Link to="/user/register" className="font-semibold text-brand-text hover:underline">
          {t('auth.register.submit')}
        </Link>
      </p>
    </>
  )
}

function useSignIn() {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const search: { from?: unknown } = useSearch({ strict: false })
  const { mutate, isPending, error } = useMutation({
    mutationFn: signIn,
    onSuccess: async () => {
      queryClient.removeQueries({ queryKey: meQuery.queryKey })
      await navigate({ href: returnAddress(search.from), replace: true })
    },
  })
  // The toast goes by itself; whoever looks a moment later finds the reason here.
  const notice = error instanceof ApiError ? noticeOfError(error, true) : null
  return { mutate, isPending, failure: notice === null ? undefined : notice.text || notice.title }
}
