/** The inputs of a bulk action: the field and its new value, or the links to add and remove. */
import { type Field as DeclaredField, isToMany, type Resource, validateField } from '@dala/model'
import { labelOf } from '../../../fields/field-display.tsx'
import { FieldInput, isGroup } from '../../../fields/field-input.tsx'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { issueMessage } from '../../../lib/issue-message.ts'
import { Field } from '../../../ui/inputs/field.tsx'
import { Textarea } from '../../../ui/inputs/input.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import { type BulkChoice as Choice, wireValue } from './actions.ts'

export interface BulkChoiceProps {
  resource: Resource
  fields: readonly [string, DeclaredField][]
  choice: Choice
  onChange: (choice: Choice) => void
}

const emptyValueOf = (field: DeclaredField): unknown =>
  field.kind === 'bool' ? false : field.kind === 'translations' ? {} : isToMany(field) ? [] : null

/** Message about a wrong value of a bulk action; undefined when the value can be saved. */
export function faultOf(resource: Resource, { field, value }: Choice): string | undefined {
  const issue = field === undefined ? undefined : validateField(resource, field, wireValue(value), 'create')
  return issue && issueMessage(issue.code, issue.params ?? {})
}

/** Returns whether the state chosen for the rows needs a reason (content-model §8). */
function needsReasonFor({ fields }: Resource, { field, value }: Choice): boolean {
  const selectedField = field === undefined ? undefined : fields[field]
  const steps = selectedField?.kind === 'choice' ? (selectedField.transitions ?? []) : []
  return 'reason' in fields && steps.some(({ to, reason }) => to === value && reason === true)
}

export function BulkChoice({ resource, fields, choice, onChange }: BulkChoiceProps) {
  const t = useT()
  const locale = useLocale()
  const [, field] = fields.find(([name]) => name === choice.field) ?? []
  const fault = choice.value === undefined ? undefined : faultOf(resource, choice)
  return (
    <div className="grid gap-4.5">
      {fields.length > 1 ? (
        <Field label={t('bulk.field')}>
          <Select
            value={choice.field ?? null}
            placeholder={t('bulk.chooseField')}
            onValueChange={(name) => {
              const selectedField = fields.find(([fieldName]) => fieldName === name)
              onChange({ field: name, value: selectedField && emptyValueOf(selectedField[1]) })
            }}
            choices={fields.map(([name]) => ({ value: name, label: labelOf(resource, name) }))}
          />
        </Field>
      ) : null}
      {field && choice.field !== undefined ? (
        <Field label={labelOf(resource, choice.field)} error={fault} group={isGroup(field)}>
          <FieldInput
            key={choice.field}
            resource={resource}
            name={choice.field}
            field={field}
            lang={field.localized ? locale : undefined}
            value={choice.value}
            onChange={(value) => onChange({ ...choice, value })}
            onBlur={() => undefined}
          />
        </Field>
      ) : null}
      {needsReasonFor(resource, choice) ? (
        <Field label={labelOf(resource, 'reason')} required>
          <Textarea
            rows={2}
            value={choice.reason ?? ''}
            onChange={(event) => onChange({ ...choice, reason: event.target.value })}
          />
        </Field>
      ) : null}
    </div>
  )
}
