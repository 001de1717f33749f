/** Input for a colour as a picker and as a text code; both show the same value. */
import { useFieldControl } from '../ui/inputs/field.tsx'
import { Input } from '../ui/inputs/input.tsx'
import { useT } from '../lib/i18n.ts'

export interface ColourInputProps {
  value: string
  onChange: (value: string) => void
  onBlur: () => void
}

/**
 * Normalises a colour code to the stored form: lower case, with the leading `#` that people omit when they
 * copy it.
 */
function normalize(text: string): string {
  const code = text.trim().replace(/[A-F]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32))
  return /^[0-9a-f]{1,6}$/.test(code) ? `#${code}` : code
}

export function ColourInput({ value, onChange, onBlur }: ColourInputProps) {
  const t = useT()
  const { id, ...control } = useFieldControl()
  const isComplete = /^#[0-9a-f]{6}$/.test(normalize(value))
  return (
    <div className="flex items-center gap-2">
      <input
        type="color"
        aria-label={t('colour.pick')}
        // The colour picker has no empty value: an incomplete code is shown as grey.
        value={isComplete ? normalize(value) : '#808080'}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
        className="h-(--control) w-14 shrink-0 rounded-2 border border-line-strong bg-surface p-1"
      />
      <Input
        {...control}
        {...(id !== undefined && { id })}
        dir="ltr"
        placeholder="#1a2b3c"
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(normalize(event.target.value))}
        onBlur={onBlur}
      />
    </div>
  )
}
