/** A square button with an icon only; its label is the tooltip too. */
import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../lib/class-names.ts'

export const iconButtonClass =
  'inline-grid size-9 shrink-0 place-items-center rounded-2 text-muted transition-colors duration-(--dur-1) hover:bg-hover hover:text-ink data-popup-open:bg-hover data-popup-open:text-ink disabled:opacity-40 disabled:hover:bg-transparent max-md:size-11 pointer-coarse:size-11'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  label: string
  icon: ReactNode
}

export function IconButton({ label, icon, className, type = 'button', ...rest }: IconButtonProps) {
  return (
    <button
      data-tip={label}
      {...rest}
      type={type === 'submit' ? 'submit' : 'button'}
      aria-label={label}
      className={cx(iconButtonClass, className)}
    >
      {icon}
    </button>
  )
}
