/** A named part of the page with its own scrolling: a wide table, a chart. */
import type { ComponentProps } from 'react'

// Scrolling by arrow keys needs the focus, even where nothing inside can be pressed.
const focusable = { tabIndex: 0 } as const

export function ScrollRegion({ 'aria-label': label, ...rest }: ComponentProps<'section'> & { 'aria-label': string }) {
  return <section {...focusable} {...rest} aria-label={label} />
}
