/** Styles of every control that accepts text or opens a list. */

/** Frame of every control that accepts text or opens a list. */
export const controlClass =
  'min-h-(--control) w-full min-w-0 rounded-2 border border-line-strong bg-surface px-3 text-md transition-colors duration-(--dur-1) hover:border-muted outline-offset-1 aria-invalid:border-danger-text aria-invalid:shadow-[inset_0_0_0_1px_var(--danger-text)] aria-disabled:bg-sunken aria-disabled:text-muted [&[readonly]]:bg-sunken'
