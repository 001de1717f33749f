/** The pages of a section under their headings, each with its number of records. */
import type { Screen } from '@dala/model'
import { useIsFetching, useQuery } from '@tanstack/react-query'
import { Link, useLocation, useRouterState } from '@tanstack/react-router'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { resourceQueries } from '../../../api/resource-queries.ts'
import { meQuery } from '../../../api/session.ts'
import { cx } from '../../../lib/class-names.ts'
import { firstTranslation, useLocale, useT } from '../../../lib/i18n.ts'
import { lazyOptionalPart } from '../../../ui/lazy-part.ts'
import { limitRows } from '../../../resource/screen-for-user.ts'
import type { MenuNoteProps, PageNoteProps } from '../../../resource/screen-parts.ts'
import { totalText } from '../../../resource/total-text.ts'
import { menuEntryClass } from '../../../ui/menu-note.ts'
import { pageNotes } from '../../own-pages.ts'
import { ownScreens } from '../../own-screens.ts'
import type { Section } from './sections.ts'
import { useCurrentScreen } from '../use-current-screen.ts'

const PinnedViews = lazyOptionalPart(async () => (await import('./pinned-views.tsx')).PinnedViews)

/**
 * Custom parts of screens in the menu, by path: a note below the item, items in its place, open work at the
 * foot.
 */
const renderSlot = (slot: 'note' | 'entries' | 'waitingCount') =>
  Object.fromEntries(
    Object.entries(ownScreens).flatMap(([path, { [slot]: load }]) => (load ? [[path, lazyOptionalPart(load)]] : [])),
  )
const [notes, entries, waits] = [renderSlot('note'), renderSlot('entries'), renderSlot('waitingCount')]

/** Parts of pages without a resource in the menu, by path. */
const renderPageNotes = (slot: 'count' | 'foot') =>
  Object.fromEntries(Object.entries(pageNotes).map(([path, { [slot]: load }]) => [path, lazyOptionalPart(load)]))
const [pageCounts, pageFeet] = [renderPageNotes('count'), renderPageNotes('foot')]

export interface SubMenuProps {
  section: Section
  /** Place of the submenu: a column of the shell, or inside a sheet. */
  variant: 'column' | 'sheet'
  onGo?: () => void
}

/** Largest number of pages whose records are counted, one call for each page. */
const maxCountedPages = 8
const countStaleTime = 60_000
/** Reports are computed, not stored, so their number means nothing. */
const isCounted = ({ resource }: Screen) => !resource.single && resource.name !== 'statistics'

export function SubMenu({ section, variant, onGo }: SubMenuProps) {
  const t = useT()
  const { pathname } = useLocation()
  const { screen: currentScreen, isBelow } = useCurrentScreen()
  const isQuiet = useNetworkQuiet()
  const title = t(`section.${section.name}`)
  const isCounted = section.pages.length <= maxCountedPages
  const groups = groupsOf(section.pages)
  const isCurrentSection = currentScreen?.section === section.name
  // A page below another one of the menu is current alone.
  const currentPath = section.others
    .map(({ path }) => path)
    .filter((path) => !isBelow && pathname.startsWith(`/app/${path}`))
    .reduce((longest, path) => (path.length > longest.length ? path : longest), '')
  const entry = { current: currentScreen, areRecordsCounted: isCounted, isQuiet, ...(onGo ? { onGo } : {}) }
  return (
    <nav
      aria-label={t('nav.sectionPages', { section: title })}
      className={cx(
        'flex flex-col gap-0.5 bg-sunken',
        variant === 'column'
          ? 'sticky top-0 h-dvh w-(--sub-w) shrink-0 overflow-y-auto border-e border-line px-3 py-5'
          : 'px-1 pt-1 pb-3',
      )}
    >
      <h2 className={cx('px-3 text-lg font-semibold', variant === 'column' ? 'pb-3.5' : 'pb-2')}>{title}</h2>
      {groups.map(({ name, pages }, index) =>
        name === undefined ? (
          pages.map((page) => <Entry key={page.path} page={page} {...entry} />)
        ) : (
          <EntryGroup
            key={name}
            title={t(`settings.group.${name}`)}
            // A section that is only previewed expands its first group.
            isCurrent={isCurrentSection ? currentScreen !== undefined && pages.includes(currentScreen) : index === 0}
          >
            {pages.map((page) => (
              <Entry key={page.path} page={page} {...entry} />
            ))}
          </EntryGroup>
        ),
      )}
      {section.others.map(({ path, title }) => (
        <Link
          key={path}
          to={`/app/${path}`}
          activeOptions={{ exact: true }}
          aria-current={path === currentPath ? 'page' : undefined}
          {...(onGo ? { onClick: onGo } : {})}
          className={menuEntryClass}
        >
          <span className="min-w-0 flex-1">{t(title)}</span>
          {isQuiet ? <PageNote slots={pageCounts} path={path} {...(onGo ? { onGo } : {})} /> : null}
        </Link>
      ))}
      {isQuiet && section.pages.some(({ path }) => waits[path]) ? (
        <div className="mt-auto pt-4 empty:hidden">
          {section.pages.map((page) => (
            <MenuPart key={page.path} slots={waits} page={page} {...(onGo ? { onGo } : {})} />
          ))}
        </div>
      ) : null}
      {isQuiet && section.others.some(({ path }) => pageFeet[path]) ? (
        <div className="mt-auto pt-4 empty:hidden">
          {section.others.map(({ path }) => (
            <PageNote key={path} slots={pageFeet} path={path} {...(onGo ? { onGo } : {})} />
          ))}
        </div>
      ) : null}
    </nav>
  )
}

/** Neighbouring pages of one group are under its heading; pages without a group have none. */
function groupsOf(pages: readonly Screen[]): { name: Screen['group']; pages: Screen[] }[] {
  const groups: { name: Screen['group']; pages: Screen[] }[] = []
  for (const page of pages) {
    const lastGroup = groups.at(-1)
    if (lastGroup && lastGroup.name === page.group) lastGroup.pages.push(page)
    else groups.push({ name: page.group, pages: [page] })
  }
  return groups
}

/** A long section shows the group of the open page; the others are collapsed under their headings. */
function EntryGroup({ title, isCurrent, children }: { title: string; isCurrent: boolean; children: ReactNode }) {
  const [isExpanded, setExpanded] = useState<boolean>()
  const [wasCurrent, setWasCurrent] = useState(isCurrent)
  // The group of the new page opens, whatever the user chose for it before.
  if (wasCurrent !== isCurrent) {
    setWasCurrent(isCurrent)
    if (isCurrent) setExpanded(undefined)
  }
  const isOpen = isExpanded ?? isCurrent
  return (
    <>
      <h3 className="text-sm font-medium text-muted">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setExpanded(!isOpen)}
          className="flex min-h-9 w-full items-center gap-2 rounded-2 px-3 text-start leading-tight hover:bg-hover hover:text-ink max-md:min-h-11"
        >
          <span className="min-w-0 flex-1">{title}</span>
          <ChevronDown size={15} aria-hidden className={cx('shrink-0', isOpen && 'rotate-180')} />
        </button>
      </h3>
      {isOpen ? children : null}
    </>
  )
}

interface EntryProps {
  page: Screen
  current: Screen | undefined
  /** Whether the records of the menu item are counted. */
  areRecordsCounted: boolean
  /** Whether no API call of the open page is running. */
  isQuiet: boolean
  onGo?: () => void
}

function Entry({ page, current, areRecordsCounted, isQuiet, onGo }: EntryProps) {
  const goProps = onGo ? { onGo } : {}
  const link = (
    <Link
      to={`/app/${page.path}`}
      aria-current={page === current ? 'page' : undefined}
      {...(page === current ? { ref: scrollToCurrent } : {})}
      {...(onGo ? { onClick: onGo } : {})}
      className={menuEntryClass}
    >
      <span className="min-w-0 flex-1">{firstTranslation([`${page.labelPrefix}.many`])}</span>
      {areRecordsCounted && isCounted(page) ? <PageCount page={page} isReady={isQuiet} /> : null}
    </Link>
  )
  if (entries[page.path]) return <MenuPart slots={entries} page={page} fallback={link} {...goProps} />
  return (
    <>
      {link}
      {isQuiet ? <MenuPart slots={notes} page={page} {...goProps} /> : null}
      {isQuiet && isCounted(page) ? (
        <Suspense fallback={null}>
          <PinnedViews screen={page} {...goProps} />
        </Suspense>
      ) : null}
    </>
  )
}

/** Scrolls to the open page in a long section; without layout (tests) there is nothing to scroll. */
const scrollToCurrent = (element: HTMLElement | null) => element?.scrollIntoView?.({ block: 'nearest' })

/** Time without calls of the page before the menu counts, in milliseconds. */
const quietDelay = 1000

/** True once the page is drawn and its calls are complete: the counts of the menu wait for it. */
function useNetworkQuiet(): boolean {
  const isAsking = useIsFetching() > 0
  // A page whose code is still loading has made no requests yet, so it counts as busy.
  const isLoading = useRouterState({ select: (state) => state.isLoading })
  const isBusy = isAsking || isLoading
  const [isQuiet, setIsQuiet] = useState(false)
  useEffect(() => {
    if (isBusy || isQuiet) return
    const timer = setTimeout(() => setIsQuiet(true), quietDelay)
    return () => clearTimeout(timer)
  }, [isBusy, isQuiet])
  return isQuiet
}

function PageNote({ slots, path, onGo }: PageNoteProps & { slots: typeof pageCounts; path: string }) {
  const Note = slots[path]
  return Note ? (
    <Suspense fallback={null}>
      <Note {...(onGo ? { onGo } : {})} />
    </Suspense>
  ) : null
}

interface MenuPartProps extends MenuNoteProps {
  slots: typeof notes
  fallback?: ReactNode
}

function MenuPart({ slots, page, fallback = null, onGo }: Omit<MenuPartProps, 'screen'> & { page: Screen }) {
  const Part = slots[page.path]
  return Part ? (
    <Suspense fallback={fallback}>
      <Part screen={page} {...(onGo ? { onGo } : {})} />
    </Suspense>
  ) : null
}

/** The space of the count is reserved, so that nothing moves when the number arrives. */
function PageCount({ page, isReady }: { page: Screen; isReady: boolean }) {
  const locale = useLocale()
  const { data: me, isFetched } = useQuery(meQuery)
  const { data } = useQuery({
    ...resourceQueries(page.resource).count({ filters: limitRows(page, me) }, locale),
    enabled: isReady && isFetched,
    staleTime: countStaleTime,
  })
  return (
    <small className="min-w-8 text-end text-xs font-light tabular-nums">
      {data === undefined ? null : totalText(locale, data)}
    </small>
  )
}
