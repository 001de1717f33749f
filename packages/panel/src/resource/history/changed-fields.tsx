/** The fields that a change touched, each with its old and its new value side by side. */
import { type Field, isLink, type Locale, type Resource, type Revision } from '@dala/model'
import type { ReactNode } from 'react'
import { labelOf } from '../../fields/field-display.tsx'
import { useT } from '../../lib/i18n.ts'
import { FullValue } from './full-value.tsx'

interface ChangedFieldsProps {
  resource: Resource
  changes: Revision['changes']
  locale: Locale | null
  /** Action shown beside the name of a changed field. */
  actionOf?: (name: string) => ReactNode
}

export function ChangedFields({ resource, changes, locale, actionOf }: ChangedFieldsProps) {
  const t = useT()
  return (
    <dl className="mt-2 grid gap-3">
      {Object.entries(changes).map(([name, { before, after }]) => (
        <div key={name}>
          <dt className="flex flex-wrap items-center gap-x-3 text-sm font-medium">
            {labelOf(resource, name)}
            {actionOf?.(name)}
          </dt>
          <dd className="mt-1 grid gap-2 md:grid-cols-2">
            <Value label={t('history.before')} {...{ resource, name, locale }} value={before} />
            <Value label={t('history.after')} {...{ resource, name, locale }} value={after} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

interface ValueProps {
  resource: Resource
  label: string
  name: string
  locale: Locale | null
  value: unknown
}

function Value({ label, resource, name, locale, value }: ValueProps) {
  const field: Field | undefined = resource.fields[name]
  return (
    <div className="min-w-0 rounded-2 bg-sunken px-3 py-2">
      <p className="text-sm text-muted">{label}</p>
      {field && isLink(field) ? (
        <StoredNames value={value} />
      ) : (
        <FullValue resource={resource} name={name} value={value} lang={locale ?? undefined} />
      )}
    </div>
  )
}

const isNamed = (value: unknown): value is { name: string } =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'

/** Links of a change show stored names: their records may be deleted. */
function StoredNames({ value }: { value: unknown }) {
  const t = useT()
  const names = (Array.isArray(value) ? value : [value]).filter(isNamed)
  if (names.length === 0) return <span className="text-muted">{t('conflict.nothing')}</span>
  return <p className="wrap-anywhere">{names.map(({ name }) => name).join(', ')}</p>
}
