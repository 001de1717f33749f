/** One revision of a record: who, when, each field from what to what, and the ways back from it. */
import { type Field, isLink, localeNames, type Resource } from '@dala/model'
import { useState } from 'react'
import { nameOfPerson } from '../api/error-toasts.ts'
import { labelOf } from '../fields/field-display.tsx'
import { formatDateTime } from '../lib/format.ts'
import { hasMessage, useT } from '../lib/i18n.ts'
import { LinkButton } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { FullValue } from './full-value.tsx'
import type { Named, Revision } from './history-queries.ts'
import { useRevert } from './use-revert.ts'

interface HistoryRevisionProps {
  resource: Resource
  /** The entry whose history it is. */
  entry: { id: number; version: number }
  revision: Revision
  /** The record stands as it left it. */
  isNewest: boolean
  mayWrite: boolean
}

/** What is to be brought back: a field, or the whole record. */
type Wish = { field: string } | 'all'

export function HistoryRevision({ resource, entry, revision, isNewest, mayWrite }: HistoryRevisionProps) {
  const t = useT()
  const [wish, setWish] = useState<Wish | null>(null)
  const goBack = useRevert(resource, entry)
  const { at, by, operation, locale, job, changes } = revision
  const what = `history.${operation}`
  const time = formatDateTime(at)
  const close = () => {
    goBack.reset()
    setWish(null)
  }
  const confirm = () => {
    if (!wish) return
    const body =
      wish === 'all'
        ? { to: 'after' as const, what: t('history.whole') }
        : { to: 'before' as const, fields: [wish.field], what: labelOf(resource, wish.field) }
    goBack.mutate({ revision: revision.id, ...body }, { onSuccess: close })
  }
  return (
    <li className="border-t border-line pt-3">
      <div className="flex flex-wrap items-baseline gap-x-2.5 gap-y-0.5">
        <span className="font-semibold">{nameOfPerson(by) ?? t('history.system')}</span>
        <time className="text-sm text-muted tabular-nums">{time}</time>
        <span className="text-sm text-muted">
          {t(hasMessage(what) ? what : 'history.other')}
          {locale ? <> · {localeNames[locale]}</> : null}
          {job ? <> · {t('history.byJob')}</> : null}
        </span>
      </div>
      <dl className="mt-2 grid gap-3">
        {Object.entries(changes).map(([name, { before, after }]) => (
          <div key={name}>
            <dt className="flex flex-wrap items-center gap-x-3 text-sm font-medium">
              {labelOf(resource, name)}
              {mayWrite && operation !== 'create' && isWritten(resource, name) ? (
                <LinkButton className="text-sm" onClick={() => setWish({ field: name })}>
                  {t('history.bringBack')}
                </LinkButton>
              ) : null}
            </dt>
            <dd className="mt-1 grid gap-2 md:grid-cols-2">
              <Value label={t('history.before')} {...{ resource, name, locale }} value={before} />
              <Value label={t('history.after')} {...{ resource, name, locale }} value={after} />
            </dd>
          </div>
        ))}
      </dl>
      {mayWrite && !isNewest ? (
        <LinkButton className="mt-2 text-sm" onClick={() => setWish('all')}>
          {t('history.bringBackAll')}
        </LinkButton>
      ) : null}
      <ConfirmDialog
        open={wish !== null}
        onOpenChange={(open) => !open && close()}
        title={
          wish && wish !== 'all'
            ? t('history.askField', { field: labelOf(resource, wish.field) })
            : t('history.askAll', { time })
        }
        description={t('history.askText')}
        confirmLabel={t('action.restore')}
        busy={goBack.isPending}
        failure={goBack.failure}
        onConfirm={confirm}
      />
    </li>
  )
}

const isWritten = ({ fields }: Resource, name: string) => {
  const field = fields[name]
  return field !== undefined && field.readOnly !== true
}

type ValueProps = Pick<HistoryRevisionProps, 'resource'> & {
  label: string
  name: string
  locale: Revision['locale']
  value: unknown
}

function Value({ label, resource, name, locale, value }: ValueProps) {
  const field: Field | undefined = resource.fields[name]
  return (
    <div className="min-w-0 rounded-2 bg-sunken px-3 py-2">
      <p className="text-sm text-muted">{label}</p>
      {field && isLink(field) ? (
        <Names value={value} />
      ) : (
        <FullValue resource={resource} name={name} value={value} lang={locale ?? undefined} />
      )}
    </div>
  )
}

const isNamed = (value: unknown): value is Named =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'

/** Links are told by name: their records may be gone. */
function Names({ value }: { value: unknown }) {
  const t = useT()
  const names = (Array.isArray(value) ? value : [value]).filter(isNamed)
  if (names.length === 0) return <span className="text-muted">{t('conflict.nothing')}</span>
  return <p className="wrap-anywhere">{names.map(({ name }) => name).join(', ')}</p>
}
