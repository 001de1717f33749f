/** A number as people write it in their language; what cannot be read stays as typed and gives NaN. */
import { type ComponentProps, useState } from 'react'
import { cx } from '../lib/class-names.ts'
import { formatNumber, parseNumber } from '../lib/format.ts'
import { useLocale } from '../lib/i18n.ts'
import { Input } from './input.tsx'

export interface NumberInputProps extends Omit<
  ComponentProps<'input'>,
  'value' | 'defaultValue' | 'onChange' | 'type'
> {
  value: number | null
  /** Gets null for an empty field and NaN for text that is no number, so that the check can name it. */
  onValueChange: (value: number | null) => void
}

export function NumberInput({ value, onValueChange, className, onBlur, ...rest }: NumberInputProps) {
  const locale = useLocale()
  // While the field is being edited its text is the reader's own; otherwise it is the value, grouped.
  const [typed, setTyped] = useState<string | null>(null)
  const shown = value === null || Number.isNaN(value) ? '' : formatNumber(locale, value)
  return (
    <Input
      {...rest}
      inputMode="decimal"
      autoComplete="off"
      className={cx('text-end tabular-nums', className)}
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
  )
}
