/** Text buttons, and links that look like them. */
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { cx } from '../lib/class-names.ts'
import { Spinner } from './feedback/spinner.tsx'
import { type Disabled, useDisabledReason } from './disabled-reason.tsx'

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'

const looks: Readonly<Record<ButtonKind, string>> = {
  primary: 'border-transparent bg-brand text-on-brand hover:bg-brand-hover active:bg-brand-active',
  plain: 'border-line-strong bg-surface text-ink hover:bg-hover',
  quiet: 'border-transparent bg-transparent text-ink hover:bg-hover',
  danger: 'border-transparent bg-danger text-surface hover:bg-danger-text',
}

const shape =
  'inline-flex min-h-(--control) items-center justify-center gap-2 rounded-2 border px-[15px] py-1 text-md font-semibold transition-colors duration-(--dur-1) aria-disabled:opacity-50'

/** The classes of a button, for links of the router. */
export function buttonClass(kind: ButtonKind = 'plain', className?: string): string {
  return cx(shape, looks[kind], className)
}

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  kind?: ButtonKind
  icon?: ReactNode
  /** In progress: the spinner replaces the icon, text and width stay. */
  busy?: boolean
  /** The reason why it cannot be pressed now. */
  disabled?: Disabled
}

const refuse = (event: MouseEvent) => event.preventDefault()

export function Button({
  kind = 'plain',
  icon,
  busy = false,
  disabled,
  className,
  children,
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) {
  const why = useDisabledReason(busy ? false : disabled, rest['aria-describedby'])
  return (
    <button
      {...rest}
      type={type === 'submit' ? 'submit' : 'button'}
      className={buttonClass(kind, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      {...why.props}
      // A busy button keeps the focus and its tab order, but ignores presses.
      onClick={busy || disabled ? refuse : onClick}
    >
      {busy ? <Spinner /> : icon}
      <span>{children}</span>
      {why.note}
    </button>
  )
}

/** A button that looks like a link, inside lines and bars. */
export function LinkButton({
  danger = false,
  icon,
  disabled,
  className,
  children,
  type = 'button',
  onClick,
  ...rest
}: Omit<ButtonProps, 'kind' | 'busy'> & { danger?: boolean }) {
  const why = useDisabledReason(disabled, rest['aria-describedby'])
  return (
    <button
      {...rest}
      type={type === 'submit' ? 'submit' : 'button'}
      className={cx(
        'inline-flex min-h-6 items-center gap-1.5 font-semibold underline-offset-[3px] hover:underline aria-disabled:opacity-50 pointer-coarse:min-h-11',
        danger ? 'text-danger-text' : 'text-brand-text',
        className,
      )}
      {...why.props}
      onClick={disabled ? refuse : onClick}
    >
      {icon}
      {children}
      {why.note}
    </button>
  )
}
