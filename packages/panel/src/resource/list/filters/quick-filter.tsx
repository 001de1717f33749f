/** One filter in the filter row itself: a list of choices, or records found by typing. */
import type { Resource } from '@dala/model'
import { labelOf, useTitleOf } from '../../../fields/field-display.tsx'
import { type Filter, filterOf } from '../../../fields/filters/filter.ts'
import { useLinked, valueLabel } from '../../../fields/filters/filter-values.ts'
import { resourceNamed } from '../../../fields/relation/targets.ts'
import { useOfferedRecords } from '../../../fields/relation/use-offers.ts'
import { useT } from '../../../lib/i18n.ts'
import { SearchSelect } from '../../../ui/inputs/search-select.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import { setFilter } from '../list-session.ts'
import type { ResourceList } from '../use-resource-list.ts'

/** Value of the select for "no filter". */
const allValue = 'all'

interface QuickFilterProps {
  resource: Resource
  list: ResourceList
  name: string
  /** Whether the select of the filter is as wide as its container, not as its text. */
  isWide?: boolean
}

const widthOf = (isWide: boolean) => (isWide ? 'w-full!' : 'max-w-[290px] max-md:max-w-none max-md:flex-auto')

export function QuickFilter({ resource, list, name, isWide = false }: QuickFilterProps) {
  const filter = filterOf(resource, name)
  if (!filter) return null
  if (filter.kind === 'link') return <LinkFilter resource={resource} list={list} filter={filter} isWide={isWide} />
  const { values = ['true', 'false'] } = filter
  const choices = values.map((code) => ({ value: code, label: valueLabel(resource, filter, code) }))
  return <ChoiceFilter resource={resource} list={list} name={name} choices={choices} isWide={isWide} />
}

interface ChoiceFilterProps extends QuickFilterProps {
  choices: readonly { value: string; label: string }[]
}

/** Filter of the row for one field whose values can be listed. */
export function ChoiceFilter({ resource, list, name, choices, isWide = false }: ChoiceFilterProps) {
  const t = useT()
  const label = labelOf(resource, name)
  const text = list.query.filters[name]
  // Select of the row that shows at most one value: the chip below shows several values.
  const value = text === undefined ? allValue : choices.some((choice) => choice.value === text) ? text : null
  return (
    <Select
      variant="filter"
      aria-label={label}
      value={value}
      placeholder={label}
      onValueChange={(chosenValue) =>
        list.go(setFilter(list, name, chosenValue === allValue ? undefined : chosenValue))
      }
      choices={[{ value: allValue, label: t('list.filterAll', { name: label }) }, ...choices]}
      className={widthOf(isWide)}
    />
  )
}

interface LinkFilterProps {
  resource: Resource
  list: ResourceList
  filter: Filter
  isWide: boolean
}

function LinkFilter({ resource, list, filter, isWide }: LinkFilterProps) {
  const t = useT()
  const label = labelOf(resource, filter.name)
  const target = resourceNamed(filter.target ?? resource.name)
  const titleOf = useTitleOf(target)
  const { options, loading, onSearch } = useOfferedRecords(target)
  const id = list.query.filters[filter.name]
  const isSingleId = id !== undefined && /^\d+$/.test(id)
  const [linkedRecord] = useLinked(target, isSingleId ? [id] : []) ?? []
  const allChoice = { value: allValue, label: t('list.filterAll', { name: label }) }
  const selectedChoice = isSingleId && linkedRecord ? { value: linkedRecord.id, label: titleOf(linkedRecord) } : null
  const value = id === undefined ? allChoice : selectedChoice
  return (
    <SearchSelect
      aria-label={label}
      text={value?.label ?? label}
      value={value}
      emptyOption={allChoice}
      options={options}
      loading={loading}
      onSearch={onSearch}
      onValueChange={({ value: chosenId }) =>
        list.go(setFilter(list, filter.name, chosenId === allValue ? undefined : String(chosenId)))
      }
      className={widthOf(isWide)}
    />
  )
}
