/** The filters of the rooms behind the button, and their order. */
import { isLocale, localeNames, locales, resources, roomOrders, roomStates } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { languageOf, resourceQueries } from '../../../api/resource-queries.ts'
import { labelOf, useTitleOf } from '../../../fields/field-display.tsx'
import { formatSpan } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { Select } from '../../../ui/inputs/select.tsx'
import { type DeskSearch, removeParameters } from '../desk-search.ts'

export interface FurtherFiltersProps {
  search: DeskSearch
  /** Whether the filters are visible; the names of regions and categories are loaded only then. */
  open: boolean
  onChange: (newSearch: DeskSearch) => void
}

const allValue = 'all'
const { chatrooms } = resources
/** Offered minimum waits of a customer, in minutes. */
const waitOptions = [15, 30, 60, 240, 1_440]

export function FurtherFilters({ search, open, onChange }: FurtherFiltersProps) {
  const t = useT()
  const labelOfAll = (field: 'state' | 'language') => t('list.filterAll', { name: labelOf(chatrooms, field) })
  return (
    <>
      <Select
        aria-label={t('list.sortBy')}
        value={search.sort ?? 'waiting'}
        onValueChange={(value) =>
          onChange(value === 'waiting' ? removeParameters(search, 'sort') : { ...search, sort: value })
        }
        choices={roomOrders.map((value) => ({ value, label: t(`chat.sort.${value}`) }))}
      />
      <Select
        aria-label={labelOf(chatrooms, 'state')}
        value={search.state ?? allValue}
        onValueChange={(value) =>
          onChange(value === allValue ? removeParameters(search, 'state') : { ...search, state: value })
        }
        choices={[
          { value: allValue, label: labelOfAll('state') },
          ...roomStates.map((value) => ({ value, label: t(`chatrooms.values.state.${value}`) })),
        ]}
      />
      <WaitFilter search={search} onChange={onChange} />
      {open ? <LinkFilter name="category" search={search} onChange={onChange} /> : null}
      {open ? <LinkFilter name="region" search={search} onChange={onChange} /> : null}
      <Select
        aria-label={labelOf(chatrooms, 'language')}
        value={search.language ?? allValue}
        onValueChange={(value) =>
          onChange(isLocale(value) ? { ...search, language: value } : removeParameters(search, 'language'))
        }
        choices={[
          { value: allValue, label: labelOfAll('language') },
          ...locales.map((value) => ({ value, label: localeNames[value], lang: value })),
        ]}
      />
    </>
  )
}

type FilterProps = Omit<FurtherFiltersProps, 'open'>

/** Filter of rooms by the minimum wait of their customers; a wait from an address is offered too. */
function WaitFilter({ search, onChange }: FilterProps) {
  const t = useT()
  const { over = 0 } = search
  const offeredWait =
    over > 0 && !waitOptions.includes(over) ? [...waitOptions, over].toSorted((a, b) => a - b) : waitOptions
  const textOf = (minutes: number) => formatSpan(t, new Date(0), new Date(minutes * 60_000))
  return (
    <Select
      aria-label={t('chat.over')}
      value={over}
      onValueChange={(value) => onChange(value > 0 ? { ...search, over: value } : removeParameters(search, 'over'))}
      choices={[
        { value: 0, label: t('chat.overAny') },
        ...offeredWait.map((value) => ({ value, label: t('chat.overTime', { time: textOf(value) }) })),
      ]}
    />
  )
}

const linkedResources = { category: resources.consultationcategories, region: resources.regions } as const

/** Filter of rooms by a record that they link to. */
function LinkFilter({ name, search, onChange }: FilterProps & { name: keyof typeof linkedResources }) {
  const t = useT()
  const locale = useLocale()
  const resource = linkedResources[name]
  const titleOf = useTitleOf(resource)
  const { data } = useQuery(
    resourceQueries(resource).list({
      ...languageOf(resource, locale),
      fields: ['name'],
      sort: 'name:asc',
      pagination: { pageSize: 100, withCount: false },
    }),
  )
  const label = labelOf(chatrooms, name)
  return (
    <Select
      aria-label={label}
      value={search[name] ?? 0}
      onValueChange={(value) => onChange(value > 0 ? { ...search, [name]: value } : removeParameters(search, name))}
      choices={[
        { value: 0, label: t('list.filterAll', { name: label }) },
        ...(data?.entries ?? []).map((entry) => ({ value: entry.id, label: titleOf(entry) })),
      ]}
    />
  )
}
