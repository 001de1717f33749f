/**
 * Sheet: the surface of contents with a hairline frame, on lists with a strip of fields at its upper edge.
 */
import type { ComponentProps } from 'react'
import { cx } from '../../lib/class-names.ts'

export interface SheetProps extends ComponentProps<'section'> {
  /** Whether the sheet has the strip of fields, the mark of a list. */
  isStrip?: boolean
  /** Whether the sheet has padding, for forms and notes; lists have their own. */
  hasPadding?: boolean
}

export function Sheet({
  isStrip: strip = false,
  hasPadding: isPadded = false,
  className,
  children,
  ...sectionProps
}: SheetProps) {
  return (
    <section
      {...sectionProps}
      className={cx(
        'relative rounded-3 border border-line bg-surface shadow-1',
        strip && 'overflow-hidden',
        isPadded && 'px-6 py-[22px] max-md:px-4 max-md:py-[18px]',
        className,
      )}
    >
      {strip ? <div aria-hidden className="field-strip" /> : null}
      {children}
    </section>
  )
}
