/**
 * The list of any resource: head, filter row, table or cards, pager. The declaration decides the differences.
 */
import type { Entry, Screen } from '@dala/model'
import { hashKey, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { Suspense, useEffect, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { messageOfError } from '../../api/error-toasts.ts'
import { meQuery } from '../../api/session.ts'
import { useTitleOf } from '../../fields/field-display.tsx'
import { cx } from '../../lib/class-names.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { hasMessage, firstTranslation, useLocale, useT } from '../../lib/i18n.ts'
import { narrowQuery, phoneQuery, useMedia } from '../../lib/hooks/use-media.ts'
import { useStable } from '../../lib/hooks/use-stable.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { FailureState } from '../../ui/feedback/failure-state.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { DelayedContent, Skeleton } from '../../ui/feedback/skeleton.tsx'
import { useWasEverTrue } from '../../ui/use-ever.ts'
import { lazyOptionalPart, lazyFeature, lazyPart, preload } from '../../ui/lazy-part.ts'
import { AwaitedPart } from '../../ui/awaited.tsx'
import { ListFilters } from './filters/filter-row.tsx'
import { ListFooter } from './footer.tsx'
import type { ListRowsProps } from './rows/row.tsx'
import { useSelection } from './selection.ts'
import { ListTable } from './rows/table.tsx'
import { WithRowTools, useRowMoves } from './row-actions/with-row-tools.tsx'
import { newAddress } from '../screen-address.ts'
import type { ListSlots } from '../screen-parts.ts'
import { totalText } from '../total-text.ts'
import { grantForUser, useMay } from '../use-may.ts'
import { pageQuery, clearConditions, setSearch } from './list-session.ts'
import { type ResourceList, useListPage, useResourceList } from './use-resource-list.ts'

const loadCompact = () => import('./rows/compact.tsx')
const ListCompact = lazyPart(async () => (await loadCompact()).ListCompact)
const LiveNotice = lazyOptionalPart(async () => (await import('../live/notice.tsx')).LiveNotice)
const ListGroups = lazyFeature(async () => (await import('./rows/groups.tsx')).ListGroups)
const ViewMenu = lazyOptionalPart(async () => (await import('../views/menu.tsx')).ViewMenu)
const ListNotices = lazyOptionalPart(async () => (await import('./notices.tsx')).ListNotices)
const DeleteRecordDialog = lazyFeature(async () => (await import('../record/delete-dialog.tsx')).DeleteRecordDialog)

const noEntries: readonly Entry[] = []
const noSlots: ListSlots = {}
const viewPlaceholder = <span className="w-11" />

/**
 * Key of the sentence about a list. Its type is text, because the compiler takes seconds to narrow a text that may also
 * be one of the thousands of message keys.
 */
const aboutKeyOf = ({ labelPrefix }: Screen, { about }: ListSlots): string => about ?? `${labelPrefix}.about`

export interface ListScreenProps {
  screen: Screen
  /** Parts of the list that its screen fills in its own way. */
  slots?: ListSlots | undefined
}

/** A user without read permission sees a message; the server is not asked. */
export function ListScreen({ screen, slots = noSlots }: ListScreenProps) {
  const t = useT()
  const { data: me } = useQuery(meQuery)
  if (!me || grantForUser(screen.resource, 'list', me) !== false) return <ReadableList screen={screen} slots={slots} />
  return (
    <Sheet className="mt-6">
      <FailureState title={t('error.403.title')} text={t('error.403.message')} status={403} />
      <p className="-mt-8 pb-12 text-center">
        <Link to="/app" className={buttonClass('plain')}>
          {t('action.goHome')}
        </Link>
      </p>
    </Sheet>
  )
}

function ReadableList({ screen: declaredScreen, slots }: Required<ListScreenProps> & { slots: ListSlots }) {
  const t = useT()
  const locale = useLocale()
  const list = useResourceList(declaredScreen, slots)
  const { screen } = list
  const page = useListPage(list)
  const titleOf = useTitleOf(screen.resource)
  const [deletedEntry, setDeletedEntry] = useState<Entry | null>(null)
  const hasOpenedDelete = useWasEverTrue(deletedEntry !== null)
  const selection = useSelection(list)
  const title = slots.title ?? firstTranslation([`${screen.labelPrefix}.many`])
  const aboutKey = aboutKeyOf(screen, slots)
  const { Above, Actions, Beside } = slots
  const isNarrow = useMedia(narrowQuery)
  const isSideBySide = Beside !== undefined && !isNarrow
  useDocumentTitle(title)
  const clearAllFilters = () => list.go(clearConditions(list))
  useCommands([
    { id: 'list.clear', title: t('action.clearFilters'), run: clearAllFilters, isActive: list.query.isNarrowed },
  ])

  // The code of the cards loads together with the rows, which need it.
  const isCompact = useIsCompact(list)
  useEffect(() => {
    if (isCompact) preload(loadCompact)
  }, [isCompact])

  const data = page.data
  const entries = data?.entries ?? noEntries
  const onMove = useRowMoves(list, entries)
  const toggleEntry = useStable((entry: Entry, range: boolean) => selection?.toggleEntry(entries, entry, range))
  const move = useStable((entry: Entry, step: -1 | 1) => onMove?.(entry, step))
  const rows = { list, slots, selection, onToggle: toggleEntry, onMove: onMove && move }
  return (
    <>
      <PageHead
        isSlim
        // Content above the sheet of the list takes the space of the head.
        isDense={Above !== undefined}
        title={title}
        total={data && totalText(locale, data)}
        about={hasMessage(aboutKey) ? t(aboutKey) : ''}
        actions={
          <>
            {/* The space of the list's menu is reserved: the menu loads after the rows. */}
            <Suspense fallback={viewPlaceholder}>{data ? <ViewMenu list={list} /> : viewPlaceholder}</Suspense>
            {Actions ? <Actions screen={screen} list={list} /> : null}
            <AddLink list={list} slots={slots} />
          </>
        }
      />
      {Above ? <Above screen={screen} list={list} /> : null}
      {data ? (
        <Suspense fallback={null}>
          <ListNotices list={list} />
        </Suspense>
      ) : null}
      <div className={cx(isSideBySide && 'grid grid-cols-[minmax(0,1fr)_264px] items-start gap-5')}>
        <Sheet isStrip aria-label={title}>
          <ListFilters list={list} slots={slots} isReady={data !== undefined} />
          {/* Rows that cannot be refreshed stay on screen, with the text being typed in them. */}
          {page.error && !data ? (
            <ListFailure error={page.error} onRetry={() => void page.refetch()} />
          ) : data ? (
            <>
              <Suspense fallback={null}>
                <LiveNotice hash={hashKey(pageQuery(list).queryKey)} />
              </Suspense>
              <div
                aria-busy={page.isPlaceholderData}
                className={cx('transition-opacity duration-(--dur-2)', page.isPlaceholderData && 'opacity-60')}
              >
                <WithRowTools {...rows} entries={data.entries} total={data.total}>
                  {data.entries.length === 0 ? (
                    <NoRows list={list} slots={slots} total={data.total} onClear={clearAllFilters} />
                  ) : (
                    <Rows {...rows} entries={data.entries} onDelete={setDeletedEntry} />
                  )}
                </WithRowTools>
                <ListFooter list={list} data={data} />
              </div>
            </>
          ) : (
            <WaitingList rows={list.paging.size} />
          )}
        </Sheet>
        {isSideBySide && Beside ? <Beside screen={screen} /> : null}
      </div>
      {hasOpenedDelete ? (
        <AwaitedPart onGiveUp={() => setDeletedEntry(null)}>
          <DeleteRecordDialog
            resource={screen.resource}
            labelPrefix={screen.labelPrefix}
            record={deletedEntry}
            name={deletedEntry ? titleOf(deletedEntry) : ''}
            onClose={() => setDeletedEntry(null)}
          />
        </AwaitedPart>
      ) : null}
    </>
  )
}

interface PartProps {
  list: ResourceList
  slots: ListSlots
}

/** The button for new records is absent without the permission to add them. */
function AddLink({
  list: { screen, query },
  slots,
  variant = 'primary',
}: PartProps & { variant?: 'primary' | 'plain' }) {
  const t = useT()
  const may = useMay(screen.resource)
  if (!may('create')) return null
  const { to, search: values } = newAddress(screen, slots.preset)
  return (
    <Link
      to={to}
      search={{ ...values, ...(query.search.lang && { lang: query.search.lang }) }}
      className={buttonClass(variant)}
    >
      <Plus size={18} aria-hidden />
      <span data-word="">{t('action.addNew')}</span>
    </Link>
  )
}

function useIsCompact({ display }: ResourceList): boolean {
  const isPhone = useMedia(phoneQuery)
  return display.mode !== 'list' || isPhone
}

/** The rows of every mode have the same model: the table, its cards on a phone, or the pictures. */
function Rows(props: ListRowsProps) {
  const isPhone = useMedia(phoneQuery)
  const { display, order } = props.list
  const { mode } = display
  const rows = mode === 'list' && !isPhone ? <ListTable {...props} /> : <ListCompact {...props} mode={mode} />
  return (
    <Suspense fallback={<WaitingList rows={props.entries.length} />}>
      {order.group === undefined ? rows : <ListGroups {...props}>{rows}</ListGroups>}
    </Suspense>
  )
}

/**
 * Message in place of rows: an empty list, an empty result, and a page past the end have different messages.
 */
function NoRows({ list, slots, total, onClear }: PartProps & { total: number; onClear: () => void }) {
  const t = useT()
  if (total > 0) {
    return (
      <EmptyState
        title={t('empty.noData')}
        action={<Button onClick={() => list.go(setSearch(list, { page: 1 }))}>{t('action.first')}</Button>}
      />
    )
  }
  if (list.query.isNarrowed) {
    return (
      <EmptyState
        title={t('empty.noData')}
        text={t('empty.noResults')}
        action={<Button onClick={onClear}>{t('action.clearFilters')}</Button>}
      />
    )
  }
  const aboutKey = aboutKeyOf(list.screen, slots)
  return (
    <EmptyState
      title={t('empty.noData')}
      text={hasMessage(aboutKey) ? t(aboutKey) : undefined}
      // The button of an empty list is plain, because the head of the list already has the primary button.
      action={<AddLink list={list} slots={slots} variant="plain" />}
    />
  )
}

function ListFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useT()
  const status = error instanceof ApiError && error.status > 0 ? { status: error.status } : {}
  const text = error instanceof ApiError && error.status > 0 ? messageOfError(error) : t('error.network.message')
  return <FailureState title={t('list.failed')} text={text} {...status} onRetry={onRetry} />
}

function WaitingList({ rows }: { rows: number }) {
  return (
    <DelayedContent>
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
    </DelayedContent>
  )
}
