/** A named part of the page that scrolls by itself: a wide table, a chart. */
import type { ComponentProps } from 'react'

// Whoever has no pointer scrolls it by the arrow keys, which takes the focus even where nothing in it can be pressed.
const focusable = { tabIndex: 0 } as const

export function ScrollRegion({ 'aria-label': label, ...rest }: ComponentProps<'section'> & { 'aria-label': string }) {
  return <section {...focusable} {...rest} aria-label={label} />
}
