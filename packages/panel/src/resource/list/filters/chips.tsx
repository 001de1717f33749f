/** Active conditions as chips below the filter row; each chip can be removed, or all with one press. */
import type { Resource } from '@dala/model'
import { Suspense, useRef } from 'react'
import { filterLabel, useConditionLabel } from '../../../fields/filters/filter-text.ts'
import { useT } from '../../../lib/i18n.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { lazyFeature } from '../../../ui/lazy-part.ts'
import { ChipFrame } from '../../../ui/layout/chip-frame.tsx'
import type { FilterChipData } from './conditions.ts'
import type { ListSlots } from '../../screen-parts.ts'
import { setFilter, clearChips, setSearch } from '../list-session.ts'
import type { ResourceList } from '../use-resource-list.ts'

const WhereChip = lazyFeature(async () => (await import('./builder-chip.tsx')).WhereChip)

interface ListChipsProps {
  list: ResourceList
  textLabels: ListSlots['textLabels']
  onEmptied: () => void
}

export function ListChips({ list, textLabels, onEmptied }: ListChipsProps) {
  const t = useT()
  const { resource } = list.screen
  const row = useRef<HTMLUListElement>(null)
  const { chips, search } = list.query
  const { where } = search
  if (chips.length === 0 && where === undefined) return null

  const remove = (index: number, name: string) => {
    list.go(setFilter(list, name, undefined))
    // The focus moves to the neighbouring chip, and after the last chip to the filter button.
    const buttons = [...(row.current?.querySelectorAll<HTMLButtonElement>('button[data-chip]') ?? [])]
    const nextChip = buttons[index + 1] ?? buttons[index - 1]
    if (nextChip) nextChip.focus()
    else onEmptied()
  }
  const clearFilters = () => {
    list.go(clearChips(list))
    onEmptied()
  }
  return (
    <ul
      ref={row}
      aria-label={t('filter.active')}
      className="flex flex-wrap items-center gap-2 px-4 pb-3.5 max-md:px-3.5"
    >
      {chips.map((chip, index) => (
        <li key={chip.filter.name} className="min-w-0">
          <FilterChip
            resource={resource}
            chip={chip}
            textLabel={textLabels?.[chip.filter.name]}
            onRemove={() => remove(index, chip.filter.name)}
          />
        </li>
      ))}
      {where === undefined ? null : (
        <li className="min-w-0">
          <Suspense fallback={<Skeleton className="h-7 w-40" />}>
            <WhereChip
              list={list}
              onRemove={() => {
                list.go(setSearch(list, { where: undefined }))
                onEmptied()
              }}
            />
          </Suspense>
        </li>
      )}
      <li>
        <LinkButton onClick={clearFilters}>{t('filter.removeAll')}</LinkButton>
      </li>
    </ul>
  )
}

interface FilterChipProps {
  resource: Resource
  chip: FilterChipData
  textLabel: ((text: string) => string) | undefined
  onRemove: () => void
}

function FilterChip({ resource, chip, textLabel, onRemove }: FilterChipProps) {
  const t = useT()
  const conditionLabel = useConditionLabel(resource, chip.filter, chip.condition)
  const value = textLabel && chip.condition.is === 'equal' ? textLabel(chip.condition.text) : conditionLabel
  const label = t('filter.chip', { name: filterLabel(resource, chip.filter), value })
  return (
    <ChipFrame label={label} onRemove={onRemove}>
      {label}
    </ChipFrame>
  )
}
