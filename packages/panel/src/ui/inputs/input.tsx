/** One-line and many-line text fields. */
import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../../lib/class-names.ts'
import { controlClass } from './control-class.ts'
import { useFieldControl } from './field.tsx'

/** The frame around several controls, which have no frame of their own. */
export const frameClass = cx(
  controlClass,
  'flex items-center gap-1.5 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus has-aria-invalid:border-danger-text has-aria-invalid:shadow-[inset_0_0_0_1px_var(--danger-text)]',
)
/** Text field inside the common frame of several controls. */
export const framedInputClass = 'min-w-0 flex-1 bg-transparent py-1 text-ellipsis outline-0 max-md:min-h-9'

export function Input({ className, type = 'text', ...inputProps }: ComponentProps<'input'>) {
  return <input {...useFieldControl()} type={type} {...inputProps} className={cx(controlClass, className)} />
}

export function Textarea({ className, rows = 4, ...inputProps }: ComponentProps<'textarea'>) {
  return (
    <textarea
      {...useFieldControl()}
      rows={rows}
      {...inputProps}
      className={cx(controlClass, 'block resize-y py-[9px] leading-read', className)}
    />
  )
}

/** A text field with an icon at the start of its frame, such as the magnifier of a search. */
export function FramedInput({ icon, className, ...inputProps }: ComponentProps<'input'> & { icon: ReactNode }) {
  return (
    <label
      className={cx(
        'inline-flex min-h-(--control) min-w-0 items-center gap-2 rounded-2 border border-line-strong bg-surface px-3 text-muted hover:border-muted has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus',
        className,
      )}
    >
      {icon}
      <input {...inputProps} className="w-full min-w-0 bg-transparent text-ink text-ellipsis outline-0" />
    </label>
  )
}
