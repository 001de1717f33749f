/** The list of the audit log: kinds of records with their labels, and a filter by kind. */
import type { Screen } from '@dala/model'
import { findResource } from '../../fields/relation/targets.ts'
import { ChoiceFilter } from '../../resource/list/filters/quick-filter.tsx'
import type { CellProps, ListSlots } from '../../resource/screen-parts.ts'
import type { ResourceList } from '../../resource/list/use-resource-list.ts'
import { kinds, textOf, kindLabel } from './line.ts'

/** Label of a kind of records; its name if the model no longer has the kind. */
function resourceLabel(name: string): string {
  const kind = findResource(name)
  return kind ? kindLabel(kind) : name
}

function KindCell({ entry }: CellProps) {
  const label = resourceLabel(textOf(entry.resource))
  return label === '' ? <span className="text-muted">—</span> : label
}

function KindFilter({ screen, list }: { screen: Screen; list: ResourceList }) {
  const choices = kinds.map((kind) => ({ value: kind.name, label: kindLabel(kind) }))
  return <ChoiceFilter resource={screen.resource} list={list} name="resource" choices={choices} />
}

export const auditList: ListSlots = {
  cells: { resource: KindCell },
  Segments: KindFilter,
  textLabels: { resource: resourceLabel },
}
