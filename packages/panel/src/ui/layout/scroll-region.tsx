/** Named part of the page with its own scrolling: a wide table, a chart. */
import type { ComponentProps } from 'react'

// Region that can be focused, because arrow keys scroll only what has the focus.
const focusableProps = { tabIndex: 0 } as const

export function ScrollRegion({
  'aria-label': label,
  ...sectionProps
}: ComponentProps<'section'> & { 'aria-label': string }) {
  return <section {...focusableProps} {...sectionProps} aria-label={label} />
}
