/** Input for the state of a record: the current state, and the transitions that the user may make. */
import { choiceLabel } from '@dala/model'
import type { FieldInputProps } from '../../fields/field-input.tsx'
import { firstTranslation, useT } from '../../lib/i18n.ts'
import { Select } from '../../ui/inputs/select.tsx'
import type { FormSlotProps } from '../screen-parts.ts'

export function StateInput({ form, record, resource, name, value, onChange }: FieldInputProps & FormSlotProps) {
  const t = useT()
  const currentState = typeof record?.[name] === 'string' ? [record[name]] : []
  const codes = new Set([...currentState, ...form.rights.stepsOf(name).map(({ to }) => to)])
  return (
    <Select
      value={typeof value === 'string' ? value : null}
      onValueChange={onChange}
      disabled={codes.size < 2 && t('form.noStep')}
      choices={[...codes].map((code) => ({ value: code, label: firstTranslation(choiceLabel(resource, name, code)) }))}
    />
  )
}
