/** List of earlier imports: file, state, user and counts, with a link to each. */
import type { Entry } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { isEntry, useTitleOf } from '../../../fields/field-display.tsx'
import { resourceNamed } from '../../../fields/relation/targets.ts'
import { cx } from '../../../lib/class-names.ts'
import { formatDateTime, formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { FailureState } from '../../../ui/feedback/failure-state.tsx'
import { Pager } from '../../../ui/layout/pager.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { DelayedContent, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { previousPageSize, previousImportsQuery } from '../import-api.ts'
import { countsText, StateChip, stateOf } from '../state-labels.tsx'
import { UndoImportButton } from '../undo-import.tsx'
import { kindLabel } from '../labels.ts'

const countOf = (record: Entry, name: string): number => (typeof record[name] === 'number' ? record[name] : 0)
const textOf = (record: Entry, name: string): string => (typeof record[name] === 'string' ? record[name] : '')

export function FormerImports({ kind }: { kind: string | undefined }) {
  const t = useT()
  const locale = useLocale()
  const [page, setPage] = useState(1)
  const { data, error, isPlaceholderData, refetch } = useQuery(previousImportsQuery(kind, page))
  return (
    <Sheet isStrip className="mt-5" aria-label={t('import.former')}>
      <h2 className="px-[18px] pt-4 pb-3 text-lg font-semibold">
        {t('import.former')}{' '}
        <span className="font-light text-muted">{data ? formatNumber(locale, data.total) : ''}</span>
      </h2>
      {error && !data ? (
        <FailureState title={t('list.failed')} text={messageOfFailure(error)} onRetry={() => void refetch()} />
      ) : !data ? (
        <DelayedContent>
          <div className="grid gap-3 border-t border-line p-[18px]">
            {[0, 1, 2].map((row) => (
              <Skeleton key={row} className="h-9 w-full" />
            ))}
          </div>
        </DelayedContent>
      ) : data.entries.length === 0 ? (
        <EmptyState title={t('empty.noData')} text={t('import.noFormer')} />
      ) : (
        <>
          <ul aria-busy={isPlaceholderData} className={cx(isPlaceholderData && 'opacity-60')}>
            {data.entries.map((record) => (
              <FormerImport key={record.id} record={record} withKind={kind === undefined} />
            ))}
          </ul>
          <div className="flex justify-end px-3 py-2 empty:hidden">
            <Pager page={page} pageSize={previousPageSize} total={data.total} onPageChange={setPage} />
          </div>
        </>
      )}
    </Sheet>
  )
}

function FormerImport({ record, withKind }: { record: Entry; withKind: boolean }) {
  const t = useT()
  const nameOf = useTitleOf(resourceNamed('users'))
  const { author } = record
  const state = stateOf(record['state'])
  const kind = textOf(record, 'kind')
  const counts = { created: countOf(record, 'created_count'), updated: countOf(record, 'updated_count') }
  const name = textOf(record, 'file_name')
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-t border-line px-[18px] py-2.5 md:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)_minmax(0,1fr)_auto] md:min-h-(--row)">
      <div className="min-w-0">
        <Link
          to={`/app/import/${record.id}`}
          className="inline-flex min-h-6 max-w-full items-center font-semibold underline-offset-[3px] hover:underline pointer-coarse:min-h-11"
        >
          <bdi dir="ltr" className="truncate">
            {name}
          </bdi>
        </Link>
        {withKind ? <p className="text-xs text-muted">{kindLabel(kind)}</p> : null}
      </div>
      <span className="justify-self-end md:justify-self-start">
        <StateChip state={state} />
      </span>
      <p className="text-sm text-muted max-md:col-span-2">
        <span className="tabular-nums">{formatDateTime(textOf(record, 'createdAt'))}</span>
        {isEntry(author) ? <>, {nameOf(author)}</> : null}
        <span className="block">{countsText(t, counts)}</span>
      </p>
      <span className="min-w-[120px] justify-self-end text-end max-md:col-span-2 max-md:justify-self-start max-md:empty:hidden">
        {state === 'done' ? <UndoImportButton id={record.id} counts={counts} name={name} variant="link" /> : null}
      </span>
    </li>
  )
}
