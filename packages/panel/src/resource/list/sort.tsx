/** Sorts a list without a table head: a field and a direction; the surrounding panel labels it. */
import ArrowDownWideNarrow from 'lucide-react/icons/arrow-down-wide-narrow'
import ArrowUpNarrowWide from 'lucide-react/icons/arrow-up-narrow-wide'
import { labelOf } from '../../fields/field-display.tsx'
import { useT } from '../../lib/i18n.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Select } from '../../ui/inputs/select.tsx'
import { isSortable } from './search.ts'
import { addressSortedBy } from './list-session.ts'
import type { ResourceList } from './use-resource-list.ts'

export function ListSort({ list }: { list: ResourceList }) {
  const t = useT()
  const { resource } = list.screen
  const { sort } = list.order
  const names = new Set([...list.columns.names, ...(sort ? [sort.field] : [])])
  const choices = [...names].filter((name) => isSortable(resource, name))
  const Icon = sort?.descending ? ArrowDownWideNarrow : ArrowUpNarrowWide
  return (
    <div className="flex items-center gap-1">
      <Select
        aria-label={t('list.sortBy')}
        value={sort?.field ?? null}
        onValueChange={(field) => list.go(addressSortedBy(list, field, sort?.descending))}
        choices={choices.map((name) => ({ value: name, label: labelOf(resource, name) }))}
        className="min-w-0 flex-1"
      />
      {sort ? (
        <IconButton
          label={t(sort.descending ? 'list.sortAscending' : 'list.sortDescending')}
          icon={<Icon size={18} aria-hidden />}
          onClick={() => list.go(addressSortedBy(list, sort.field, !sort.descending))}
        />
      ) : null}
    </div>
  )
}
