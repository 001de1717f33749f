/** Breadcrumbs, built from the path (requirements §2); the last one is the page itself. */
import type { Screen } from '@dala/model'
import { Link, useLocation } from '@tanstack/react-router'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { Fragment } from 'react'
import type { Translate } from '../../lib/format.ts'
import { cx } from '../../lib/class-names.ts'
import { firstTranslation, useT } from '../../lib/i18n.ts'
import { useRecordName } from '../../lib/record-name.ts'
import { homePath, pageOfAddress } from '../pages.ts'
import { screenOfAddress, useScreens } from '../screens.ts'
import { useCurrentScreen } from './use-current-screen.ts'

interface Crumb {
  label: string
  to?: string
}

/**
 * Breadcrumbs of a page: home, the parent screen or the group of addresses (settings, people), the list, and
 * one record by its name.
 */
export function crumbsOf(
  screens: readonly Screen[],
  pathname: string,
  t: Translate,
  recordName: string | undefined,
  owner?: Screen,
): Crumb[] {
  const home: Crumb = { label: t('app.home'), to: `/app/${homePath}` }
  const screen = screenOfAddress(screens, pathname)
  const ownPage = pageOfAddress(pathname)
  if (ownPage) {
    const { page, parentPage } = ownPage
    if (owner) return [...crumbsOf(screens, `/app/${owner.path}`, t, undefined), { label: t(page.crumb ?? page.title) }]
    if (page.path === homePath) return [home]
    const lastCrumb = { label: recordName ?? t(page.title) }
    return parentPage
      ? [home, { label: t(parentPage.title), to: `/app/${parentPage.path}` }, lastCrumb]
      : [home, lastCrumb]
  }
  if (!screen) return [home]
  const nameOf = ({ labelPrefix }: Screen) => firstTranslation([`${labelPrefix}.many`])
  const list: Crumb = { label: nameOf(screen), to: `/app/${screen.path}` }
  const [firstSegment = '', ...childPath] = screen.path.split('/')
  const parentScreen = screens.find(({ path }) => path === firstSegment)
  const group: Crumb[] =
    childPath.length > 0
      ? [{ label: parentScreen ? nameOf(parentScreen) : t(`section.${screen.section}`), to: `/app/${firstSegment}` }]
      : []
  if (pathname.replace(/\/$/, '') === list.to) return [home, ...group, list]
  const index = pathname.split('/').filter(Boolean).at(-1)
  const name = index === 'new' ? t('breadcrumb.new') : (recordName ?? t('breadcrumb.detail'))
  return [home, ...group, list, { label: name }]
}

/** Breadcrumb shown only in a bar with room for more than the page and its parent. */
const wideClass = '@max-[480px]:hidden max-lg:hidden'

/**
 * All breadcrumbs where there is room; a short bar shows only the parent, because the page head has the name.
 */
export function Breadcrumbs() {
  const t = useT()
  const { pathname } = useLocation()
  const { screen, isBelow } = useCurrentScreen()
  const crumbs = crumbsOf(useScreens(), pathname, t, useRecordName(), isBelow ? screen : undefined)
  const lastIndex = crumbs.length - 1
  return (
    <nav aria-label={t('a11y.breadcrumbs')} className="@container min-w-0 flex-1">
      <ol className="flex min-w-0 items-center gap-1.5 text-sm whitespace-nowrap max-md:text-md">
        {crumbs.map((crumb, index) => (
          <Fragment key={crumb.to ?? crumb.label}>
            {index > 0 ? (
              <li aria-hidden className={cx('text-muted', index < lastIndex ? wideClass : '@max-[300px]:hidden')}>
                <ChevronRight size={14} className="mirrored" />
              </li>
            ) : null}
            <li
              className={cx(
                'truncate',
                // The breadcrumbs truncate only the page itself, because a truncated link would be useless.
                index === lastIndex
                  ? cx('min-w-0 font-medium', lastIndex > 0 && '@max-[300px]:sr-only')
                  : index === lastIndex - 1
                    ? 'max-w-[45%] shrink-0 text-muted @max-[300px]:max-w-full @max-[300px]:min-w-0 @max-[300px]:shrink'
                    : cx('shrink-0 text-muted', wideClass),
              )}
            >
              {crumb.to !== undefined && index < lastIndex ? (
                <Link
                  to={crumb.to}
                  activeOptions={{ exact: true }}
                  className="inline-flex min-h-6 max-w-full items-center gap-1 leading-tight hover:text-ink hover:underline max-md:min-h-11"
                >
                  <ChevronLeft size={16} aria-hidden className="mirrored hidden shrink-0 @max-[300px]:block" />
                  <span className="truncate @max-[300px]:line-clamp-2 @max-[300px]:whitespace-normal">
                    {crumb.label}
                  </span>
                </Link>
              ) : (
                <span aria-current="page">{crumb.label}</span>
              )}
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  )
}
