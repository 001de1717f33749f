/** Switch whose change has an immediate effect. */
import { Switch as Base } from '@base-ui/react/switch'
import { useFieldControl } from './field.tsx'
import { type DisabledReason, useDisabledReason } from '../disabled-reason.tsx'

export interface SwitchProps {
  checked: boolean
  onCheckedChange: (isChecked: boolean) => void
  /** Reason why the switch cannot be changed now. */
  disabled?: DisabledReason
  'aria-label'?: string
  'aria-labelledby'?: string
}

export function Switch({ disabled, ...props }: SwitchProps) {
  const { id, 'aria-describedby': describedBy } = useFieldControl()
  const disabledReason = useDisabledReason(disabled, describedBy)
  return (
    <>
      <Base.Root
        id={id}
        {...props}
        {...disabledReason.props}
        readOnly={Boolean(disabled)}
        className="relative block h-[26px] w-11 shrink-0 rounded-full bg-line-strong p-[3px] transition-colors duration-(--dur-2) after:absolute after:-inset-x-1 after:-inset-y-[9px] data-checked:bg-brand-ui aria-disabled:opacity-50"
      >
        <Base.Thumb className="block size-5 rounded-full bg-surface transition-[translate] duration-(--dur-2) ease-ui data-checked:translate-x-[18px] rtl:data-checked:-translate-x-[18px]" />
      </Base.Root>
      {disabledReason.note}
    </>
  )
}
