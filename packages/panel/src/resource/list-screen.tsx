/** The list of any resource: head, filter row, table or cards, pager; what differs is said by the declaration. */
import { defaultPageSize, type Entry, type Resource, resourceTitle } from '@dala/model'
import { Link } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { wordsOfError } from '../api/error-toasts.ts'
import { useTitleOf } from '../fields/field-display.tsx'
import { cx } from '../lib/class-names.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { formatNumber } from '../lib/format.ts'
import { hasMessage, tFirst, useLocale, useT } from '../lib/i18n.ts'
import { phone, useMedia } from '../lib/use-media.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { FailureState } from '../ui/failure-state.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Delayed, Skeleton } from '../ui/skeleton.tsx'
import { DeleteRecordDialog } from './delete-record-dialog.tsx'
import { ListCards } from './list-cards.tsx'
import { ListFilters } from './list-filters.tsx'
import { ListFooter } from './list-footer.tsx'
import { ListTable } from './list-table.tsx'
import { isNarrowed } from './list-search.ts'
import { type ResourceList, useListPage, useResourceList } from './use-resource-list.ts'

export function ListScreen({ resource }: { resource: Resource }) {
  const t = useT()
  const locale = useLocale()
  const list = useResourceList(resource)
  const page = useListPage(resource, list)
  const titleOf = useTitleOf(resource)
  const [leaving, setLeaving] = useState<Entry | null>(null)
  const title = tFirst([resourceTitle(resource)])
  const about = `${resource.name}.about`
  useDocumentTitle(title)

  const data = page.data
  return (
    <>
      <PageHead
        title={title}
        total={data && formatNumber(locale, data.total)}
        text={hasMessage(about) ? t(about) : undefined}
        actions={<AddLink resource={resource} list={list} />}
      />
      <Sheet strip aria-label={title}>
        <ListFilters resource={resource} list={list} />
        {page.error && !page.isPlaceholderData ? (
          <ListFailure error={page.error} onRetry={() => void page.refetch()} />
        ) : data ? (
          <div
            aria-busy={page.isPlaceholderData}
            className={cx('transition-opacity duration-(--dur-2)', page.isPlaceholderData && 'opacity-60')}
          >
            {data.entries.length === 0 ? (
              <NoRows resource={resource} list={list} total={data.total} />
            ) : (
              <Rows resource={resource} list={list} entries={data.entries} onDelete={setLeaving} />
            )}
            <ListFooter list={list} total={data.total} shown={data.entries.length} />
          </div>
        ) : (
          <Waiting rows={list.search.size ?? defaultPageSize} />
        )}
      </Sheet>
      <DeleteRecordDialog
        resource={resource}
        record={leaving}
        name={leaving ? titleOf(leaving) : ''}
        onClose={() => setLeaving(null)}
      />
    </>
  )
}

function AddLink({ resource, list }: { resource: Resource; list: ResourceList }) {
  const t = useT()
  return (
    <Link
      to={`/app/${resource.path}/new`}
      search={list.search.lang ? { lang: list.search.lang } : {}}
      className={buttonClass('primary')}
    >
      <Plus size={18} aria-hidden />
      {t('action.addNew')}
    </Link>
  )
}

interface RowsProps {
  resource: Resource
  list: ResourceList
  entries: readonly Entry[]
  onDelete: (entry: Entry) => void
}

function Rows(props: RowsProps) {
  return useMedia(phone) ? <ListCards {...props} /> : <ListTable {...props} />
}

/** Nothing there, nothing found, or a page past the end: three different sentences. */
function NoRows({ resource, list, total }: { resource: Resource; list: ResourceList; total: number }) {
  const t = useT()
  if (total > 0) {
    return (
      <EmptyState
        title={t('empty.noData')}
        action={<Button onClick={() => list.change({ page: 1 })}>{t('action.first')}</Button>}
      />
    )
  }
  if (isNarrowed(list.search)) {
    return (
      <EmptyState
        title={t('empty.noData')}
        text={t('empty.noResults')}
        action={<Button onClick={list.clear}>{t('action.clearFilters')}</Button>}
      />
    )
  }
  const about = `${resource.name}.about`
  return (
    <EmptyState
      title={t('empty.noData')}
      text={hasMessage(about) ? t(about) : undefined}
      action={<AddLink resource={resource} list={list} />}
    />
  )
}

function ListFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useT()
  const status = error instanceof ApiError && error.status > 0 ? { status: error.status } : {}
  const text = error instanceof ApiError && error.status > 0 ? wordsOfError(error) : t('error.network.message')
  return <FailureState title={t('list.failed')} text={text} {...status} onRetry={onRetry} />
}

function Waiting({ rows }: { rows: number }) {
  return (
    <Delayed>
      <div className="border-t border-line">
        {Array.from({ length: rows }, (_, index) => (
          <div key={index} className="flex h-(--row) items-center gap-6 border-b border-line px-4 last:border-0">
            <Skeleton className="h-4 w-1/3" />
            <Skeleton className="h-4 w-1/6" />
            <Skeleton className="h-4 w-1/6" />
            <Skeleton className="ms-auto h-4 w-24" />
          </div>
        ))}
      </div>
    </Delayed>
  )
}
