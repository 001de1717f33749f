/** What the writer must know above the form: a kept draft, a colleague's change, fields that fail, a save that failed. */
import { isLocale, localeNames } from '@dala/model'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Info from 'lucide-react/icons/info'
import type { ReactNode } from 'react'
import { ApiError } from '../api/api-error.ts'
import { wordsOfError } from '../api/error-toasts.ts'
import { cx } from '../lib/class-names.ts'
import { formatDateTime } from '../lib/format.ts'
import { tFirst, useT } from '../lib/i18n.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import type { ResourceForm } from './use-resource-form.ts'

/** Wrong fields with their names in the form and their words, however deep they stand. */
function failedFields(errors: unknown, path = ''): { name: string; message: string }[] {
  if (typeof errors !== 'object' || errors === null) return []
  if ('message' in errors && typeof errors.message === 'string') return [{ name: path, message: errors.message }]
  return Object.entries(errors).flatMap(([key, inner]) => failedFields(inner, path ? `${path}.${key}` : key))
}

/** The save's own failure, when no field is to blame for it. */
function failureOf(error: unknown): ApiError | undefined {
  const reason = typeof error === 'object' && error !== null && 'reason' in error ? error.reason : error
  return reason instanceof ApiError && reason.issues.length === 0 && reason.code !== 'record.stale' ? reason : undefined
}

export function FormNotices({ form, onFocusField }: { form: ResourceForm; onFocusField: (name: string) => void }) {
  const t = useT()
  const failed = failedFields(form.errors)
  const failure = failureOf(form.save.error)
  return (
    <div className="grid gap-3 not-empty:mb-5">
      {form.restoredAt ? (
        <Notice tone="info" action={<LinkButton onClick={form.discard}>{t('form.discard')}</LinkButton>}>
          {t('form.restored', { time: formatDateTime(form.restoredAt) })}
        </Notice>
      ) : null}
      {form.conflict ? (
        <Notice tone="danger" action={<Button onClick={() => form.submit()}>{t('form.conflictTake')}</Button>}>
          {t('form.conflict')}
        </Notice>
      ) : null}
      {failure ? (
        <Notice tone="danger">
          {t('error.unknown.title')}:{' '}
          {failure.status > 0
            ? wordsOfError(failure)
            : t(failure.unanswered === 'timeout' ? 'error.timeout.message' : 'error.network.message')}
        </Notice>
      ) : null}
      {failed.length > 3 || hiddenLanguage(failed) ? (
        <Notice tone="danger">
          {t('form.errors', { count: failed.length })}
          <ul className="mt-1.5 grid gap-0.5">
            {failed.map(({ name, message }) => (
              <li key={name}>
                <LinkButton danger onClick={() => onFocusField(name)}>
                  {nameInWords(name)}: {message}
                </LinkButton>
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
    </div>
  )
}

/** A wrong field in a language that is not in sight would otherwise be invisible. */
function hiddenLanguage(failed: readonly { name: string }[]): boolean {
  return new Set(failed.flatMap(({ name }) => /^texts\.(\w+)\./.exec(name)?.[1] ?? [])).size > 1
}

function nameInWords(name: string): string {
  const [part, locale, field] = name.split('.')
  const language = part === 'texts' && isLocale(locale) ? ` (${localeNames[locale]})` : ''
  return tFirst([`field.${part === 'texts' ? field : locale}`]) + language
}

function Notice({ tone, action, children }: { tone: 'info' | 'danger'; action?: ReactNode; children: ReactNode }) {
  const Icon = tone === 'danger' ? CircleAlert : Info
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={cx(
        'flex flex-wrap items-start gap-x-3 gap-y-2 rounded-2 px-4 py-3',
        tone === 'danger' ? 'bg-danger-soft text-danger-text' : 'bg-info-soft text-info-text',
      )}
    >
      <Icon size={18} aria-hidden className="mt-0.5 shrink-0" />
      <div className="min-w-0 flex-1">{children}</div>
      {action}
    </div>
  )
}
