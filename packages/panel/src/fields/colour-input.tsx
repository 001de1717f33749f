/** A colour by picker or by its code; both show the same value. */
import { useFieldControl } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { useT } from '../lib/i18n.ts'

export interface ColourInputProps {
  value: string
  onChange: (value: string) => void
  onBlur: () => void
}

export function ColourInput({ value, onChange, onBlur }: ColourInputProps) {
  const t = useT()
  const { id, ...control } = useFieldControl()
  return (
    <div className="flex items-center gap-2">
      <input
        type="color"
        aria-label={t('colour.pick')}
        value={/^#[0-9a-f]{6}$/.test(value) ? value : '#808080'}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
        className="h-(--control) w-14 shrink-0 rounded-2 border border-line-strong bg-surface p-1"
      />
      <Input
        {...control}
        {...(id !== undefined && { id })}
        dir="ltr"
        placeholder="#1a2b3c"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
      />
    </div>
  )
}
