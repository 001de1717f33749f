/**
 * Input for the short key of a record's address. While it is empty, it shows the key that the server will
 * derive from its source text.
 */
import { type Field, slugOf } from '@dala/model'
import type { ComponentProps } from 'react'
import { useT } from '../../lib/i18n.ts'
import { Input } from '../../ui/inputs/input.tsx'

export interface SlugInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  field: Field
  value: string
  values: Readonly<Record<string, unknown>> | undefined
  onValueChange: (value: string) => void
}

export function SlugInput({ field, value, values, onValueChange, ...inputProps }: SlugInputProps) {
  const t = useT()
  const sourceField = 'slugFrom' in field ? field.slugFrom : undefined
  const slug = sourceField === undefined || value !== '' ? '' : slugOf(values?.[sourceField])
  return (
    <div className="grid gap-1.5">
      <Input
        {...inputProps}
        dir="ltr"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder={sourceField === undefined ? undefined : t('slug.filled')}
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
      />
      {slug ? (
        <p className="text-sm break-all text-muted">
          {t('slug.willBe')} <bdi dir="ltr">{slug}</bdi>
        </p>
      ) : null}
    </div>
  )
}
