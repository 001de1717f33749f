/** On or off, at once. */
import { Switch as Base } from '@base-ui/react/switch'
import { useFieldControl } from './field.tsx'

export interface SwitchProps {
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  disabled?: boolean
  'aria-label'?: string
  'aria-labelledby'?: string
}

export function Switch(props: SwitchProps) {
  const { id, 'aria-describedby': describedBy } = useFieldControl()
  return (
    <Base.Root
      id={id}
      aria-describedby={describedBy}
      {...props}
      className="relative block h-[26px] w-11 shrink-0 rounded-full bg-line-strong p-[3px] transition-colors duration-(--dur-2) after:absolute after:-inset-x-1 after:-inset-y-[9px] data-checked:bg-brand-ui data-disabled:opacity-50"
    >
      <Base.Thumb className="block size-5 rounded-full bg-surface transition-[translate] duration-(--dur-2) ease-ui data-checked:translate-x-[18px] rtl:data-checked:-translate-x-[18px]" />
    </Base.Root>
  )
}
