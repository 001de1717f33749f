/** Text buttons, and links that look like them. */
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { cx } from '../lib/class-names.ts'
import { Spinner } from './feedback/spinner.tsx'
import { type DisabledReason, useDisabledReason } from './disabled-reason.tsx'

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'

const kindClasses: Readonly<Record<ButtonKind, string>> = {
  primary: 'border-transparent bg-brand text-on-brand hover:bg-brand-hover active:bg-brand-active',
  plain: 'border-line-strong bg-surface text-ink hover:bg-hover',
  quiet: 'border-transparent bg-transparent text-ink hover:bg-hover',
  danger: 'border-transparent bg-danger text-surface hover:bg-danger-text',
}

const baseClass =
  'inline-flex min-h-(--control) items-center justify-center gap-2 rounded-2 border px-[15px] py-1 text-md font-semibold transition-colors duration-(--dur-1) aria-disabled:opacity-50'

/** Classes of a button, for links of the router. */
export function buttonClass(kind: ButtonKind = 'plain', className?: string): string {
  return cx(baseClass, kindClasses[kind], className)
}

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  kind?: ButtonKind
  icon?: ReactNode
  /** Whether the button's action is in progress: the spinner replaces the icon, text and width stay. */
  isBusy?: boolean
  /** Reason why the button cannot be pressed now. */
  disabled?: DisabledReason
}

const preventAction = (event: MouseEvent) => event.preventDefault()

export function Button({
  kind = 'plain',
  icon,
  isBusy: isPending = false,
  disabled,
  className,
  children,
  type = 'button',
  onClick,
  ...buttonProps
}: ButtonProps) {
  const disabledReason = useDisabledReason(isPending ? false : disabled, buttonProps['aria-describedby'])
  return (
    <button
      {...buttonProps}
      type={type === 'submit' ? 'submit' : 'button'}
      className={buttonClass(kind, className)}
      aria-busy={isPending || undefined}
      aria-disabled={isPending || undefined}
      {...disabledReason.props}
      // A busy button keeps the focus and its tab order, but ignores presses.
      onClick={isPending || disabled ? preventAction : onClick}
    >
      {isPending ? <Spinner /> : icon}
      <span>{children}</span>
      {disabledReason.note}
    </button>
  )
}

/** Button that looks like a link, inside lines and bars. */
export function LinkButton({
  isDanger = false,
  icon,
  disabled,
  className,
  children,
  type = 'button',
  onClick,
  ...buttonProps
}: Omit<ButtonProps, 'kind' | 'isBusy'> & { isDanger?: boolean }) {
  const disabledReason = useDisabledReason(disabled, buttonProps['aria-describedby'])
  return (
    <button
      {...buttonProps}
      type={type === 'submit' ? 'submit' : 'button'}
      className={cx(
        'inline-flex min-h-6 items-center gap-1.5 font-semibold underline-offset-[3px] hover:underline aria-disabled:opacity-50 pointer-coarse:min-h-11',
        isDanger ? 'text-danger-text' : 'text-brand-text',
        className,
      )}
      {...disabledReason.props}
      onClick={disabled ? preventAction : onClick}
    >
      {icon}
      {children}
      {disabledReason.note}
    </button>
  )
}
