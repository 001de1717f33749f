/** The pages of a section, under their headings, with how many records each of them has. */
import type { Screen } from '@dala/model'
import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { Fragment, Suspense, useEffect, useState } from 'react'
import { resourceQueries } from '../../api/resource-queries.ts'
import { meQuery } from '../../api/session.ts'
import { cx } from '../../lib/class-names.ts'
import { tFirst, useLocale, useT } from '../../lib/i18n.ts'
import { lazyExtra } from '../../ui/lazy-part.ts'
import { rowsFor } from '../../resource/seen-screen.ts'
import { totalText } from '../../resource/total-text.ts'
import { ownScreens } from '../own-screens.ts'
import type { Section } from './sections.ts'
import { useCurrentScreen } from './use-current-screen.ts'

const PinnedViews = lazyExtra(async () => (await import('./pinned-views.tsx')).PinnedViews)

/** Notes below the entries of their screens, by path. */
const notes = Object.fromEntries(
  Object.entries(ownScreens).flatMap(([path, { note }]) => (note ? [[path, lazyExtra(note)]] : [])),
)

export interface SubMenuProps {
  section: Section
  /** As a column of the shell or inside a sheet. */
  look: 'column' | 'sheet'
  onGo?: () => void
}

const linkClass =
  'flex min-h-9 shrink-0 items-center gap-2 rounded-2 px-3 py-2 leading-tight text-muted transition-colors duration-(--dur-1) hover:bg-hover hover:text-ink aria-[current]:bg-surface aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:shadow-[0_0_0_1px_var(--line)] max-md:min-h-11'

/** A longer section would ask the server too much for what it says. */
const mostCounted = 8
const countsStayFor = 60_000
/** Reports are drawn, not kept: their number says nothing. */
const isCounted = ({ resource }: Screen) => !resource.single && resource.name !== 'statistics'

export function SubMenu({ section, look, onGo }: SubMenuProps) {
  const t = useT()
  const { pathname } = useLocation()
  const { screen: current, isBelow } = useCurrentScreen()
  const quiet = useQuiet()
  const title = t(`section.${section.name}`)
  const counted = section.pages.length <= mostCounted
  return (
    <nav
      aria-label={t('nav.sectionPages', { section: title })}
      className={cx(
        'flex flex-col gap-0.5 bg-sunken',
        look === 'column'
          ? 'sticky top-0 h-dvh w-(--sub-w) shrink-0 overflow-y-auto border-e border-line px-3 py-5'
          : 'px-1 pt-1 pb-3',
      )}
    >
      <h2 className={cx('px-3 text-lg font-semibold', look === 'column' ? 'pb-3.5' : 'pb-2')}>{title}</h2>
      {section.pages.map((page, index) => (
        <Fragment key={page.path}>
          {page.group && page.group !== section.pages[index - 1]?.group ? (
            <h3 className="px-3 pt-3 pb-1 text-sm font-medium text-muted first-of-type:pt-0">
              {t(`settings.group.${page.group}`)}
            </h3>
          ) : null}
          <Link
            to={`/app/${page.path}`}
            aria-current={page === current ? 'page' : undefined}
            {...(page === current ? { ref: showCurrent } : {})}
            {...(onGo ? { onClick: onGo } : {})}
            className={linkClass}
          >
            <span className="min-w-0 flex-1">{tFirst([`${page.words}.many`])}</span>
            {counted && isCounted(page) ? <PageCount page={page} ready={quiet} /> : null}
          </Link>
          {quiet ? <MenuNote page={page} {...(onGo ? { onGo } : {})} /> : null}
          {quiet && isCounted(page) ? (
            <Suspense fallback={null}>
              <PinnedViews screen={page} {...(onGo ? { onGo } : {})} />
            </Suspense>
          ) : null}
        </Fragment>
      ))}
      {section.others.map(({ path, title: words }) => (
        <Link
          key={path}
          to={`/app/${path}`}
          aria-current={!isBelow && pathname.startsWith(`/app/${path}`) ? 'page' : undefined}
          {...(onGo ? { onClick: onGo } : {})}
          className={linkClass}
        >
          {t(words)}
        </Link>
      ))}
    </nav>
  )
}

/** In a long section the page that is open is brought into view; without a layout (tests) there is nothing to scroll. */
const showCurrent = (element: HTMLElement | null) => element?.scrollIntoView?.({ block: 'nearest' })

/** True once the page has had what it asked for: the counts of the menu wait for it. */
function useQuiet(): boolean {
  const busy = useIsFetching() > 0
  const cache = useQueryClient().getQueryCache()
  const [quiet, setQuiet] = useState(false)
  useEffect(() => {
    // While only the reader is known, the page's own code is still on its way.
    if (busy || quiet || cache.getAll().length < 2) return
    const timer = setTimeout(() => setQuiet(true), 1000)
    return () => clearTimeout(timer)
  }, [busy, quiet, cache])
  return quiet
}

function MenuNote({ page, onGo }: { page: Screen; onGo?: () => void }) {
  const Note = notes[page.path]
  return Note ? (
    <Suspense fallback={null}>
      <Note screen={page} {...(onGo ? { onGo } : {})} />
    </Suspense>
  ) : null
}

/** Its place is kept from the beginning, so that nothing moves when the number arrives. */
function PageCount({ page, ready }: { page: Screen; ready: boolean }) {
  const locale = useLocale()
  const { data: me, isFetched } = useQuery(meQuery)
  const { data } = useQuery({
    ...resourceQueries(page.resource).count({ filters: rowsFor(page, me) }, locale),
    enabled: ready && isFetched,
    staleTime: countsStayFor,
  })
  return (
    <small className="min-w-8 text-end text-xs font-light tabular-nums">
      {data === undefined ? null : totalText(locale, data)}
    </small>
  )
}
