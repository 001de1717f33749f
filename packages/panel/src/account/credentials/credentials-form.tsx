/**
 * A form that signs in or changes the sign-in data: fields with their errors, one button, and the server's
 * refusal.
 */
import type { MessageId } from '@dala/model'
import { useMutation } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { hasToken } from '../../api/session.ts'
import { cx } from '../../lib/class-names.ts'
import { useT } from '../../lib/i18n.ts'
import { issueMessage } from '../../lib/issue-message.ts'
import { Button } from '../../ui/button.tsx'
import { Field, FieldError } from '../../ui/inputs/field.tsx'
import { Input } from '../../ui/inputs/input.tsx'
import { PasswordInput } from '../../ui/inputs/password-input.tsx'
import { useWait } from '../../resource/retry-after.ts'
import { storeTypedInput, readTypedInput } from './kept-typed.ts'
import { lazyPart } from '../../ui/lazy-part.ts'

// The waiting note and the password meter load on demand: users rarely need them, and the sign-in form is the
// first page.
const WaitNote = lazyPart(async () => (await import('../../resource/wait-note.tsx')).WaitNote)
const PasswordStrength = lazyPart(async () => (await import('./password-strength.tsx')).PasswordStrength)

export interface CredentialField<N extends string> {
  name: N
  label: MessageId
  /** `new-password` adds a meter of how hard the password is to guess. */
  kind: 'text' | 'email' | 'password' | 'new-password' | 'code'
  autoComplete: string
  help?: ReactNode
  aside?: ReactNode
  /** Error message of a field's value; undefined when the value is valid. */
  check: (value: string, allValues: Readonly<Record<N, string>>) => string | undefined
}

export interface CredentialsFormProps<N extends string> {
  fields: readonly CredentialField<N>[]
  /** Name under which the tab stores the input of the form, except passwords and codes. */
  draftKey?: string
  /** Account that the password belongs to, for the browser's password manager. */
  username?: string | undefined
  /** Names that a good password does not contain. */
  names?: readonly string[]
  /** Field of the form that has just appeared and gets the focus. */
  initialFocus?: N | undefined
  submitLabel: string
  icon?: ReactNode
  /** Whether failures are shown inside the form only, without a toast. */
  inPlace?: boolean
  /** Whether the form is inside a page with its own width, where its button is narrower than the fields. */
  isCompact?: boolean
  /** Field that shows a refusal by the server, by error code. */
  fieldByError?: Readonly<Record<string, N>>
  /** Reason why the form of sign-in data cannot be sent now. */
  obstacle?: string | undefined
  /** Contents beside the submit button of the form. */
  sideContent?: ReactNode
  /** Calls the server with the input of the form. Surrounding spaces are removed, except from passwords. */
  onSubmit: (values: Readonly<Record<N, string>>) => Promise<unknown>
  /** Called after the server accepted the form and its fields were emptied. */
  onDone?: () => void
}

const inputModes = { text: 'text', email: 'email', code: 'numeric' } as const

/** Surrounding spaces belong to a password, which is never stored. */
const isSecret = (kind: CredentialField<string>['kind']) => kind === 'password' || kind === 'new-password'

export function CredentialsForm<N extends string>({
  fields,
  draftKey,
  username,
  names = [],
  initialFocus,
  submitLabel,
  icon,
  inPlace = false,
  obstacle,
  isCompact: hasCompactForm = false,
  fieldByError = {},
  sideContent,
  onSubmit,
  onDone,
}: CredentialsFormProps<N>) {
  const t = useT()
  const form = useRef<HTMLFormElement>(null)
  const [typedValues, setTypedValues] = useState<Readonly<Record<string, string>>>(() =>
    draftKey ? readTypedInput(draftKey) : {},
  )
  const [isChecked, setChecked] = useState(false)
  const submitMutation = useMutation({
    mutationFn: onSubmit,
    meta: { inPlace, missed: t('message.notDone', { what: submitLabel }) },
    onSuccess: () => {
      // A form of several steps stays on the page when its next step begins.
      if (draftKey && hasToken()) storeTypedInput(draftKey, null)
      // A field that appears with the next step is not invalid before it is filled in.
      setChecked(false)
      if (!onDone) return
      setTypedValues({})
      onDone()
    },
  })
  const wait = useWait(submitMutation.error)
  const values = Object.fromEntries(
    fields.map(({ name, kind }) => [
      name,
      isSecret(kind) ? (typedValues[name] ?? '') : (typedValues[name] ?? '').trim(),
    ]),
  ) as Record<N, string>
  const { fieldErrors, failure } = refusalOf(submitMutation.error, fieldByError)

  const focusField = (name: string) =>
    form.current?.querySelector<HTMLInputElement>(`[name=${name}]:not([hidden])`)?.focus()
  useEffect(() => {
    if (initialFocus !== undefined) form.current?.querySelector<HTMLInputElement>(`[name=${initialFocus}]`)?.focus()
  }, [initialFocus])

  const handleSubmit: NonNullable<ComponentProps<'form'>['onSubmit']> = (event) => {
    event.preventDefault()
    if (submitMutation.isPending || wait > 0) return
    setChecked(true)
    const invalidField = fields.find(({ name, check }) => check(values[name], values) !== undefined)
    if (invalidField === undefined) submitMutation.mutate(values)
    else focusField(invalidField.name)
  }

  const type = (name: N, text: string) => {
    const nextValues = { ...typedValues, [name]: text }
    setTypedValues(nextValues)
    if (!draftKey) return
    const plainFields = fields.filter(({ kind }) => !isSecret(kind) && kind !== 'code').map((field) => field.name)
    storeTypedInput(draftKey, Object.fromEntries(plainFields.map((field) => [field, nextValues[field] ?? ''])))
  }

  return (
    <form
      ref={form}
      noValidate
      onSubmit={handleSubmit}
      className={cx('grid gap-[18px]', hasCompactForm && 'max-w-[380px]')}
    >
      {username === undefined ? null : (
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      )}
      {fields.map(({ name, label, kind, autoComplete, help, aside, check }) => {
        const error = (isChecked ? check(values[name], values) : undefined) ?? fieldErrors[name]
        const control = {
          name,
          autoComplete,
          value: typedValues[name] ?? '',
          onChange: (event: { target: { value: string } }) => type(name, event.target.value),
        }
        return (
          <Field key={name} label={t(label)} help={help} error={error} {...(aside ? { aside } : {})}>
            {kind === 'password' || kind === 'new-password' ? (
              <PasswordInput {...control} />
            ) : (
              <Input {...control} inputMode={inputModes[kind]} autoCapitalize="none" spellCheck={false} />
            )}
            {kind === 'new-password' && values[name] !== '' ? (
              <Suspense fallback={null}>
                <PasswordStrength password={values[name]} names={[...names, ...namesIn(fields, values)]} />
              </Suspense>
            ) : null}
          </Field>
        )
      })}
      <div role="alert" className="empty:hidden">
        {wait > 0 ? (
          <Suspense fallback={null}>
            <WaitNote seconds={wait} />
          </Suspense>
        ) : failure ? (
          <div className="rounded-2 bg-danger-soft px-3 py-2.5">
            <FieldError>{failure}</FieldError>
          </div>
        ) : null}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          kind="primary"
          isBusy={submitMutation.isPending}
          disabled={(wait > 0 && t('error.429.title')) || (obstacle ?? false)}
          icon={icon}
          className={hasCompactForm ? '' : 'w-full'}
        >
          {submitLabel}
        </Button>
        {sideContent}
      </div>
    </form>
  )
}

/** Other input about the user, such as the e-mail address, which a password should not repeat. */
const namesIn = <N extends string>(fields: readonly CredentialField<N>[], values: Readonly<Record<N, string>>) =>
  fields.filter(({ kind }) => kind === 'text' || kind === 'email').map(({ name }) => values[name].split('@')[0] ?? '')

/**
 * Splits a refusal by the server into messages at the fields of the form; without a field, the reason is
 * shown below them.
 */
function refusalOf(
  error: Error | null,
  refusedAt: Readonly<Record<string, string>>,
): { fieldErrors: Partial<Record<string, string>>; failure?: string } {
  // A refusal for too many attempts shows no message here: a countdown shows the waiting time instead.
  if (!error || (error instanceof ApiError && error.retryTime !== undefined)) return { fieldErrors: {} }
  if (error instanceof ApiError && error.issues.length > 0) {
    const issueEntries = error.issues.map(
      (issue) => [String(issue.path[0]), issueMessage(issue.code, issue.params, issue.message)] as const,
    )
    return { fieldErrors: Object.fromEntries(issueEntries) }
  }
  const fieldName = error instanceof ApiError && error.code !== undefined ? refusedAt[error.code] : undefined
  return fieldName === undefined
    ? { fieldErrors: {}, failure: messageOfFailure(error) }
    : { fieldErrors: { [fieldName]: messageOfFailure(error) } }
}
