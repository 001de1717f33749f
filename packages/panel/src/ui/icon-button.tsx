/** Square button with only an icon; its label is also the tooltip. */
import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../lib/class-names.ts'
import { type DisabledReason, useDisabledReason } from './disabled-reason.tsx'

export const iconButtonClass =
  'inline-grid size-9 shrink-0 place-items-center rounded-2 text-muted transition-colors duration-(--dur-1) hover:bg-hover hover:text-ink data-popup-open:bg-hover data-popup-open:text-ink aria-disabled:opacity-40 aria-disabled:hover:bg-transparent max-md:size-11 pointer-coarse:size-11'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label' | 'disabled'> {
  label: string
  icon: ReactNode
  /** Reason why the button cannot be pressed now. */
  disabled?: DisabledReason
}

/** Names of handlers that would press the button or open its menu. */
const inertProps: ComponentProps<'button'> = {
  onClick: (event) => event.preventDefault(),
  onPointerDown: undefined,
  onMouseDown: undefined,
  onKeyDown: undefined,
}

export function IconButton({ label, icon, disabled, className, type = 'button', ...buttonProps }: IconButtonProps) {
  const disabledReason = useDisabledReason(disabled, buttonProps['aria-describedby'])
  return (
    <button
      data-tip={label}
      {...buttonProps}
      type={type === 'submit' ? 'submit' : 'button'}
      aria-label={label}
      className={cx(iconButtonClass, className)}
      {...disabledReason.props}
      {...(disabled ? inertProps : {})}
    >
      {icon}
      {disabledReason.note}
    </button>
  )
}
