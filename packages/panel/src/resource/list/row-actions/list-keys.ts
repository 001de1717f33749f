/** Keyboard shortcuts of a list, by key position: in a Cyrillic layout the same key types another letter. */
import { useEffect, useEffectEvent } from 'react'
import { isPressed, shortcuts } from '../../../lib/keys/shortcuts.ts'

export interface ListKeys {
  onToggle: (id: number) => void
  onEdit: (id: number) => void
  /** Clears the selection of rows on Escape. Returns whether there was one. */
  onClear: () => boolean
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select, [role=combobox]'))

/**
 * Whether a dialog or menu covers the list and takes its keys; a toast does not, although it has the role of
 * a dialog.
 */
export const isPageCovered = () =>
  [...document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]')].some(
    (overlay) => !overlay.closest('[aria-live]'),
  )

const rowOf = (element: Element | null) => element?.closest<HTMLElement>('[data-row]') ?? null
const findNameLink = (row: Element | undefined | null) => row?.querySelector<HTMLElement>('[data-name]') ?? null

export function useListKeys(root: HTMLElement, { onToggle, onEdit, onClear }: ListKeys): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, defaultPrevented, ctrlKey, metaKey, altKey } = event
    if (defaultPrevented || ctrlKey || metaKey || altKey || isTyping(target) || isPageCovered()) return
    const focusedElement = document.activeElement
    const row = focusedElement && root.contains(focusedElement) ? rowOf(focusedElement) : null
    const id = Number(row?.dataset['row'])
    const moveBetweenRows = (step: 1 | -1) => {
      const rows = [...root.querySelectorAll('[data-row]')]
      const targetIndex = row ? rows.indexOf(row) + step : step > 0 ? 0 : rows.length - 1
      findNameLink(rows[Math.max(0, Math.min(rows.length - 1, targetIndex))])?.focus()
    }
    const { list } = shortcuts
    if (isPressed(event, list.search))
      root.closest('section')?.querySelector<HTMLElement>('input[type=search]')?.focus()
    else if (isPressed(event, list.down)) moveBetweenRows(1)
    else if (isPressed(event, list.up)) moveBetweenRows(-1)
    else if (isPressed(event, list.choose) && row) onToggle(id)
    else if (isPressed(event, list.edit) && row) onEdit(id)
    else if (event.key !== 'Escape' || event.shiftKey || !onClear()) return
    event.preventDefault()
  })
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => handleKey(event)
    window.addEventListener('keydown', handleKeyDown)
    return () => window.removeEventListener('keydown', handleKeyDown)
  }, [])
}
