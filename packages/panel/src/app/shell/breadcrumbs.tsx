/** The way here, built from the path (spec §2); the last crumb is the page itself. */
import { Link, useLocation } from '@tanstack/react-router'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { Fragment } from 'react'
import type { Translate } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useRecordName } from '../../lib/record-name.ts'
import { screenOfAddress } from '../screens.ts'

interface Crumb {
  label: string
  to?: string
}

/** Home, the group of addresses (settings, people), the list, and one record by its name. */
export function crumbsOf(pathname: string, t: Translate, recordName: string | undefined): Crumb[] {
  const home: Crumb = { label: t('app.home'), to: '/app' }
  const screen = screenOfAddress(pathname)
  if (!screen) return [home]
  const list: Crumb = { label: t(screen.title), to: `/app/${screen.path}` }
  const group: Crumb[] = screen.path.includes('/')
    ? [{ label: t(`section.${screen.section}`), to: `/app/${screen.path.split('/')[0] ?? ''}` }]
    : []
  const rest = pathname.slice(`/app/${screen.path}`.length).replace(/^\/|\/$/g, '')
  if (rest === '') return [home, ...group, list]
  const further = screen.more?.find(({ path }) => pathname.startsWith(`/app/${path.replace('$index', '')}`))
  const index = rest.split('/').at(-1) ?? rest
  const own =
    index === 'new' ? t('breadcrumb.new') : (recordName ?? (further ? t(further.title) : t('breadcrumb.detail')))
  return [home, ...group, list, { label: own }]
}

export function Breadcrumbs({ short }: { short: boolean }) {
  const t = useT()
  const { pathname } = useLocation()
  const all = crumbsOf(pathname, t, useRecordName())
  const crumbs = short ? all.slice(-2) : all
  return (
    <nav aria-label={t('a11y.breadcrumbs')} className="min-w-0 flex-1">
      <ol className="flex min-w-0 items-center gap-1.5 text-sm whitespace-nowrap max-md:text-md">
        {crumbs.map((crumb, index) => (
          <Fragment key={crumb.to ?? crumb.label}>
            {index > 0 ? (
              <li aria-hidden className="text-muted">
                <ChevronRight size={14} className="mirrored" />
              </li>
            ) : null}
            <li className={index === crumbs.length - 1 ? 'min-w-0 truncate font-medium' : 'shrink-0 text-muted'}>
              {crumb.to !== undefined && index < crumbs.length - 1 ? (
                <Link
                  to={crumb.to}
                  activeOptions={{ exact: true }}
                  className="inline-flex min-h-6 items-center hover:text-ink hover:underline"
                >
                  {crumb.label}
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
