/** Notices above the form: read-only fields, a restored draft, wrong fields. */
import { isLocale, localeNames, type Resource } from '@dala/model'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Info from 'lucide-react/icons/info'
import type { ReactNode } from 'react'
import { labelOf } from '../../fields/field-display.tsx'
import { cx } from '../../lib/class-names.ts'
import { formatRelative } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { LinkButton } from '../../ui/button.tsx'
import type { ResourceForm } from './use-resource-form.ts'

/** Wrong fields of the form with their names and messages, at any depth. */
function failedFields(errors: unknown, path = ''): { name: string; message: string }[] {
  if (typeof errors !== 'object' || errors === null) return []
  if ('message' in errors && typeof errors.message === 'string') return [{ name: path, message: errors.message }]
  return Object.entries(errors).flatMap(([key, innerErrors]) =>
    failedFields(innerErrors, path ? `${path}.${key}` : key),
  )
}

interface FormNoticesProps {
  form: ResourceForm
  /** Whether some shown fields are not writable. */
  isPartlyReadOnly: boolean
  onFocusField: (name: string) => void
}

export function FormNotices({ form, isPartlyReadOnly, onFocusField }: FormNoticesProps) {
  const t = useT()
  const failures = failedFields(form.errors)
  return (
    <div className="grid gap-3 not-empty:mb-5">
      {!form.rights.mayWrite || isPartlyReadOnly ? (
        <FormNotice tone="info">{t(form.rights.mayWrite ? 'form.readOnlyPartly' : 'form.readOnly')}</FormNotice>
      ) : null}
      {form.restoredAt && form.rights.mayWrite ? (
        <FormNotice tone="info" action={<LinkButton onClick={form.discardChanges}>{t('form.discard')}</LinkButton>}>
          <RestoredNotice savedAt={form.restoredAt} />
        </FormNotice>
      ) : null}
      {form.conflicts.waiting > 0 && form.failure?.kind !== 'stale' ? (
        <FormNotice tone="info" action={<LinkButton onClick={form.conflicts.ask}>{t('conflict.compare')}</LinkButton>}>
          {t('conflict.waiting', { count: form.conflicts.waiting })}
        </FormNotice>
      ) : null}
      {failures.length > 3 || hiddenLanguage(failures) ? (
        <FormNotice tone="danger">
          {t('form.errors', { count: failures.length })}
          <ul className="mt-1.5 grid gap-0.5">
            {failures.map(({ name, message }) => (
              <li key={name}>
                <LinkButton isDanger onClick={() => onFocusField(name)}>
                  {fieldLabel(form.resource, name)}: {message}
                </LinkButton>
              </li>
            ))}
          </ul>
        </FormNotice>
      ) : null}
    </div>
  )
}

/** Age of the restored draft, as text. */
function RestoredNotice({ savedAt }: { savedAt: string }) {
  const t = useT()
  const now = useNow()
  const isNew = now.getTime() - new Date(savedAt).getTime() < 60_000
  return isNew ? t('form.restoredNow') : t('form.restored', { time: formatRelative(t, savedAt, now) })
}

/** Whether wrong fields are in several languages: those in hidden ones would otherwise be invisible. */
function hiddenLanguage(wrongFields: readonly { name: string }[]): boolean {
  return new Set(wrongFields.flatMap(({ name }) => /^texts\.(\w+)\./.exec(name)?.[1] ?? [])).size > 1
}

function fieldLabel(resource: Resource, name: string): string {
  const [, locale, field] = /^texts\.(\w+)\.(\w+)/.exec(name) ?? []
  if (isLocale(locale) && field) return `${labelOf(resource, field)} (${localeNames[locale]})`
  return labelOf(resource, name.split('.')[1] ?? name)
}

export function FormNotice({
  tone,
  action,
  children,
}: {
  tone: 'info' | 'danger'
  action?: ReactNode
  children: ReactNode
}) {
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
      <div className="min-w-48 flex-1">{children}</div>
      {action ? <div className="flex flex-wrap gap-2">{action}</div> : null}
    </div>
  )
}
