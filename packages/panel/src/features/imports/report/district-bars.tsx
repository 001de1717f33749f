/** The prices of an import by district: a bar for the number after it, a tick for the number before. */
import type { ImportDistrict } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import ArrowRight from 'lucide-react/icons/arrow-right'
import { useId, useState } from 'react'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { DelayedContent, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { districtsQuery } from '../import-api.ts'

/** Number of districts whose bars fit beside the figures. */
const maxListedDistricts = 6

export function DistrictBars({ id }: { id: number }) {
  const t = useT()
  const locale = useLocale()
  const title = useId()
  const [isWhole, setWhole] = useState(false)
  const { data, error, refetch } = useQuery(districtsQuery(id, locale))
  const districts = data?.data ?? []
  const possibleCount = data?.meta.possible ?? 0
  return (
    <section aria-labelledby={title} className="min-w-0 px-[18px] pt-4 pb-[18px]">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 pb-1.5">
        <h2 id={title} className="text-lg font-semibold">
          {t('import.byDistrict')}
        </h2>
        {data ? (
          <p className="text-sm text-muted">
            {t('import.byDistrictHelp', { possible: formatNumber(locale, possibleCount) })}
          </p>
        ) : null}
      </div>
      {error ? (
        <p role="alert" className="flex flex-wrap gap-x-4 gap-y-1 py-2 text-sm text-danger-text">
          {messageOfFailure(error)}
          <LinkButton onClick={() => void refetch()}>{t('action.retry')}</LinkButton>
        </p>
      ) : data ? (
        <ul>
          {districts.slice(0, isWhole ? districts.length : maxListedDistricts).map((district) => (
            <DistrictBar key={district.id} district={district} possible={possibleCount} />
          ))}
        </ul>
      ) : (
        <DelayedContent>
          <div className="grid gap-3 py-2">
            {Array.from({ length: maxListedDistricts }, (_, row) => (
              <Skeleton key={row} className="h-5 w-full" />
            ))}
          </div>
        </DelayedContent>
      )}
      {!isWhole && districts.length > maxListedDistricts ? (
        <LinkButton className="mt-1.5 text-sm" onClick={() => setWhole(true)}>
          {t('import.moreDistricts', { count: districts.length - maxListedDistricts })}
        </LinkButton>
      ) : null}
    </section>
  )
}

function DistrictBar({ district, possible }: { district: ImportDistrict; possible: number }) {
  const t = useT()
  const locale = useLocale()
  const formatFigure = (value: number) => formatNumber(locale, value)
  const { name, before, after, created, updated } = district
  const partOf = (value: number) => `${possible === 0 ? 0 : (100 * value) / possible}%`
  return (
    <li className="py-[5px]">
      <span className="sr-only">
        {t('import.districtFilled', {
          name,
          before: formatFigure(before),
          after: formatFigure(after),
          possible: formatFigure(possible),
          created: formatFigure(created),
          updated: formatFigure(updated),
        })}
      </span>
      <span
        aria-hidden
        className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-5 gap-y-1.5 md:grid-cols-[minmax(90px,150px)_minmax(0,1fr)_auto]"
      >
        <span className="truncate text-sm" title={name}>
          {name}
        </span>
        <span className="relative h-1.5 rounded-full bg-line max-md:col-span-2 max-md:row-start-2">
          <i className="absolute inset-y-0 start-0 block rounded-full bg-brand-ui" style={{ width: partOf(after) }} />
          {before > 0 ? (
            <i
              className="absolute -inset-y-[3px] -ms-[2px] block w-1 border-x border-surface bg-ink"
              style={{ insetInlineStart: partOf(before) }}
            />
          ) : null}
        </span>
        <span className="flex items-center gap-2.5 text-sm tabular-nums">
          <span className="min-w-[3ch] text-end text-muted">{formatFigure(before)}</span>
          <ArrowRight size={14} className="mirrored shrink-0 text-muted" />
          <b className="min-w-[3ch] text-end font-semibold">{formatFigure(after)}</b>
        </span>
      </span>
    </li>
  )
}
