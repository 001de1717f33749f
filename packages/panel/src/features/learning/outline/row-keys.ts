/** Rows of an outline by their keys, and the arrow keys that go from row to row. */
import type { KeyboardEvent } from 'react'

interface OpenIds {
  lesson?: number | undefined
  group?: number | undefined
}

/** Key of a row in the outline, which its element has in `data-row`. */
export const rowKeyOf = ({ lesson, group }: OpenIds): string =>
  lesson === undefined ? `group-${group}` : `lesson-${lesson}`

/**
 * Moves the focus between rows of the outline on an arrow key, Home or End. Returns whether the key was one
 * of these.
 */
export function moveBetweenRows(event: KeyboardEvent, box: HTMLElement | null): boolean {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event
  if (altKey || ctrlKey || metaKey || shiftKey || !box) return false
  const rows = [...box.querySelectorAll<HTMLElement>('[data-move]')]
  const startIndex = rows.findIndex((row) => row === document.activeElement)
  const targets: Readonly<Record<string, HTMLElement | undefined>> = {
    ArrowUp: rows[Math.max(0, startIndex - 1)],
    ArrowDown: rows[startIndex + 1],
    Home: rows[0],
    End: rows.at(-1),
  }
  if (!(key in targets)) return false
  event.preventDefault()
  targets[key]?.focus()
  return true
}
