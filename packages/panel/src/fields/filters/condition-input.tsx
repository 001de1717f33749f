/** Inputs of a filter's condition, by the kind of the filter. */
import { type Entry, isLink, type Resource } from '@dala/model'
import { useId, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { DateInput } from '../../ui/inputs/date-input.tsx'
import { Field, FieldError } from '../../ui/inputs/field.tsx'
import { Input } from '../../ui/inputs/input.tsx'
import { NumberInput } from '../../ui/inputs/number-input.tsx'
import { RelatedListInput } from '../relation/related-input.tsx'
import { resourceNamed } from '../relation/targets.ts'
import type { FilterDraft } from './filter-draft.ts'
import { isRecord, useLinked, valueLabel } from './filter-values.ts'
import { filterLabel } from './filter-text.ts'
import type { Filter } from './filter.ts'

export interface ConditionInputProps {
  resource: Resource
  filter: Filter
  draft: FilterDraft
  onChange: (draftChange: Partial<FilterDraft>) => void
  error: string | undefined
}

export function ConditionInput(props: ConditionInputProps) {
  const t = useT()
  const { filter, draft, onChange, error } = props
  switch (draft.kind) {
    case 'empty':
    case 'filled':
      return null
    case 'range':
      return (
        <div className="grid gap-1.5">
          <div className="grid grid-cols-2 gap-3">
            <Field label={t('filter.from')}>
              <End {...props} value={draft.from} onEnd={(lowerEnd) => onChange({ from: lowerEnd })} />
            </Field>
            <Field label={t('filter.to')}>
              <End {...props} value={draft.to} onEnd={(upperEnd) => onChange({ to: upperEnd })} />
            </Field>
          </div>
          {error ? <FieldError>{error}</FieldError> : null}
        </div>
      )
    case 'anyOf':
      return filter.kind === 'link' ? <LinkedInput {...props} /> : <OptionBoxes {...props} />
    case 'contains':
    case 'equal':
    case 'starts':
      return (
        <Field label={t('filter.value')} error={error}>
          <Input value={draft.text} maxLength={200} onChange={(event) => onChange({ text: event.target.value })} />
        </Field>
      )
  }
}

/** Input for one end of a range in a filter. */
function End({ filter, value, onEnd }: ConditionInputProps & { value: string; onEnd: (value: string) => void }) {
  if (filter.kind !== 'number') {
    return <DateInput value={value || null} onValueChange={(day) => onEnd(day ?? '')} />
  }
  // Text that is not a number stays in the draft of the condition, so that the form can show an error.
  return (
    <NumberInput
      value={value === '' ? null : Number(value)}
      onValueChange={(number) => onEnd(number === null ? '' : String(number))}
    />
  )
}

/** Input of a filter with a short list of values: several of a choice, yes or no, one language. */
function OptionBoxes({ resource, filter, draft, onChange, error }: ConditionInputProps) {
  // The id of the label is generated: the filter may appear several times on a page.
  const id = useId()
  const values = filter.values ?? ['true', 'false']
  const isSingle = filter.kind === 'truth' || filter.kind === 'language'
  const toggleValue = (value: string) =>
    isSingle
      ? [value]
      : draft.values.includes(value)
        ? draft.values.filter((chosenValue) => chosenValue !== value)
        : [...draft.values, value]
  return (
    <fieldset className="grid gap-0.5">
      <legend className="mb-1 text-sm font-medium">{filterLabel(resource, filter)}</legend>
      {values.map((value) => (
        <label
          key={value}
          className="flex min-h-9 items-center gap-2.5 rounded-1 px-1.5 hover:bg-hover max-md:min-h-11"
        >
          <input
            type={isSingle ? 'radio' : 'checkbox'}
            name={id}
            checked={draft.values.includes(value)}
            onChange={() => onChange({ values: toggleValue(value) })}
            className="check shrink-0"
          />
          {valueLabel(resource, filter, value)}
        </label>
      ))}
      {error ? <FieldError>{error}</FieldError> : null}
    </fieldset>
  )
}

/**
 * Input of a filter by linked records, found by typing; records of the address show their names once they are
 * loaded.
 */
function LinkedInput({ resource, filter, draft, onChange, error }: ConditionInputProps) {
  const field = resource.fields[filter.name]
  const [initialIds] = useState(draft.values)
  const linkedEntries = useLinked(resourceNamed(filter.target ?? resource.name), initialIds)
  const [pickedEntries, setPickedEntries] = useState<readonly Entry[]>([])
  const chosenOptions = draft.values.flatMap(
    (value) => [...pickedEntries, ...(linkedEntries ?? [])].find((entry) => isRecord(entry, value)) ?? [],
  )
  if (!field || !isLink(field)) return null
  return (
    <Field label={filterLabel(resource, filter)} error={error}>
      <RelatedListInput
        field={field}
        value={chosenOptions}
        onChange={(pickedRecords) => {
          const entries = isEntries(pickedRecords) ? pickedRecords : []
          setPickedEntries(entries)
          onChange({ values: entries.map(({ id }) => String(id)) })
        }}
      />
    </Field>
  )
}

function isEntries(value: unknown): value is Entry[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null && 'id' in item)
}
