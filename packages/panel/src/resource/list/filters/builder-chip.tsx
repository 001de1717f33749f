/** Chip with joined conditions as text; a press opens the builder. */
import type { Resource } from '@dala/model'
import { Fragment, type ReactNode, useState } from 'react'
import { readCondition } from '../../../fields/filters/condition.ts'
import { filterLabel, useConditionLabel } from '../../../fields/filters/filter-text.ts'
import { type Filter, filterOf } from '../../../fields/filters/filter.ts'
import { useT } from '../../../lib/i18n.ts'
import { BuilderDialog } from './builder-dialog.tsx'
import { ChipFrame } from '../../../ui/layout/chip-frame.tsx'
import { isGroup, type FieldCondition, readWhere, type ConditionTree } from './where.ts'
import type { ResourceList } from '../use-resource-list.ts'

export function WhereChip({ list, onRemove }: { list: ResourceList; onRemove: () => void }) {
  const t = useT()
  const [building, setBuilding] = useState(false)
  const conditionTree = readWhere(list.query.search.where ?? '', (_name, text) => text)
  if (!conditionTree) return null
  return (
    <>
      <ChipFrame label={t('views.conditions')} onRemove={onRemove}>
        <button
          type="button"
          onClick={() => setBuilding(true)}
          className="text-start underline-offset-[3px] hover:underline max-md:min-h-9"
        >
          <WhereText resource={list.screen.resource} where={conditionTree} />
        </button>
      </ChipFrame>
      <BuilderDialog list={list} open={building} onClose={() => setBuilding(false)} />
    </>
  )
}

function WhereText({ resource, where }: { resource: Resource; where: ConditionTree }): ReactNode {
  const t = useT()
  const joinLabel = t(where.joinOperator === 'and' ? 'views.and' : 'views.or')
  return where.items.map((item, index) => (
    <Fragment key={index}>
      {index > 0 ? <span className="font-normal"> {joinLabel} </span> : null}
      {isGroup(item) ? (
        <>
          (<WhereText resource={resource} where={item} />)
        </>
      ) : (
        <LeafText resource={resource} leaf={item} />
      )}
    </Fragment>
  ))
}

function LeafText({ resource, leaf }: { resource: Resource; leaf: FieldCondition }) {
  const filter = filterOf(resource, leaf.name)
  return filter ? <ConditionText resource={resource} filter={filter} text={leaf.text} /> : null
}

function ConditionText({ resource, filter, text }: { resource: Resource; filter: Filter; text: string }) {
  const t = useT()
  const value = useConditionLabel(resource, filter, readCondition(filter, text) ?? { is: 'filled' })
  return t('filter.chip', { name: filterLabel(resource, filter), value })
}
