/** A panel that chooses a field of a list and a condition for it. */
import type { CallerRole, Resource } from '@dala/model'
import { useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/inputs/field.tsx'
import { Select } from '../../ui/inputs/select.tsx'
import { readCondition, writeCondition } from './condition.ts'
import { ConditionInput } from './condition-input.tsx'
import {
  conditionOf,
  draftOf,
  type FilterDraft,
  missingInput,
  type ConditionKind,
  operatorsOf,
} from './filter-draft.ts'
import { filterLabel } from './filter-text.ts'
import { type Filter, filtersOfCaller } from './filter.ts'

export const kindLabels = {
  contains: 'filter.is.contains',
  equal: 'filter.is.equal',
  starts: 'filter.is.starts',
  range: 'filter.is.range',
  anyOf: 'filter.is.anyOf',
  empty: 'filter.is.empty',
  filled: 'filter.is.filled',
} as const satisfies Record<ConditionKind, string>

export interface FilterPanelProps {
  resource: Resource
  callerRole: CallerRole
  /** Fields whose values the screen fixes; the user cannot filter by them. */
  excludedNames: readonly string[]
  /** Conditions of the list in the address, by field. */
  filter: Readonly<Record<string, string>>
  onApply: (name: string, text: string) => void
  /** Removes the condition of a field from the list. */
  onRemove: (name: string) => void
}

export function FilterPanel({
  resource,
  callerRole,
  excludedNames: hiddenNames,
  filter,
  onApply,
  onRemove,
}: FilterPanelProps) {
  const t = useT()
  const filters = filtersOfCaller(resource, callerRole).filter(({ name }) => !hiddenNames.includes(name))
  const [name, setName] = useState(
    () => (filters.find((listedFilter) => filter[listedFilter.name]) ?? filters[0])?.name,
  )
  const chosenFilter = filters.find((listedFilter) => listedFilter.name === name)
  return (
    <>
      <Field label={t('filter.field')}>
        <Select
          value={name ?? null}
          onValueChange={setName}
          choices={filters.map((listedFilter) => ({
            value: listedFilter.name,
            label: filterLabel(resource, listedFilter),
          }))}
        />
      </Field>
      {chosenFilter ? (
        <ConditionForm
          key={chosenFilter.name}
          resource={resource}
          filter={chosenFilter}
          text={filter[chosenFilter.name] ?? ''}
          onApply={(text) => onApply(chosenFilter.name, text)}
          onRemove={() => onRemove(chosenFilter.name)}
        />
      ) : null}
    </>
  )
}

interface ConditionFormProps {
  resource: Resource
  filter: Filter
  text: string
  onApply: (text: string) => void
  onRemove: () => void
}

function ConditionForm({ resource, filter, text, onApply, onRemove }: ConditionFormProps) {
  const t = useT()
  const [draft, setDraft] = useState<FilterDraft>(() => draftOf(filter, readCondition(filter, text)))
  const [isSubmitted, setSubmitted] = useState(false)
  const kinds = operatorsOf(filter)
  const missingFilterInput = missingInput(filter, draft)
  const change = (draftChange: Partial<FilterDraft>) => setDraft((formerDraft) => ({ ...formerDraft, ...draftChange }))
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        const condition = conditionOf(filter, draft)
        if (condition) onApply(writeCondition(condition))
        else setSubmitted(true)
      }}
    >
      {kinds.length > 1 ? (
        <Field label={t('filter.condition')}>
          <Select
            value={draft.kind}
            onValueChange={(kind) => change({ kind })}
            choices={kinds.map((kind) => ({ value: kind, label: t(kindLabels[kind]) }))}
          />
        </Field>
      ) : null}
      <ConditionInput
        resource={resource}
        filter={filter}
        draft={draft}
        onChange={change}
        error={
          isSubmitted && missingFilterInput
            ? t(missingFilterInput === 'value' ? 'filter.needed' : 'filter.wrong')
            : undefined
        }
      />
      <div className="flex flex-wrap justify-end gap-2">
        {text ? <Button onClick={onRemove}>{t('action.clear')}</Button> : null}
        <Button type="submit" kind="primary">
          {t('action.apply')}
        </Button>
      </div>
    </form>
  )
}
