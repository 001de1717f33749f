/** The card of a company (spec §2): logo, name, when it was created, the badge, the names of its directions. */
import { type Entry, isLocale, type Locale, resources, type Screen } from '@dala/model'
import { Link } from '@tanstack/react-router'
import Building2 from 'lucide-react/icons/building-2'
import type { ReactNode } from 'react'
import { fileAddress } from '../../api/client.ts'
import { useTitleOf } from '../../fields/field-display.tsx'
import { formatDate } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { seenAddress } from '../../resource/screen-address.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { entriesOf, entryOf, textOf } from './company.ts'

export function CompanyLogo({ record, large = false }: { record: Entry; large?: boolean }) {
  const logo = fileAddress(textOf(entryOf(record.logo)?.url))
  const frame = large ? 'size-20 rounded-3' : 'size-14 rounded-2'
  return logo ? (
    <img
      src={logo}
      alt=""
      loading="lazy"
      className={`${frame} shrink-0 border border-line bg-surface object-contain`}
    />
  ) : (
    <span aria-hidden className={`${frame} grid shrink-0 place-items-center bg-sunken text-muted`}>
      <Building2 size={large ? 32 : 24} strokeWidth={1.5} />
    </span>
  )
}

export interface CompanyCardProps {
  screen: Screen
  entry: Entry
  language: Locale
  menu: ReactNode
}

export function CompanyCard({ screen, entry, menu }: CompanyCardProps) {
  const t = useT()
  const directionOf = useTitleOf(resources.directions)
  const directions = entriesOf(entry.directions).map(directionOf)
  return (
    <article className="flex h-full min-w-0 gap-3.5">
      <CompanyLogo record={entry} />
      <div className="min-w-0 flex-1">
        <div className="flex items-start justify-between gap-2">
          <Link
            {...seenAddress(screen, entry.id)}
            lang={isLocale(entry.locale) ? entry.locale : undefined}
            className="line-clamp-2 min-h-6 font-semibold wrap-anywhere hover:text-brand-text"
          >
            <bdi>{textOf(entry.companyName)}</bdi>
          </Link>
          {menu}
        </div>
        <p className="mt-1 flex flex-wrap items-center gap-x-4 text-sm text-muted">
          {/* The card's badge reads active whatever the record says (spec §2). */}
          <StatusDot active />
          <span>{t('company.card.created', { date: formatDate(textOf(entry.createdAt)) })}</span>
        </p>
        {directions.length > 0 ? (
          <ul aria-label={t('company.card.directions')} className="mt-2 flex flex-wrap gap-1.5">
            {directions.map((name) => (
              <li key={name} className="rounded-1 bg-brand-soft px-2 py-0.5 text-xs font-medium text-on-brand-soft">
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
