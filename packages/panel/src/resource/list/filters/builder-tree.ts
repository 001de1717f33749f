/** The conditions of a filter in the builder: a tree of drafts, and its spelling. */
import type { Resource } from '@dala/model'
import { readCondition, writeCondition } from '../../../fields/filters/condition.ts'
import { conditionOf, draftOf, type FilterDraft } from '../../../fields/filters/filter-draft.ts'
import { type Filter, filterOf } from '../../../fields/filters/filter.ts'
import { isGroup, type ConditionTree } from './where.ts'

export interface DraftLeaf {
  id: number
  name: string
  draft: FilterDraft
}

export interface DraftGroup {
  id: number
  joinOperator: ConditionTree['joinOperator']
  items: readonly DraftNode[]
}

export type DraftNode = DraftLeaf | DraftGroup

export const isDraftGroup = (node: DraftNode): node is DraftGroup => 'joinOperator' in node

let lastId = 0
const nextId = (): number => {
  lastId += 1
  return lastId
}

/** Draft of an empty condition in the builder. */
export const newLeaf = (filter: Filter): DraftLeaf => ({
  id: nextId(),
  name: filter.name,
  draft: draftOf(filter, undefined),
})

export const newGroup = (join: ConditionTree['joinOperator'], items: readonly DraftNode[]): DraftGroup => ({
  id: nextId(),
  joinOperator: join,
  items,
})

/** Drafts of a list's existing conditions. */
export function draftsOf(resource: Resource, conditionTree: ConditionTree): DraftGroup {
  const items = conditionTree.items.flatMap((item): DraftNode[] => {
    if (isGroup(item)) return [draftsOf(resource, item)]
    const filter = filterOf(resource, item.name)
    return filter ? [{ id: nextId(), name: item.name, draft: draftOf(filter, readCondition(filter, item.text)) }] : []
  })
  return newGroup(conditionTree.joinOperator, items)
}

/** Returns the tree of conditions with one node changed, or without it when `change` returns nothing. */
export function changed(group: DraftGroup, id: number, change: (node: DraftNode) => DraftNode | undefined): DraftGroup {
  const items = group.items.flatMap((node) => {
    if (node.id === id) return change(node) ?? []
    return isDraftGroup(node) ? [changed(node, id, change)] : [node]
  })
  return { ...group, items }
}

/** Conditions of the builder's drafts without empty groups; `unsaid` when one of them is incomplete. */
export function conditionTreeOf(
  resource: Resource,
  { joinOperator: join, items }: DraftGroup,
): ConditionTree | 'unsaid' {
  const conditions: ConditionTree['items'][number][] = []
  for (const node of items) {
    if (isDraftGroup(node)) {
      const innerWhere = conditionTreeOf(resource, node)
      if (innerWhere === 'unsaid') return innerWhere
      if (innerWhere.items.length > 0) conditions.push(innerWhere)
      continue
    }
    const filter = filterOf(resource, node.name)
    const condition = filter && conditionOf(filter, node.draft)
    if (!condition) return 'unsaid'
    conditions.push({ name: node.name, text: writeCondition(condition) })
  }
  return { joinOperator: join, items: conditions }
}
