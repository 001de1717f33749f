/** The card of a company (requirements §2): logo, name, creation date, badge, and names of its directions. */
import { type Entry, isLocale, type Locale, resources, type Screen } from '@dala/model'
import { Link } from '@tanstack/react-router'
import Building2 from 'lucide-react/icons/building-2'
import type { ReactNode } from 'react'
import { fileAddress } from '../../api/client.ts'
import { useTitleOf } from '../../fields/field-display.tsx'
import { cx } from '../../lib/class-names.ts'
import { formatDate } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { recordAddress } from '../../resource/screen-address.ts'
import { StatusDot } from '../../ui/feedback/status-dot.tsx'
import { entriesOf, entryOf, textOf } from './company.ts'

const logoFrames = { md: 'size-14 rounded-2', lg: 'size-20 rounded-3', fill: 'aspect-4/3 w-full rounded-2' } as const

export function CompanyLogo({ record, size }: { record: Entry; size: keyof typeof logoFrames }) {
  const logo = fileAddress(textOf(entryOf(record.logo)?.url))
  const frame = logoFrames[size]
  return logo ? (
    <img
      src={logo}
      alt=""
      loading="lazy"
      className={`${frame} shrink-0 border border-line bg-surface object-contain`}
    />
  ) : (
    <span aria-hidden className={`${frame} grid shrink-0 place-items-center bg-sunken text-muted`}>
      <Building2 size={size === 'md' ? 24 : 32} strokeWidth={1.5} />
    </span>
  )
}

export interface CompanyCardProps {
  screen: Screen
  entry: Entry
  language: Locale
  /** Position of a company's logo: beside the text, or large above it. */
  mode: 'thumb' | 'image'
  menu: ReactNode
}

export function CompanyCard({ screen, entry, mode, menu }: CompanyCardProps) {
  const t = useT()
  const directionOf = useTitleOf(resources.directions)
  const directions = entriesOf(entry.directions).map(directionOf)
  return (
    <article className={cx('flex h-full min-w-0 gap-x-3.5 gap-y-3 p-3', mode === 'image' && 'flex-col')}>
      <CompanyLogo record={entry} size={mode === 'image' ? 'fill' : 'md'} />
      <div className="min-w-0 flex-1">
        <div className="flex items-start justify-between gap-2">
          <Link
            {...recordAddress(screen, entry.id)}
            lang={isLocale(entry.locale) ? entry.locale : undefined}
            className="block min-h-6 min-w-0 font-semibold wrap-anywhere hover:text-brand-text max-md:-my-2.5 max-md:py-2.5"
          >
            <bdi className="line-clamp-2">{textOf(entry.companyName)}</bdi>
          </Link>
          {menu}
        </div>
        <p className="mt-1 flex flex-wrap items-center gap-x-4 text-sm text-muted">
          {/* The card's badge always reads active, whatever the record has (requirements §2). */}
          <StatusDot active />
          <span>{t('company.card.created', { date: formatDate(textOf(entry.createdAt)) })}</span>
        </p>
        {directions.length > 0 ? (
          <ul aria-label={t('company.card.directions')} className="mt-2 flex flex-wrap gap-1.5">
            {directions.map((name) => (
              <li
                key={name}
                className="max-w-full rounded-1 bg-brand-soft px-2 py-0.5 text-xs font-medium text-on-brand-soft"
              >
                {name}
              </li>
            ))}
          </ul>
        ) : (
          <p className="mt-2 text-sm text-muted">{t('empty.noDirections')}</p>
        )}
      </div>
    </article>
  )
}
