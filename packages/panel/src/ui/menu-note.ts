/** Style of an item of the section menu. */
export const menuEntryClass =
  'flex min-h-9 shrink-0 items-center gap-2 rounded-2 px-3 py-2 leading-tight text-muted transition-colors duration-(--dur-1) hover:bg-hover hover:text-ink aria-[current]:bg-surface aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:shadow-[0_0_0_1px_var(--line)] max-md:min-h-11'

/** The style of a link below a page of the section menu: a saved view, or a count of open cells. */
export const menuNoteClass =
  'ms-3 flex min-h-8 shrink-0 items-center gap-2 rounded-e-2 border-s-2 border-line px-3 py-1 text-sm leading-tight text-muted transition-colors duration-(--dur-1) hover:bg-hover hover:text-ink aria-[current]:border-brand-ui aria-[current]:font-semibold aria-[current]:text-ink max-md:min-h-11'
