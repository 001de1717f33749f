/**
 * Grouped rows of a list: each group has a heading with its total number of rows, which collapses the group
 * or shows it alone.
 */
import { type Entry, isToOne } from '@dala/model'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { type ReactNode, useState } from 'react'
import { isEntry, labelOf, useTitleOf } from '../../../fields/field-display.tsx'
import { filterOf } from '../../../fields/filters/filter.ts'
import { valueLabel } from '../../../fields/filters/filter-values.ts'
import { resourceNamed } from '../../../fields/relation/targets.ts'
import { cx } from '../../../lib/class-names.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { iconButtonClass } from '../../../ui/icon-button.tsx'
import { keyOfValue, useGroupCounts } from '../counts.ts'
import { GroupContext } from './group-context.ts'
import { setFilter } from '../list-session.ts'
import type { ResourceList } from '../use-resource-list.ts'

interface ListGroupsProps {
  list: ResourceList
  entries: readonly Entry[]
  children: ReactNode
}

export function ListGroups({ list, entries, children }: ListGroupsProps) {
  const { resource } = list.screen
  const groupField = list.order.group ?? ''
  const field = resource.fields[groupField]
  const target = field && isToOne(field) ? resourceNamed(field.target) : undefined
  const titleOf = useTitleOf(target ?? resource)
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set())
  const counts = useGroupCounts(list, groupField)
  const filter = filterOf(resource, groupField)
  const keys = entries.map((entry) => keyOfValue(entry[groupField]))

  const groupLabel = (index: number): string | undefined => {
    const key = keys[index] ?? ''
    const value = entries[index]?.[groupField]
    if (isEntry(value)) return titleOf(value)
    return key !== '' && filter ? valueLabel(resource, filter, key) : undefined
  }
  const toggleGroup = (key: string) =>
    setCollapsed(
      (formerKeys) =>
        new Set(
          formerKeys.has(key) ? [...formerKeys].filter((collapsedKey) => collapsedKey !== key) : [...formerKeys, key],
        ),
    )
  const headingOf = (index: number, columns: number) => {
    const key = keys[index] ?? ''
    if (index > 0 && key === keys[index - 1]) return null
    const condition = key !== '' ? key : filter?.isOptional ? '-' : undefined
    const heading = (
      <GroupHeading
        field={labelOf(resource, groupField)}
        label={groupLabel(index)}
        count={counts?.countsByValue.get(key)}
        open={!collapsed.has(key)}
        onToggle={() => toggleGroup(key)}
        onOnly={
          condition === undefined || list.query.filters[groupField] === condition
            ? undefined
            : () => list.go(setFilter(list, groupField, condition))
        }
      />
    )
    return columns > 0 ? (
      <tr className="border-b border-line bg-sunken">
        <th scope="rowgroup" colSpan={columns} className="px-2.5 py-1 text-start font-normal">
          {heading}
        </th>
      </tr>
    ) : (
      <li className="col-span-full border-b border-line bg-sunken px-2.5 py-1">{heading}</li>
    )
  }
  return (
    <GroupContext value={{ headingOf, isFolded: (index) => collapsed.has(keys[index] ?? '') }}>{children}</GroupContext>
  )
}

interface GroupHeadingProps {
  field: string
  /** Label of a group's value; undefined for no value. */
  label: string | undefined
  count: number | undefined
  open: boolean
  onToggle: () => void
  /** Shows only the rows of the group, as a condition of the list. */
  onOnly: (() => void) | undefined
}

function GroupHeading({ field, label, count, open, onToggle, onOnly }: GroupHeadingProps) {
  const t = useT()
  const locale = useLocale()
  const name = label ?? t('filter.none')
  const value = <span className="font-semibold text-ink wrap-anywhere">{name}</span>
  return (
    <span className="flex min-h-9 items-center gap-1.5 max-md:min-h-11">
      <button
        type="button"
        aria-expanded={open}
        aria-label={t('columns.group', { field, name })}
        onClick={onToggle}
        className={cx(iconButtonClass, 'size-8! max-md:size-11!')}
      >
        <ChevronDown size={16} aria-hidden className={cx(!open && '-rotate-90 rtl:rotate-90')} />
      </button>
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <span className="text-sm text-muted">{field}</span>
        {onOnly ? (
          <button
            type="button"
            data-tip={t('columns.only', { name })}
            aria-label={t('columns.only', { name })}
            onClick={onOnly}
            className="min-h-6 text-start underline-offset-[3px] hover:underline max-md:min-h-11"
          >
            {value}
          </button>
        ) : (
          value
        )}
        {count === undefined ? null : (
          <span className="font-light text-muted tabular-nums">{formatNumber(locale, count)}</span>
        )}
      </span>
    </span>
  )
}
