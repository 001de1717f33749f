/** One revision of a record: who, when, each field's old and new value, and the buttons that revert it. */
import { localeNames, type Resource, type Revision } from '@dala/model'
import { useState } from 'react'
import { nameOfPerson } from '../../api/error-toasts.ts'
import { labelOf } from '../../fields/field-display.tsx'
import { formatDateTime } from '../../lib/format.ts'
import { hasMessage, useT } from '../../lib/i18n.ts'
import { LinkButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx'
import { ChangedFields } from './changed-fields.tsx'
import { useRevert } from './use-revert.ts'

interface HistoryRevisionProps {
  resource: Resource
  /** Entry whose history is shown. */
  entry: { id: number; version: number }
  revision: Revision
  /** Whether the record still has the values of this revision. */
  isNewest: boolean
  mayWrite: boolean
}

/** Field to revert to the revision, or the whole record. */
type RevertTarget = { field: string } | 'all'

export function HistoryRevision({ resource, entry, revision, isNewest, mayWrite }: HistoryRevisionProps) {
  const t = useT()
  const [revertTarget, setRevertTarget] = useState<RevertTarget | null>(null)
  const revertMutation = useRevert(resource, entry)
  const { at, by, operation, locale, job, changes } = revision
  const operationKey = `history.${operation}`
  const time = formatDateTime(at)
  const closeDialog = () => {
    revertMutation.reset()
    setRevertTarget(null)
  }
  const confirm = () => {
    if (!revertTarget) return
    const body =
      revertTarget === 'all'
        ? { to: 'after' as const, actionText: t('history.whole') }
        : { to: 'before' as const, fields: [revertTarget.field], actionText: labelOf(resource, revertTarget.field) }
    revertMutation.mutate({ revision: revision.id, ...body }, { onSuccess: closeDialog })
  }
  return (
    <li className="border-t border-line pt-3">
      <div className="flex flex-wrap items-baseline gap-x-2.5 gap-y-0.5">
        <span className="font-semibold">{nameOfPerson(by) ?? t('history.system')}</span>
        <time className="text-sm text-muted tabular-nums">{time}</time>
        <span className="text-sm text-muted">
          {t(hasMessage(operationKey) ? operationKey : 'history.other')}
          {locale ? <> · {localeNames[locale]}</> : null}
          {job ? <> · {t('history.byJob')}</> : null}
        </span>
      </div>
      <ChangedFields
        resource={resource}
        changes={changes}
        locale={locale}
        actionOf={(name) =>
          mayWrite && operation !== 'create' && isWritten(resource, name) ? (
            <LinkButton className="text-sm" onClick={() => setRevertTarget({ field: name })}>
              {t('history.bringBack')}
            </LinkButton>
          ) : null
        }
      />
      {mayWrite && !isNewest ? (
        <LinkButton className="mt-2 text-sm" onClick={() => setRevertTarget('all')}>
          {t('history.bringBackAll')}
        </LinkButton>
      ) : null}
      <ConfirmDialog
        open={revertTarget !== null}
        onOpenChange={(isOpen) => !isOpen && closeDialog()}
        title={
          revertTarget && revertTarget !== 'all'
            ? t('history.askField', { field: labelOf(resource, revertTarget.field) })
            : t('history.askAll', { time })
        }
        description={t('history.askText')}
        confirmLabel={t('action.restore')}
        isBusy={revertMutation.isPending}
        failure={revertMutation.failure}
        onConfirm={confirm}
      />
    </li>
  )
}

const isWritten = ({ fields }: Resource, name: string) => {
  const field = fields[name]
  return field !== undefined && field.readOnly !== true
}
