/** Button with the suggested value of a cell: the label is the value that a press writes. */
import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../../lib/class-names.ts'

export function SuggestionButton({
  className,
  children,
  ...buttonProps
}: ComponentProps<'button'> & { children: ReactNode }) {
  return (
    <button
      {...buttonProps}
      type="button"
      className={cx(
        'inline-flex min-h-[26px] max-w-full items-center gap-1.5 rounded-1 border border-brand-ui bg-surface px-[9px] text-sm font-semibold text-brand-text hover:bg-hover max-md:min-h-11 max-md:px-3 pointer-coarse:min-h-11',
        className,
      )}
    >
      {children}
    </button>
  )
}
