/** A number as people write it in their language; what cannot be read stays as typed and gives NaN. */
import { type ComponentProps, useId, useState } from 'react'
import { cx } from '../../lib/class-names.ts'
import { formatNumber, parseNumber } from '../../lib/format.ts'
import { useLocale } from '../../lib/i18n.ts'
import { useFieldControl } from './field.tsx'
import { frameClass, framedInputClass } from './input.tsx'

export interface NumberInputProps extends Omit<
  ComponentProps<'input'>,
  'value' | 'defaultValue' | 'onChange' | 'type'
> {
  value: number | null
  /** Gets null for an empty field and NaN for text that is no number, so that the check can name it. */
  onValueChange: (value: number | null) => void
  /** What is counted, shown behind the number. */
  unit?: string | undefined
  /** Digits of a fraction, where there is one: hundredths of money. */
  decimals?: number | undefined
}

export function NumberInput({ value, onValueChange, className, onBlur, unit, decimals, ...rest }: NumberInputProps) {
  const locale = useLocale()
  const unitId = useId()
  const control = useFieldControl()
  // While the field is being edited its text is the reader's own; otherwise it is the value, grouped.
  const [typed, setTyped] = useState<string | null>(null)
  const shown =
    value === null || Number.isNaN(value)
      ? ''
      : formatNumber(locale, value, Number.isInteger(value) ? undefined : decimals)
  return (
    <span className={cx(frameClass, className)}>
      <input
        {...control}
        {...rest}
        type="text"
        aria-describedby={cx(control['aria-describedby'], unit && unitId) || undefined}
        inputMode="decimal"
        autoComplete="off"
        className={cx(framedInputClass, 'text-end tabular-nums')}
        value={typed ?? shown}
        onChange={(event) => {
          const text = event.target.value
          setTyped(text)
          onValueChange(text.trim() === '' ? null : (parseNumber(text) ?? Number.NaN))
        }}
        onBlur={(event) => {
          if (typed === null || typed.trim() === '' || parseNumber(typed) !== null) setTyped(null)
          onBlur?.(event)
        }}
      />
      {unit ? (
        <span id={unitId} className="shrink-0 text-muted">
          {unit}
        </span>
      ) : null}
    </span>
  )
}
