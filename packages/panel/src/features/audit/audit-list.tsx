/** The list of the audit: kinds of records in words, and a filter by them. */
import type { Screen } from '@dala/model'
import { labelOf } from '../../fields/field-display.tsx'
import { findResource } from '../../fields/targets.ts'
import { useT } from '../../lib/i18n.ts'
import { changeFilter } from '../../resource/list-conditions.ts'
import type { CellProps, ListParts } from '../../resource/screen-parts.ts'
import type { ResourceList } from '../../resource/use-resource-list.ts'
import { Select } from '../../ui/select.tsx'
import { kinds, textOf, wordOfKind } from './line.ts'

/** The word of a kind; of one that the model has no longer its name. */
function wordOfName(name: string): string {
  const kind = findResource(name)
  return kind ? wordOfKind(kind) : name
}

function KindCell({ entry }: CellProps) {
  const word = wordOfName(textOf(entry.resource))
  return word === '' ? <span className="text-muted">—</span> : word
}

const everything = 'all'

function KindFilter({ screen, list }: { screen: Screen; list: ResourceList }) {
  const t = useT()
  const label = labelOf(screen.resource, 'resource')
  const text = list.search.filter?.resource
  // A condition that was put together by hand is told by its chip.
  const value = text === undefined ? everything : kinds.some(({ name }) => name === text) ? text : null
  return (
    <Select
      look="filter"
      aria-label={label}
      value={value}
      placeholder={label}
      onValueChange={(chosen) => changeFilter(list, 'resource', chosen === everything ? undefined : chosen)}
      choices={[
        { value: everything, label: t('list.filterAll', { name: label }) },
        ...kinds.map((kind) => ({ value: kind.name, label: wordOfKind(kind) })),
      ]}
      className="max-w-[290px] max-md:max-w-none max-md:flex-auto"
    />
  )
}

export const auditList: ListParts = {
  cells: { resource: KindCell },
  Segments: KindFilter,
  worded: { resource: wordOfName },
}
