/** Shortcuts of the home page, by physical key. */
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { isPressed, isTyping, shortcuts } from '../../lib/keys/shortcuts.ts'
import { isPageCovered } from '../../resource/list/row-actions/list-keys.ts'

const partOf = (row: Element | undefined, partName: string) =>
  row?.querySelector<HTMLElement>(`[data-part=${partName}]`)

/**
 * Listens for keys while the list of work on the home page is mounted. J and K move through the actions of
 * the rows, O opens a row, Z postpones it. Enter presses the focused action, as everywhere.
 *
 * @param root - The list of work; its rows are marked with `data-work`, their controls with `data-part`.
 * @param onCurrent - Called with the name of the row that has the focus or is under the pointer.
 */
export function useHomeKeys(root: RefObject<HTMLElement | null>, onCurrent: (name: string) => void): void {
  useEffect(() => {
    const list = root.current
    const markCurrentRow = ({ target }: Event) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-work]') : null
      if (row?.dataset['work'] !== undefined) onCurrent(row.dataset['work'])
    }
    list?.addEventListener('focusin', markCurrentRow)
    list?.addEventListener('pointerover', markCurrentRow)
    return () => {
      list?.removeEventListener('focusin', markCurrentRow)
      list?.removeEventListener('pointerover', markCurrentRow)
    }
  }, [root, onCurrent])
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const list = root.current
    if (!list || event.defaultPrevented || isTyping(event.target) || isPageCovered()) return
    const rows = [...list.querySelectorAll('[data-work]')]
    const focusedIndex = rows.findIndex((row) => row.contains(document.activeElement))
    const currentRow = rows[focusedIndex] ?? rows.find((row) => row.hasAttribute('data-current'))
    const { home } = shortcuts
    const focusRow = (newIndex: number) =>
      partOf(rows[Math.max(0, Math.min(rows.length - 1, newIndex))], 'action')?.focus()
    if (isPressed(event, home.down)) focusRow(focusedIndex + 1)
    else if (isPressed(event, home.up)) focusRow(focusedIndex === -1 ? rows.length - 1 : focusedIndex - 1)
    else if (isPressed(event, home.open)) partOf(currentRow, 'open')?.click()
    else if (isPressed(event, home.putOff)) partOf(currentRow, 'put-off')?.click()
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => handleKey(event)
    window.addEventListener('keydown', handleKeyDown)
    return () => window.removeEventListener('keydown', handleKeyDown)
  }, [])
}
