/** The form of the pages before signing in: its fields, what is wrong with them, one button, and why the server said no. */
import type { MessageId } from '@dala/model'
import { useMutation } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { noticeOfError } from '../../api/error-toasts.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { useT } from '../../lib/i18n.ts'
import { wordsOfIssue } from '../../lib/issue-words.ts'
import { Button } from '../../ui/button.tsx'
import { Field, FieldError } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'

export interface AccountField<N extends string> {
  name: N
  label: MessageId
  kind: 'text' | 'email' | 'password' | 'code'
  autoComplete: string
  help?: string
  aside?: ReactNode
  /** What is wrong with a value, in words; undefined when nothing is. */
  check: (value: string, all: Readonly<Record<N, string>>) => string | undefined
}

export interface AccountFormProps<N extends string> {
  title: string
  text?: ReactNode
  fields: readonly AccountField<N>[]
  /** A field that has just appeared and is to be filled in next. */
  focusOn?: N | undefined
  submitLabel: string
  icon?: ReactNode
  /** Calls the server with what was typed. Blanks around it are taken off, except of passwords. */
  onSubmit: (values: Readonly<Record<N, string>>) => Promise<unknown>
  /** Below the button: the other ways. */
  children?: ReactNode
}

const inputModes = { text: 'text', email: 'email', code: 'numeric' } as const

export function AccountForm<N extends string>({
  title,
  text,
  fields,
  focusOn,
  submitLabel,
  icon,
  onSubmit,
  children,
}: AccountFormProps<N>) {
  useDocumentTitle(title)
  const t = useT()
  const form = useRef<HTMLFormElement>(null)
  const [typed, setTyped] = useState<Partial<Record<N, string>>>({})
  const [checked, setChecked] = useState(false)
  const submit = useMutation({ mutationFn: onSubmit })
  const values = Object.fromEntries(
    fields.map(({ name, kind }) => [name, kind === 'password' ? (typed[name] ?? '') : (typed[name] ?? '').trim()]),
  ) as Record<N, string>
  const { refused, failure } = refusalOf(submit.error)

  useEffect(() => {
    if (focusOn !== undefined) form.current?.querySelector<HTMLInputElement>(`[name=${focusOn}]`)?.focus()
  }, [focusOn])

  const handleSubmit: NonNullable<ComponentProps<'form'>['onSubmit']> = (event) => {
    event.preventDefault()
    if (submit.isPending) return
    setChecked(true)
    const wrong = fields.find(({ name, check }) => check(values[name], values) !== undefined)
    if (wrong === undefined) submit.mutate(values)
    else form.current?.querySelector<HTMLInputElement>(`[name=${wrong.name}]`)?.focus()
  }

  return (
    <>
      <h1 className="text-2xl leading-tight font-semibold tracking-[-0.012em]">{title}</h1>
      <p className="mt-1 mb-7 text-muted">{text}</p>
      <form ref={form} noValidate onSubmit={handleSubmit} className="grid gap-[18px]">
        {fields.map(({ name, label, kind, autoComplete, help, aside, check }) => {
          const error = (checked ? check(values[name], values) : undefined) ?? refused[name]
          const control = {
            name,
            autoComplete,
            value: typed[name] ?? '',
            onChange: (event: { target: { value: string } }) => setTyped({ ...typed, [name]: event.target.value }),
          }
          return (
            <Field key={name} label={t(label)} help={help} error={error} {...(aside ? { aside } : {})}>
              {kind === 'password' ? (
                <PasswordInput {...control} />
              ) : (
                <Input {...control} inputMode={inputModes[kind]} autoCapitalize="none" spellCheck={false} />
              )}
            </Field>
          )
        })}
        <div role="alert" className="empty:hidden">
          {failure ? (
            <div className="rounded-2 bg-danger-soft px-3 py-2.5">
              <FieldError>{failure}</FieldError>
            </div>
          ) : null}
        </div>
        <Button type="submit" kind="primary" busy={submit.isPending} icon={icon} className="w-full">
          {submitLabel}
        </Button>
      </form>
      {children}
    </>
  )
}

/** Of a refusal: the words at their fields, or else the reason below them. The toast goes by itself. */
function refusalOf(error: Error | null): { refused: Partial<Record<string, string>>; failure?: string } {
  if (!(error instanceof ApiError)) return { refused: {} }
  if (error.issues.length > 0) {
    const refused = error.issues.map((issue) => [issue.path[0], wordsOfIssue(issue.code, issue.params, issue.message)])
    return { refused: Object.fromEntries(refused) as Record<string, string> }
  }
  const notice = noticeOfError(error, false)
  return { refused: {}, ...(notice && { failure: notice.text || notice.title }) }
}
