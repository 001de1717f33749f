/** One filter of a report: a field while nothing is chosen, a removable chip once it is set. */
import { type ReportFilter, resources } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import X from 'lucide-react/icons/x'
import { useEffect, useRef, useState } from 'react'
import { languageOf, resourceQueries } from '../../api/resource-queries.ts'
import { namingFields, useTitleOf } from '../../fields/field-display.tsx'
import { resourceNamed } from '../../fields/relation/targets.ts'
import { useT } from '../../lib/i18n.ts'
import { useMay } from '../../resource/use-may.ts'
import { Select } from '../../ui/inputs/select.tsx'
import type { ReportState } from './use-report.ts'

const allOption = 'all'

interface ReportFilterProps {
  name: ReportFilter
  /** Resource whose records are the options of the filter. */
  target: string
  state: ReportState
}

export function ReportFilterField({ name, target, state }: ReportFilterProps) {
  const maySeeEverybody = useMay(resources.staff)
  // Consultants see only their own figures, so there is nobody to choose.
  if (name === 'consultant' && !maySeeEverybody('list')) return null
  return <Filter name={name} target={target} state={state} />
}

function Filter({ name, target, state: { search, change, locale } }: ReportFilterProps) {
  const t = useT()
  const resource = resourceNamed(target)
  const titleOf = useTitleOf(resource)
  const { data } = useQuery(
    resourceQueries(resource).list({
      ...languageOf(resource, locale),
      fields: namingFields(resource),
      sort: `${resource.title}:asc`,
      pagination: { pageSize: 100, withCount: false },
      ...(name === 'consultant' && { filters: { is_consultant: { $eq: true } } }),
    }),
  )
  const box = useRef<HTMLSpanElement>(null)
  const [isOpened, setOpened] = useState(false)
  const value = search.filters[name]
  // The button of a filter is replaced by its input, which takes over the focus.
  useEffect(() => {
    if (isOpened) box.current?.querySelector('button')?.focus()
  }, [isOpened, value])

  const setFilter = (id: string | undefined) => {
    const { [name]: _before, ...otherFilters } = search.filters
    setOpened(true)
    change({ filters: id === undefined ? otherFilters : { ...otherFilters, [name]: id } })
  }
  const label = t(`field.${name}`)
  const choices = (data?.entries ?? []).map((entry) => ({ value: String(entry.id), label: titleOf(entry) }))
  const chosenLabel =
    value === undefined ? undefined : (choices.find((choice) => choice.value === value)?.label ?? (data ? value : '…'))
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
          choices={[{ value: allOption, label: t('list.filterAll', { name: label }) }, ...choices]}
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
