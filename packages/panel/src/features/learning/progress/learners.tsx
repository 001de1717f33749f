/** The learners of a course: search, order, pages, their certificates, and the sheet with all of them. */
import { useQuery } from '@tanstack/react-query'
import Download from 'lucide-react/icons/download'
import Search from 'lucide-react/icons/search'
import { ApiError } from '../../../api/api-error.ts'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { cx } from '../../../lib/class-names.ts'
import { formatNumber } from '../../../lib/format.ts'
import { phoneQuery, useMedia } from '../../../lib/hooks/use-media.ts'
import { useTypedSearch } from '../../../lib/hooks/use-typed-search.ts'
import { useLocale, useT, useWrittenLocale } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { FailureState } from '../../../ui/feedback/failure-state.tsx'
import { DelayedContent, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { FramedInput } from '../../../ui/inputs/input.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import { Pager } from '../../../ui/layout/pager.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { PercentRule } from '../percent-rule.tsx'
import { learnersQuery, loadSheet } from './api.ts'
import { columnLabels, LearnerCards, LearnerTable } from './learner-rows.tsx'
import { learnerColumns, learnersOnPage, type ProgressState } from './progress-search.ts'
import { useDownload } from '../../../resource/list/use-download.ts'

export function Learners({ course, state }: { course: number; state: ProgressState }) {
  const t = useT()
  const locale = useLocale()
  const written = useWrittenLocale()
  const isPhone = useMedia(phoneQuery)
  const { search, change } = state
  const { data, error, isPlaceholderData, refetch } = useQuery(learnersQuery(course, search, locale))
  const sheet = useDownload(() => loadSheet(course, search, written))
  const [text, setText, sendNow] = useTypedSearch(search.q, (searchText) => change({ q: searchText, page: 1 }, true))
  const Rows = isPhone ? LearnerCards : LearnerTable
  const title = t('learning.learners')
  const total = data?.meta.pagination.total ?? 0
  const shownCount = data?.data.length ?? 0
  return (
    <Sheet aria-label={title}>
      <div className="grid gap-3 px-4 py-3.5 max-md:px-3.5">
        <div className="flex flex-wrap items-center gap-2.5">
          <h2 className="me-auto text-lg font-semibold">{title}</h2>
          <FramedInput
            type="search"
            icon={<Search size={16} aria-hidden />}
            aria-label={t('learning.learners.search')}
            placeholder={t('list.searchPlaceholder')}
            value={text}
            maxLength={200}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.nativeEvent.isComposing) sendNow()
            }}
            className="max-md:order-1 max-md:w-full md:w-64"
          />
          {isPhone ? (
            <Select
              aria-label={t('list.sortBy')}
              value={search.sort.column}
              onValueChange={(column) =>
                change({ sort: { column, descending: column !== 'name' && column !== 'region' }, page: 1 })
              }
              choices={learnerColumns.map((value) => ({ value, label: t(columnLabels[value]) }))}
              className="order-2 w-full"
            />
          ) : null}
          <Button
            icon={<Download size={16} aria-hidden />}
            isBusy={sheet.isPending}
            disabled={total === 0 && t('empty.noData')}
            onClick={() => sheet.mutate()}
          >
            {t('export.as.xlsx')}
          </Button>
        </div>
        <PercentRule />
      </div>
      {error && !data ? (
        <FailureState
          title={t('learning.learners.failed')}
          text={messageOfFailure(error)}
          {...(error instanceof ApiError && error.status > 0 && { status: error.status })}
          onRetry={() => void refetch()}
        />
      ) : !data ? (
        <DelayedContent>
          {[0, 1, 2].map((row) => (
            <div key={row} className="flex h-(--row) items-center gap-6 border-t border-line px-4">
              <Skeleton className="h-4 w-1/3" />
              <Skeleton className="ms-auto h-4 w-24" />
            </div>
          ))}
        </DelayedContent>
      ) : data.data.length === 0 ? (
        <EmptyState title={t('empty.noData')} text={t('empty.noResults')} />
      ) : (
        <div
          aria-busy={isPlaceholderData}
          className={cx('transition-opacity duration-(--dur-2)', isPlaceholderData && 'opacity-60')}
        >
          <Rows course={course} rows={data.data} state={state} />
        </div>
      )}
      {total > 0 ? (
        <footer className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-4 py-2.5">
          <output className="text-sm text-muted tabular-nums">
            <bdi>
              {t('list.range', {
                from: formatNumber(locale, shownCount === 0 ? 0 : (search.page - 1) * learnersOnPage + 1),
                to: formatNumber(locale, shownCount === 0 ? 0 : (search.page - 1) * learnersOnPage + shownCount),
                total: formatNumber(locale, total),
              })}
            </bdi>
          </output>
          <div className="ms-auto">
            <Pager
              page={search.page}
              pageSize={learnersOnPage}
              total={total}
              onPageChange={(page) => change({ page })}
            />
          </div>
        </footer>
      ) : null}
    </Sheet>
  )
}
