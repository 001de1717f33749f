/** The head of a column: its label, and the button that sorts by it. */
import type { Resource } from '@dala/model'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import { isEndAligned, labelOf } from '../fields/field-display.tsx'
import { cx } from '../lib/class-names.ts'
import { isSortable, sortOf } from './list-search.ts'
import { translations } from './list-columns.ts'
import type { ResourceList } from './use-resource-list.ts'

interface ColumnHeadProps {
  resource: Resource
  name: string
  list: ResourceList
  wide: boolean
}

export function ColumnHead({ resource, name, list, wide }: ColumnHeadProps) {
  const sort = sortOf(resource, list.search)
  const active = sort?.field === name
  const label = labelOf(resource, name)
  // The name of a record begins where all names begin, also when it is a date.
  const end = name !== resource.list?.columns[0] && isEndAligned(resource, name)
  const Icon = !active ? ChevronsUpDown : sort.descending ? ArrowDown : ArrowUp
  return (
    <th
      scope="col"
      aria-sort={active ? (sort.descending ? 'descending' : 'ascending') : undefined}
      className={cx(
        'border-y border-line px-2.5 py-[9px] text-sm font-medium text-muted first:ps-4',
        end ? 'text-end' : 'text-start',
        wide && 'max-lg:hidden',
      )}
    >
      {name !== translations && isSortable(resource, name) ? (
        <button
          type="button"
          onClick={() => list.change({ sort: active && !sort.descending ? `${name}:desc` : name })}
          className={cx('min-h-6 hover:text-ink', end ? 'text-end' : 'text-start', active && 'font-semibold text-ink')}
        >
          {label}
          {/* The sign stays with the last word where a name takes two lines. */}
          <span className="whitespace-nowrap">
            {'\u00a0'}
            <Icon size={14} aria-hidden className="inline align-[-2px]" />
          </span>
        </button>
      ) : (
        label
      )}
    </th>
  )
}
