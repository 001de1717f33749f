/** A group of conditions: its operator, the conditions, and in the outer group further groups. */
import type { Resource } from '@dala/model'
import Plus from 'lucide-react/icons/plus'
import X from 'lucide-react/icons/x'
import { useRef } from 'react'
import { ConditionInput } from '../../../fields/filters/condition-input.tsx'
import { draftOf, missingInput, operatorsOf } from '../../../fields/filters/filter-draft.ts'
import { kindLabels } from '../../../fields/filters/filter-panel.tsx'
import { filterLabel } from '../../../fields/filters/filter-text.ts'
import type { Filter } from '../../../fields/filters/filter.ts'
import { cx } from '../../../lib/class-names.ts'
import { useT } from '../../../lib/i18n.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { Field } from '../../../ui/inputs/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { SegmentedControl } from '../../../ui/inputs/segmented.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import { changed, type DraftGroup, type DraftLeaf, isDraftGroup, newGroup, newLeaf } from './builder-tree.ts'
import { maxConditions } from './where.ts'

interface BuilderProps {
  resource: Resource
  filters: readonly Filter[]
  first: Filter
  /** Whether the user has tried to apply the filter: incomplete conditions show an error. */
  isSubmitted: boolean
}

interface BuilderGroupProps extends BuilderProps {
  group: DraftGroup
  onChange: (changedGroup: DraftGroup) => void
  /** Removes an inner group of conditions. */
  onRemove?: () => void
}

export function BuilderGroup({ group, onChange, onRemove, ...builderProps }: BuilderGroupProps) {
  const t = useT()
  const frame = useRef<HTMLFieldSetElement>(null)
  const isFull = group.items.length >= maxConditions
  const add = (node: DraftGroup['items'][number]) => onChange({ ...group, items: [...group.items, node] })
  const remove = (id: number) => {
    onChange(changed(group, id, () => undefined))
    // The focused condition was removed from its group, so the last button of the group takes the focus.
    frame.current?.querySelector<HTMLElement>(':scope > div:last-child button')?.focus()
  }
  return (
    <fieldset
      ref={frame}
      className={onRemove ? 'grid gap-3 rounded-2 border border-line-strong bg-sunken p-3.5' : 'grid gap-3'}
    >
      <legend className="sr-only">{t(group.joinOperator === 'and' ? 'views.all' : 'views.any')}</legend>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <SegmentedControl
          label={t('views.join')}
          value={group.joinOperator}
          onValueChange={(join) => onChange({ ...group, joinOperator: join })}
          segments={[
            { value: 'and', label: t('views.all') },
            { value: 'or', label: t('views.any') },
          ]}
        />
        {onRemove ? (
          <IconButton label={t('views.removeGroup')} icon={<X size={18} aria-hidden />} onClick={onRemove} />
        ) : null}
      </div>
      {group.items.map((node, index) =>
        isDraftGroup(node) ? (
          <BuilderGroup
            key={node.id}
            {...builderProps}
            group={node}
            onChange={(changedGroup) => onChange(changed(group, node.id, () => changedGroup))}
            onRemove={() => remove(node.id)}
          />
        ) : (
          <BuilderLeaf
            key={node.id}
            {...builderProps}
            draftLeaf={node}
            number={index + 1}
            onChange={(changedLeaf) => onChange(changed(group, node.id, () => changedLeaf))}
            onRemove={() => remove(node.id)}
          />
        ),
      )}
      <div className="flex flex-wrap gap-x-5 gap-y-1">
        {isFull ? null : (
          <LinkButton icon={<Plus size={16} aria-hidden />} onClick={() => add(newLeaf(builderProps.first))}>
            {t('views.addCondition')}
          </LinkButton>
        )}
        {onRemove || isFull ? null : (
          <LinkButton
            icon={<Plus size={16} aria-hidden />}
            onClick={() => add(newGroup(group.joinOperator === 'and' ? 'or' : 'and', [newLeaf(builderProps.first)]))}
          >
            {t('views.addGroup')}
          </LinkButton>
        )}
      </div>
    </fieldset>
  )
}

interface BuilderLeafProps extends BuilderProps {
  draftLeaf: DraftLeaf
  number: number
  onChange: (changedLeaf: DraftLeaf) => void
  onRemove: () => void
}

/** Returns the next control of a condition after its field was chosen: its operator, or its value. */
function findButtonAfterField(select: HTMLElement): HTMLElement | undefined {
  const conditionControls =
    select.closest('fieldset')?.querySelectorAll<HTMLElement>('[role=combobox], input:not([aria-hidden])') ?? []
  return [...conditionControls].find(
    (control) => select.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_FOLLOWING,
  )
}

function BuilderLeaf({
  resource,
  filters,
  draftLeaf: leaf,
  number,
  isSubmitted,
  onChange,
  onRemove,
}: BuilderLeafProps) {
  const t = useT()
  const filter = filters.find(({ name }) => name === leaf.name)
  if (!filter) return null
  const operators = operatorsOf(filter)
  const missingFilterInput = isSubmitted && missingInput(filter, leaf.draft)
  const choose = (name: string) => {
    const selectedFilter = filters.find((listedFilter) => listedFilter.name === name)
    if (selectedFilter) onChange({ ...leaf, name, draft: draftOf(selectedFilter, undefined) })
  }
  return (
    <fieldset
      data-unsaid={missingInput(filter, leaf.draft)}
      className="grid items-start gap-3 border-b border-line pb-3 max-md:grid-cols-[1fr_auto] md:grid-cols-[1fr_1fr_1.3fr_auto]"
    >
      <legend className="sr-only">{t('views.condition', { count: number })}</legend>
      <Field label={t('filter.field')}>
        <Select
          value={leaf.name}
          onValueChange={choose}
          focusNext={findButtonAfterField}
          choices={filters.map((listedFilter) => ({
            value: listedFilter.name,
            label: filterLabel(resource, listedFilter),
          }))}
        />
      </Field>
      {operators.length > 1 ? (
        <Field label={t('filter.condition')} className="max-md:col-span-2">
          <Select
            value={leaf.draft.kind}
            onValueChange={(kind) => onChange({ ...leaf, draft: { ...leaf.draft, kind } })}
            choices={operators.map((conditionKind) => ({ value: conditionKind, label: t(kindLabels[conditionKind]) }))}
          />
        </Field>
      ) : null}
      <div className={cx('min-w-0 empty:hidden max-md:col-span-2', operators.length < 2 && 'md:col-span-2')}>
        <ConditionInput
          key={filter.name}
          resource={resource}
          filter={filter}
          draft={leaf.draft}
          onChange={(draftChange) => onChange({ ...leaf, draft: { ...leaf.draft, ...draftChange } })}
          error={missingFilterInput ? t(missingFilterInput === 'value' ? 'filter.needed' : 'filter.wrong') : undefined}
        />
      </div>
      <IconButton
        label={t('views.removeCondition', { name: filterLabel(resource, filter) })}
        icon={<X size={18} aria-hidden />}
        onClick={onRemove}
        className="mt-6.5 max-md:col-start-2 max-md:row-start-1 md:col-start-4"
      />
    </fieldset>
  )
}
