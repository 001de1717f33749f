/** Head of a list's column: its label, and the button that sorts by it. */
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import { Suspense } from 'react'
import { isEndAligned, labelOf } from '../../../fields/field-display.tsx'
import { cx } from '../../../lib/class-names.ts'
import { lazyOptionalPart } from '../../../ui/lazy-part.ts'
import { isSortable } from '../search.ts'
import { translations } from '../columns.ts'
import { addressSortedBy } from '../list-session.ts'
import type { ResourceList } from '../use-resource-list.ts'

const ColumnEdge = lazyOptionalPart(async () => (await import('./column-edge.tsx')).ColumnEdge)

interface ColumnHeadProps {
  name: string
  list: ResourceList
  isWide: boolean
}

export function ColumnHead({ name, list, isWide: isWideColumn }: ColumnHeadProps) {
  const { resource } = list.screen
  const width = list.columns.widths?.[name]
  const { sort } = list.order
  const isSorted = sort?.field === name
  const label = labelOf(resource, name)
  // A column with names is always aligned to the start, even if the names are dates.
  const end = name !== resource.list?.columns[0] && isEndAligned(resource, name)
  const Icon = !isSorted ? ChevronsUpDown : sort.descending ? ArrowDown : ArrowUp
  return (
    <th
      scope="col"
      data-column={name}
      // The column head has a label of its own, because the label of its edge would become a part of it.
      aria-label={label}
      aria-sort={isSorted ? (sort.descending ? 'descending' : 'ascending') : undefined}
      className={cx(
        'relative border-y border-line px-2.5 py-[9px] text-sm font-medium text-muted first:ps-4',
        end ? 'text-end' : 'text-start',
        isWideColumn && 'max-lg:hidden',
      )}
      {...(width !== undefined && { style: { width } })}
    >
      {name !== translations && isSortable(resource, name) ? (
        <button
          type="button"
          onClick={() => list.go(addressSortedBy(list, name, isSorted && !sort.descending))}
          className={cx(
            'min-h-6 hover:text-ink',
            end ? 'text-end' : 'text-start',
            isSorted && 'font-semibold text-ink',
          )}
        >
          {label}
          {/* The sort icon stays with the last word where the name of a column takes two lines. */}
          <span className="whitespace-nowrap">
            {'\u00a0'}
            <Icon size={14} aria-hidden className="inline align-[-2px]" />
          </span>
        </button>
      ) : (
        label
      )}
      <Suspense fallback={null}>
        <ColumnEdge list={list} name={name} label={label} />
      </Suspense>
    </th>
  )
}
