/**
 * Records deleted in the last 30 days: who deleted each, until when it can be restored, and the restore
 * button.
 */
import { type Resource, resources, resourceTitle } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { meQuery } from '../../api/session.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { compareText, formatNumber } from '../../lib/format.ts'
import { firstTranslation, useLocale, useT } from '../../lib/i18n.ts'
import { hasTrash, trashQuery } from '../../resource/history/queries.ts'
import { grantForUser } from '../../resource/use-may.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { FailureState } from '../../ui/feedback/failure-state.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Pager } from '../../ui/layout/pager.tsx'
import { Select } from '../../ui/inputs/select.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { DelayedContent, Skeleton } from '../../ui/feedback/skeleton.tsx'
import { TrashRow } from './trash-row.tsx'

const pageSize = 20
const allValue = ''

/** Parameters of the trash's address: the kind of records, and the page. */
function useTrashParameters() {
  const { kind, page }: { kind?: unknown; page?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = (searchChange: { kind?: string | undefined; page?: string | undefined }) =>
    void navigate({
      to: '.',
      search: (formerSearch: object) => ({ ...formerSearch, ...searchChange }),
      resetScroll: false,
    })
  return {
    kind: typeof kind === 'string' ? kind : allValue,
    page: Math.max(1, Number(page) || 1),
    showKind: (newKind: string) => change({ kind: newKind || undefined, page: undefined }),
    showPage: (newPage: number) => change({ page: String(newPage) }),
  }
}

export function TrashScreen() {
  const t = useT()
  const locale = useLocale()
  const { data: me } = useQuery(meQuery)
  const { kind, page, showKind, showPage } = useTrashParameters()
  const list = useRef<HTMLElement>(null)
  const { data, error, refetch, isFetching } = useQuery(trashQuery(kind || undefined, page, locale, pageSize))
  useDocumentTitle(t('trash.title'))
  const kinds = Object.values<Resource>(resources)
    .filter((resource) => hasTrash(resource) && me && grantForUser(resource, 'remove', me) !== false)
    .map((resource) => ({ value: resource.wire, label: firstTranslation([resourceTitle(resource)]) }))
    .toSorted((one, other) => compareText(locale, one.label, other.label))
  const total = data?.meta.pagination.total
  return (
    <>
      <PageHead
        title={t('trash.title')}
        total={total === undefined ? undefined : formatNumber(locale, total)}
        about={t('trash.text')}
      />
      <div className="mb-4 flex flex-wrap gap-2">
        <Select
          variant="filter"
          aria-label={t('trash.kind')}
          value={kind}
          onValueChange={showKind}
          choices={[{ value: allValue, label: t('trash.allKinds') }, ...kinds]}
        />
      </div>
      <Sheet
        isStrip
        ref={list}
        tabIndex={-1}
        aria-label={t('trash.title')}
        aria-busy={isFetching}
        className="outline-0"
      >
        {error && !data ? (
          <FailureState title={t('trash.failed')} text={messageOfFailure(error)} onRetry={() => void refetch()} />
        ) : null}
        {!data && !error ? <TrashSkeleton /> : null}
        {data?.data.length === 0 ? <EmptyState title={t('trash.empty')} text={t('trash.emptyText')} /> : null}
        {data && data.data.length > 0 ? (
          <ul>
            {data.data.map((line) => (
              <TrashRow
                key={`${line.resource}/${line.id}`}
                line={line}
                // The row of the restored record disappears from the trash: the list takes the focus.
                onRestored={() => list.current?.focus()}
              />
            ))}
          </ul>
        ) : null}
      </Sheet>
      {total === undefined ? null : (
        <div className="mt-4 flex justify-end">
          <Pager page={page} pageSize={pageSize} total={total} onPageChange={showPage} />
        </div>
      )}
    </>
  )
}

function TrashSkeleton() {
  return (
    <DelayedContent>
      <div className="grid gap-5 p-6">
        {[0, 1, 2, 3].map((row) => (
          <Skeleton key={row} className="h-10 w-full" />
        ))}
      </div>
    </DelayedContent>
  )
}
