/** Input for a number in the notation of the user's language; invalid text stays as typed and gives NaN. */
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
  /**
   * Called with the typed number: null for an empty field and NaN for invalid text, so that the check can
   * report it.
   */
  onValueChange: (value: number | null) => void
  /** Unit of the number, shown after it. */
  unit?: string | undefined
  /** Number of digits in the fraction of the number, such as two for money. */
  decimals?: number | undefined
}

export function NumberInput({
  value,
  onValueChange,
  className,
  onBlur,
  unit,
  decimals,
  ...inputProps
}: NumberInputProps) {
  const locale = useLocale()
  const unitId = useId()
  const control = useFieldControl()
  // Text of the number field: the typed text while it is being edited, otherwise the formatted value.
  const [typedText, setTypedText] = useState<string | null>(null)
  const shownText =
    value === null || Number.isNaN(value)
      ? ''
      : formatNumber(locale, value, Number.isInteger(value) ? undefined : decimals)
  return (
    <span className={cx(frameClass, className)}>
      <input
        {...control}
        {...inputProps}
        type="text"
        aria-describedby={cx(control['aria-describedby'], unit && unitId) || undefined}
        inputMode="decimal"
        autoComplete="off"
        className={cx(framedInputClass, 'text-end tabular-nums')}
        value={typedText ?? shownText}
        onChange={(event) => {
          const text = event.target.value
          setTypedText(text)
          onValueChange(text.trim() === '' ? null : (parseNumber(text) ?? Number.NaN))
        }}
        onBlur={(event) => {
          if (typedText === null || typedText.trim() === '' || parseNumber(typedText) !== null) setTypedText(null)
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
