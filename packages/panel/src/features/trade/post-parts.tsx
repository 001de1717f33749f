/** What list and page show of a trading post alike: its price, its place, how long it waits. */
import { type Entry, readTranslations, resources } from '@dala/model'
import { useState } from 'react'
import { isEntry, useTitleOf } from '../../fields/field-display.tsx'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** A unit in short, where the record has that, else its name. */
export function useUnitWords(): (unit: unknown) => string {
  const locale = useLocale()
  const nameOf = useTitleOf(resources.units)
  return (unit) => {
    if (!isEntry(unit)) return ''
    const { short } = unit
    const isWords = typeof short === 'string' || (typeof short === 'object' && short !== null)
    return (isWords && readTranslations(short, locale)) || nameOf(unit)
  }
}

/** "16 500 UZS / kg", and whether it can be talked about. */
export function PostPrice({ post }: { post: Entry }) {
  const t = useT()
  const locale = useLocale()
  const unitOf = useUnitWords()
  const { price, currency, unit, negotiable } = post
  if (typeof price !== 'number') return <span className="text-muted">{t('tradinposts.noPrice')}</span>
  const sum = (
    <span className="whitespace-nowrap tabular-nums">
      {formatNumber(locale, price)} <bdi>{textOf(currency)}</bdi>
    </span>
  )
  return (
    <span className="inline-grid">
      <span dir="ltr">
        {sum}
        {isEntry(unit) ? <span className="font-normal text-muted"> / {unitOf(unit)}</span> : null}
      </span>
      {negotiable === true ? <span className="text-xs text-muted">{t('tradinposts.negotiable')}</span> : null}
    </span>
  )
}

/** District, and the region below it. */
export function PostPlace({ post: { region, district } }: { post: Entry }) {
  const [regionOf, districtOf] = [useTitleOf(resources.regions), useTitleOf(resources.districts)]
  const [main, below] = [isEntry(district) ? districtOf(district) : '', isEntry(region) ? regionOf(region) : '']
  if (main === '' && below === '') return <span className="text-muted">—</span>
  return (
    <span className="inline-grid">
      <span className="xl:whitespace-nowrap">{main || below}</span>
      {main !== '' && below !== '' ? <span className="text-xs text-muted xl:whitespace-nowrap">{below}</span> : null}
    </span>
  )
}

const day = 86_400_000

/** When it came, and for one that waits how long it has done so. */
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
