/** The head of a page: title with a light total, one sentence, actions at the end. */
import type { ReactNode } from 'react'
import { cx } from '../lib/class-names.ts'

export interface PageHeadProps {
  title: string
  /** The total beside the title, in light figures. */
  total?: string | undefined
  text?: ReactNode
  /** A picture before the title. */
  lead?: ReactNode
  actions?: ReactNode
}

export function PageHead({ title, total, text, lead, actions }: PageHeadProps) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 pt-4 pb-[22px] max-md:items-center max-md:px-0.5 max-md:pt-2.5 max-md:pb-4">
      <div
        className={cx(
          'flex min-w-[min(100%,22rem)] flex-1 items-center gap-4',
          // A picture leaves a phone no room for buttons beside the name.
          lead ? 'max-md:min-w-full' : 'max-md:min-w-min',
        )}
      >
        {lead}
        <div className="min-w-0">
          <h1 className="flex flex-wrap items-baseline gap-x-2.5 text-2xl leading-tight font-semibold tracking-[-0.012em] wrap-break-word">
            {title}
            {total === undefined ? null : <span className="font-light text-muted">{total}</span>}
          </h1>
          {text ? <div className="mt-[3px] text-muted max-md:text-sm">{text}</div> : null}
        </div>
      </div>
      {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
    </div>
  )
}
