/** Buttons with words, and links that look like them. */
import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../lib/class-names.ts'
import { Spinner } from './spinner.tsx'

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'

const looks: Readonly<Record<ButtonKind, string>> = {
  primary: 'border-transparent bg-brand text-on-brand hover:bg-brand-hover active:bg-brand-active',
  plain: 'border-line-strong bg-surface text-ink hover:bg-hover',
  quiet: 'border-transparent bg-transparent text-ink hover:bg-hover',
  danger: 'border-transparent bg-danger text-surface hover:bg-danger-text',
}

const shape =
  'inline-flex min-h-(--control) items-center justify-center gap-2 rounded-2 border px-[15px] py-1 text-md font-semibold transition-colors duration-(--dur-1) disabled:opacity-50 aria-disabled:opacity-50'

/** The classes of a button, for links of the router. */
export function buttonClass(kind: ButtonKind = 'plain', className?: string): string {
  return cx(shape, looks[kind], className)
}

export interface ButtonProps extends ComponentProps<'button'> {
  kind?: ButtonKind
  icon?: ReactNode
  /** Work is under way: the spinner takes the icon's place, the words and the width stay. */
  busy?: boolean
}

export function Button({
  kind = 'plain',
  icon,
  busy = false,
  className,
  children,
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type === 'submit' ? 'submit' : 'button'}
      className={buttonClass(kind, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        // A busy button keeps the focus and its place in the tab order, but starts nothing twice.
        if (busy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {busy ? <Spinner /> : icon}
      <span>{children}</span>
    </button>
  )
}

/** A button that reads like a link, inside lines and bars. */
export function LinkButton({
  danger = false,
  icon,
  className,
  children,
  type = 'button',
  ...rest
}: Omit<ButtonProps, 'kind' | 'busy'> & { danger?: boolean }) {
  return (
    <button
      {...rest}
      type={type === 'submit' ? 'submit' : 'button'}
      className={cx(
        'inline-flex min-h-6 items-center gap-1.5 font-semibold underline-offset-[3px] hover:underline pointer-coarse:min-h-11',
        danger ? 'text-danger-text' : 'text-brand-text',
        className,
      )}
    >
      {icon}
      {children}
    </button>
  )
}
