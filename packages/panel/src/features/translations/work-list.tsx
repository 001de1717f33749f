/** The records of a work list of translations: without the language, or with an outdated translation. */
import type { Locale, Screen } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ApiError } from '../../api/api-error.ts'
import { messageOfError } from '../../api/error-toasts.ts'
import { useTitleOf } from '../../fields/field-display.tsx'
import { cx } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { languagesOf, outdatedLocalesOf } from '../../resource/entry-languages.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { FailureState } from '../../ui/feedback/failure-state.tsx'
import { LanguageCoverage } from '../../ui/language-coverage.tsx'
import { Button } from '../../ui/button.tsx'
import { SegmentedControl } from '../../ui/inputs/segmented.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { DelayedContent, Skeleton } from '../../ui/feedback/skeleton.tsx'
import { translationsQuery, type OpenTranslationKind } from './translations.ts'
import type { TranslationQueue } from './use-work.ts'

interface WorkListProps {
  queue: TranslationQueue
  screen: Screen
  locale: Locale
  kind: OpenTranslationKind
  /** Id of the record that is open beside the work list. */
  shownId: number | undefined
}

export function WorkList({ queue, screen, locale, kind, shownId }: WorkListProps) {
  const t = useT()
  const reader = useLocale()
  const navigate = useNavigate()
  const titleOf = useTitleOf(screen.resource)
  const { data } = useQuery(translationsQuery)
  const counts = data?.find(
    (languageCounts) => languageCounts.resource === screen.resource.wire && languageCounts.locale === locale,
  )
  const setSearch = (search: Readonly<Record<string, string>>) => void navigate({ to: '.', search, replace: true })
  const segment = (value: OpenTranslationKind) => ({
    value,
    label: t(`desk.kind.${value}`),
    ...(counts && { count: formatNumber(reader, counts[value]) }),
  })
  const { entries, error } = queue
  return (
    <Sheet aria-label={t('desk.list')} className="overflow-hidden min-[1100px]:sticky min-[1100px]:top-(--top-h)">
      <div className="border-b border-line p-3">
        <SegmentedControl
          label={t('desk.list')}
          value={kind}
          onValueChange={(value) => setSearch({ of: value })}
          segments={[segment('missing'), segment('outdated')]}
          className="w-full"
        />
      </div>
      {error ? (
        <FailureState
          title={t('list.failed')}
          text={error instanceof ApiError && error.status > 0 ? messageOfError(error) : t('error.network.message')}
          onRetry={queue.retry}
        />
      ) : !entries ? (
        <DelayedContent>
          <div className="grid gap-3 p-4">
            {[0, 1, 2, 3, 4].map((row) => (
              <Skeleton key={row} className="h-8 w-full" />
            ))}
          </div>
        </DelayedContent>
      ) : entries.length === 0 ? (
        <EmptyState title={t('desk.done')} text={t(`desk.none.${kind}`)} />
      ) : (
        <ul
          aria-busy={queue.isOld}
          className={cx('overflow-y-auto p-1.5 min-[1100px]:max-h-[calc(100dvh-230px)]', queue.isOld && 'opacity-60')}
        >
          {entries.map((entry) => (
            <li key={entry.id}>
              <Link
                to="."
                search={(formerSearch: object) => ({ ...formerSearch, record: String(entry.id) })}
                replace
                resetScroll={false}
                aria-current={entry.id === shownId ? 'true' : undefined}
                className="grid gap-1 rounded-2 border-s-[3px] border-transparent px-2.5 py-2 -outline-offset-2 hover:bg-hover aria-[current]:border-brand-ui aria-[current]:bg-sunken aria-[current]:font-semibold max-md:min-h-11"
              >
                <span lang={typeof entry.locale === 'string' ? entry.locale : undefined} className="wrap-anywhere">
                  {titleOf(entry)}
                </span>
                <LanguageCoverage availableLocales={languagesOf(entry)} outdated={outdatedLocalesOf(entry)} />
              </Link>
            </li>
          ))}
        </ul>
      )}
      {queue.loadMoreRecords ? (
        <div className="flex justify-center border-t border-line p-1.5">
          <Button kind="quiet" onClick={queue.loadMoreRecords}>
            {t('action.showMore')}
          </Button>
        </div>
      ) : null}
    </Sheet>
  )
}
