/** One filter of a report: a field while nothing is chosen, a removable chip once it is set. */
import { isLocale, localeNames, type ReportFilter, resources } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import X from 'lucide-react/icons/x'
import { useEffect, useRef, useState } from 'react'
import type { Query } from '../../api/query-string.ts'
import { languageOf, resourceQueries } from '../../api/resource-queries.ts'
import { namingFields, useTitleOf } from '../../fields/field-display.tsx'
import { resourceNamed } from '../../fields/relation/targets.ts'
import { useT } from '../../lib/i18n.ts'
import { useMay } from '../../resource/use-may.ts'
import { Select } from '../../ui/inputs/select.tsx'
import { withFilter } from './report-search.ts'
import type { ReportState } from './use-report.ts'

const allOption = 'all'

interface ReportFilterProps {
  name: ReportFilter
  state: ReportState
}

interface RecordFilterProps extends ReportFilterProps {
  /** Resource whose records are the options of the filter. */
  target: string
}

/** Field of one filter of a report; without options that the user may choose there is none. */
export function ReportFilterField({ target, ...props }: ReportFilterProps & { target: string | readonly string[] }) {
  const maySeeEverybody = useMay(resources.staff)
  const { filters } = props.state.search
  // Consultants see only their own figures, so there is nobody to choose.
  if (props.name === 'consultant' && !maySeeEverybody('list')) return null
  // All districts are too many for one list, so they are chosen within a region.
  if (props.name === 'district' && filters.region === undefined && filters.district === undefined) return null
  return typeof target === 'string' ? (
    <RecordFilter target={target} {...props} />
  ) : (
    <Filter
      {...props}
      choices={target.map((code) => ({ value: code, label: isLocale(code) ? localeNames[code] : code }))}
    />
  )
}

function RecordFilter({ target, ...props }: RecordFilterProps) {
  const { name, state } = props
  const resource = resourceNamed(target)
  const titleOf = useTitleOf(resource)
  const { data } = useQuery(
    resourceQueries(resource).list({
      ...languageOf(resource, state.locale),
      fields: namingFields(resource),
      sort: `${resource.title}:asc`,
      pagination: { pageSize: 100, withCount: false },
      ...conditionsOf(name, state.search.filters),
    }),
  )
  return (
    <Filter {...props} choices={data?.entries.map((entry) => ({ value: String(entry.id), label: titleOf(entry) }))} />
  )
}

/** Conditions of the records that a report's filter offers: consultants, and the districts of the chosen region. */
function conditionsOf(name: ReportFilter, { region, district }: ReportState['search']['filters']): Query {
  if (name === 'consultant') return { filters: { is_consultant: { $eq: true } } }
  if (name !== 'district') return {}
  // A chosen district needs its name only, and may lie outside of the region.
  return { filters: district === undefined ? { region: { id: { $eq: region } } } : { id: { $eq: district } } }
}

interface FilterProps extends ReportFilterProps {
  /** Options of the filter; undefined while they are loading. */
  choices: readonly { value: string; label: string }[] | undefined
}

function Filter({ name, state: { search, change }, choices }: FilterProps) {
  const t = useT()
  const box = useRef<HTMLSpanElement>(null)
  const [isOpened, setOpened] = useState(false)
  const value = search.filters[name]
  // The button of a filter is replaced by its input, which takes over the focus.
  useEffect(() => {
    if (isOpened) box.current?.querySelector('button')?.focus()
  }, [isOpened, value])

  const setFilter = (chosenValue: string | undefined) => {
    setOpened(true)
    change({ filters: withFilter(search.filters, name, chosenValue) })
  }
  const label = t(`field.${name}`)
  const chosenLabel =
    value === undefined
      ? undefined
      : (choices?.find((choice) => choice.value === value)?.label ?? (choices ? value : '…'))
  return (
    <span ref={box} className="inline-flex max-w-full">
      {chosenLabel === undefined ? (
        <Select
          variant="filter"
          aria-label={label}
          value={allOption}
          onValueChange={(id) => {
            if (id !== allOption) setFilter(id)
          }}
          choices={[{ value: allOption, label: t('list.filterAll', { name: label }) }, ...(choices ?? [])]}
          className="max-w-[240px]"
        />
      ) : (
        <button
          type="button"
          aria-label={t('statistics.removeFilter', { name: label, value: chosenLabel })}
          onClick={() => setFilter(undefined)}
          className="inline-flex min-h-(--control) max-w-full items-center gap-2 rounded-2 bg-brand-soft px-3 text-md font-medium text-on-brand-soft hover:bg-hover hover:text-ink"
        >
          <span className="truncate">
            {label}: {chosenLabel}
          </span>
          <X size={15} aria-hidden className="shrink-0" />
        </button>
      )}
    </span>
  )
}
