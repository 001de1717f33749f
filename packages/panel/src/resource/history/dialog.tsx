/** The history of a record: who changed which value to which, and the buttons that revert it. */
import { type Entry, type Field, type Locale, localeNames, type Resource } from '@dala/model'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { meQuery } from '../../api/session.ts'
import { labelOf } from '../../fields/field-display.tsx'
import { useLocale, useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { FailureState } from '../../ui/feedback/failure-state.tsx'
import { Select } from '../../ui/inputs/select.tsx'
import { DelayedContent, Skeleton } from '../../ui/feedback/skeleton.tsx'
import { type FormRights, formRights } from '../form/rights.ts'
import { familyOf } from '../form/values.ts'
import { historyQuery } from './queries.ts'
import { HistoryRevision } from './revision.tsx'
import { useMay } from '../use-may.ts'

interface HistoryDialogProps {
  resource: Resource
  record: Entry
  /** Language of the record that the history shows. */
  language: Locale
  /** Field of the record that the history is limited to. */
  field: string | undefined
  onClose: () => void
}

const allValue = ''

/** Fields of the record that have a history and that the user may see. */
const revisionFields = ({ fields }: Resource, rights: FormRights) =>
  Object.entries<Field>(fields).flatMap(([name, field]) =>
    field.kind === 'password' || field.kind === 'count' || field.computed || !rights.mayRead(name) ? [] : [name],
  )

export function HistoryDialog({ resource, record, language, field, onClose }: HistoryDialogProps) {
  const t = useT()
  const reader = useLocale()
  const languageFamily = familyOf(resource, record)
  const languages = [...languageFamily.keys()]
  const [selection, setSelection] = useState({ field: field ?? allValue, language })
  const may = useMay(resource)
  const { data: me } = useQuery(meQuery)
  const member = languageFamily.get(selection.language) ?? languageFamily.values().next().value
  const entry = { id: member?.id ?? record.id, version: member?.version ?? Number(record.version) }
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(
    historyQuery(resource, entry.id, reader, selection.field || undefined),
  )
  const revisions = data?.pages.flatMap((page) => page.data) ?? []
  const fields = me ? revisionFields(resource, formRights(resource, record, me)) : []
  return (
    <Dialog
      isWide
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('history.title')}
      description={t('history.text')}
      actions={<Button onClick={onClose}>{t('action.close')}</Button>}
    >
      <div className="mb-4 flex flex-wrap gap-2">
        <Select
          variant="filter"
          aria-label={t('history.field')}
          value={selection.field}
          onValueChange={(name) => setSelection({ ...selection, field: name })}
          choices={[
            { value: allValue, label: t('history.allFields') },
            ...fields.map((name) => ({ value: name, label: labelOf(resource, name) })),
          ]}
        />
        {languages.length > 1 ? (
          <Select
            variant="filter"
            aria-label={t('history.language')}
            value={selection.language}
            onValueChange={(locale) => setSelection({ ...selection, language: locale })}
            choices={languages.map((locale) => ({ value: locale, label: localeNames[locale], lang: locale }))}
          />
        ) : null}
      </div>
      {error && !data ? (
        <FailureState title={t('history.failed')} text={messageOfFailure(error)} onRetry={() => void refetch()} />
      ) : null}
      {!data && !error ? <HistorySkeleton /> : null}
      {data && revisions.length === 0 ? <EmptyState title={t('history.empty')} /> : null}
      <ol className="grid gap-5">
        {revisions.map((revision, index) => (
          <HistoryRevision
            key={revision.id}
            resource={resource}
            entry={entry}
            revision={revision}
            isNewest={index === 0 && selection.field === allValue}
            mayWrite={may('update', record)}
          />
        ))}
      </ol>
      {hasNextPage ? (
        <div className="mt-4">
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('history.more')}
          </Button>
        </div>
      ) : null}
    </Dialog>
  )
}

function HistorySkeleton() {
  return (
    <DelayedContent>
      <div className="grid gap-4">
        {[0, 1, 2].map((row) => (
          <Skeleton key={row} className="h-16 w-full" />
        ))}
      </div>
    </DelayedContent>
  )
}
