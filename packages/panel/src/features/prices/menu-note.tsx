/**
 * The note below the price lists in the section menu: the number of today's cells without a price entered
 * today, with their districts.
 */
import { Link, useLocation } from '@tanstack/react-router'
import { formatList, formatNumber } from '../../lib/format.ts'
import { resourceNamed } from '../../fields/relation/targets.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { newAddress, recordAddress } from '../../resource/screen-address.ts'
import type { MenuNoteProps } from '../../resource/screen-parts.ts'
import { useMay } from '../../resource/use-may.ts'
import { menuNoteClass } from '../../ui/menu-note.ts'
import { useProgress } from './use-today.ts'

export function PricesMenuNote({ screen, onGo }: MenuNoteProps) {
  const t = useT()
  const locale = useLocale()
  const { pathname } = useLocation()
  const may = useMay(resourceNamed('pricelists'))
  const today = useProgress(may('update'))
  if (!today || today.progress.state === 'published') return null
  const { pricedate, missing, carried, districts, districts_count: districtTotal } = today.progress
  // Prices that are only carried over from the day before count as not entered.
  const openCount = missing + carried
  if (openCount === 0) return null
  const { to, search } =
    pricedate === null ? newAddress(screen, { date: today.date }) : recordAddress(screen, pricedate)
  const names = districts.map(({ name, count }) => `${name}\u00a0${formatNumber(locale, count)}`)
  const furtherCount = districtTotal - names.length
  const placeNames =
    furtherCount > 0
      ? t('prices.moreDistricts', { names: names.join(', '), count: furtherCount })
      : formatList(t, names)
  return (
    <Link
      to={to}
      search={search}
      aria-current={pathname === to ? 'page' : undefined}
      {...(onGo ? { onClick: onGo } : {})}
      className={menuNoteClass}
    >
      <span className="min-w-0 flex-1 wrap-anywhere">
        {t('prices.notEntered')}
        {placeNames === '' ? null : <small className="mt-0.5 block text-xs">{placeNames}</small>}
      </span>
      <small className="min-w-8 self-start pt-0.5 text-end text-xs font-light tabular-nums">
        {formatNumber(locale, openCount)}
      </small>
    </Link>
  )
}
