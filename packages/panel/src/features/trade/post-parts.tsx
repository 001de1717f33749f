/** The parts of a trading post that list and page share: price, location, waiting time. */
import { type Entry, readTranslations, resources } from '@dala/model'
import { useState } from 'react'
import { isEntry, useTitleOf } from '../../fields/field-display.tsx'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Name of a price's unit: the short form if the record has one, otherwise its name. */
export function useUnitLabel(): (unit: unknown) => string {
  const locale = useLocale()
  const nameOf = useTitleOf(resources.units)
  return (unit) => {
    if (!isEntry(unit)) return ''
    const { short } = unit
    const hasUnitName = typeof short === 'string' || (typeof short === 'object' && short !== null)
    return (hasUnitName && readTranslations(short, locale)) || nameOf(unit)
  }
}

/** Price of a trading post, "16 500 UZS / kg", and whether it is negotiable. */
export function PostPrice({ post }: { post: Entry }) {
  const t = useT()
  const locale = useLocale()
  const unitOf = useUnitLabel()
  const { price, currency, unit, negotiable } = post
  if (typeof price !== 'number') return <span className="text-muted">{t('tradinposts.noPrice')}</span>
  const priceText = (
    <span className="whitespace-nowrap tabular-nums">
      {formatNumber(locale, price)} <bdi>{textOf(currency)}</bdi>
    </span>
  )
  return (
    <span className="inline-grid">
      <span dir="ltr">
        {priceText}
        {isEntry(unit) ? <span className="font-normal text-muted"> / {unitOf(unit)}</span> : null}
      </span>
      {negotiable === true ? <span className="text-xs text-muted">{t('tradinposts.negotiable')}</span> : null}
    </span>
  )
}

/** District of a trading post, and the region below it. */
export function PostPlace({ post: { region, district } }: { post: Entry }) {
  const [regionOf, districtOf] = [useTitleOf(resources.regions), useTitleOf(resources.districts)]
  const [districtName, regionName] = [
    isEntry(district) ? districtOf(district) : '',
    isEntry(region) ? regionOf(region) : '',
  ]
  if (districtName === '' && regionName === '') return <span className="text-muted">—</span>
  return (
    <span className="inline-grid">
      <span className="xl:whitespace-nowrap">{districtName || regionName}</span>
      {districtName !== '' && regionName !== '' ? (
        <span className="text-xs text-muted xl:whitespace-nowrap">{regionName}</span>
      ) : null}
    </span>
  )
}

const day = 86_400_000

/** Creation time of a trading post, and for a pending post the length of its wait. */
export function PostAge({ post: { createdAt, status } }: { post: Entry }) {
  const t = useT()
  const [now] = useState(Date.now)
  const days = Math.max(0, Math.floor((now - Date.parse(String(createdAt))) / day))
  return (
    <span className="inline-grid">
      <time className="tabular-nums">{formatDateTime(String(createdAt))}</time>
      {status === 'on_hold' ? (
        <span className="text-xs whitespace-normal text-muted">{t('tradinposts.waits', { count: days })}</span>
      ) : null}
    </span>
  )
}
