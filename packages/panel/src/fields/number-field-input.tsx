/** Input for a number of a record with its unit: months, minutes, money in the record's currency. */
import { type Field, componentsOf } from '@dala/model'
import { type Translate } from '../lib/format.ts'
import { useT } from '../lib/i18n.ts'
import { NumberInput } from '../ui/inputs/number-input.tsx'

export interface NumberFieldInputProps {
  field: Field
  value: unknown
  values: Readonly<Record<string, unknown>> | undefined
  onChange: (value: number | null) => void
  onBlur: () => void
}

/** Money without a currency of its own is in Uzbek sum (content-model §6, §8). */
const defaultCurrency = 'UZS'

function unitLabel(t: Translate, { field, value, values }: NumberFieldInputProps): string | undefined {
  const { unit } = componentsOf(field)
  if (unit === undefined) return undefined
  if (unit === 'money') {
    const currency = values?.['currency']
    return typeof currency === 'string' && currency !== '' ? currency : defaultCurrency
  }
  return t(`unit.after.${unit}`, { count: typeof value === 'number' && Number.isFinite(value) ? value : 0 })
}

export function NumberFieldInput(props: NumberFieldInputProps) {
  const t = useT()
  return (
    <NumberInput
      value={typeof props.value === 'number' ? props.value : null}
      onValueChange={props.onChange}
      onBlur={props.onBlur}
      unit={unitLabel(t, props)}
      decimals={componentsOf(props.field).unit === 'money' ? 2 : undefined}
    />
  )
}
