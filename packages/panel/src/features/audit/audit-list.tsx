/** The list of the audit log: kinds of records with their labels, and a filter by kind. */
import type { Screen } from '@dala/model'
import { findResource } from '../../fields/relation/targets.ts'
import { ChoiceFilter } from '../../resource/list/filters/quick-filter.tsx'
import type { CellProps, ListParts } from '../../resource/screen-parts.ts'
import type { ResourceList } from '../../resource/list/use-resource-list.ts'
import { kinds, textOf, wordOfKind } from './line.ts'

/** The label of a kind; its name if the model no longer has it. */
function wordOfName(name: string): string {
  const kind = findResource(name)
  return kind ? wordOfKind(kind) : name
}

function KindCell({ entry }: CellProps) {
  const word = wordOfName(textOf(entry.resource))
  return word === '' ? <span className="text-muted">—</span> : word
}

function KindFilter({ screen, list }: { screen: Screen; list: ResourceList }) {
  const choices = kinds.map((kind) => ({ value: kind.name, label: wordOfKind(kind) }))
  return <ChoiceFilter resource={screen.resource} list={list} name="resource" choices={choices} />
}

export const auditList: ListParts = {
  cells: { resource: KindCell },
  Segments: KindFilter,
  worded: { resource: wordOfName },
}
