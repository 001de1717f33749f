/** The keys of a list, by their place on the keyboard: under a Cyrillic layout the same key gives another letter. */
import { useEffect, useEffectEvent } from 'react'

export interface ListKeys {
  onToggle: (id: number) => void
  onEdit: (id: number) => void
  /** Escape: the selection goes. Out: whether there was one. */
  onClear: () => boolean
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select, [role=combobox]'))

/** What floats above the list has the keys while it is there. */
const isCovered = () =>
  document.querySelector('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]') !== null

const rowOf = (element: Element | null) => element?.closest<HTMLElement>('[data-row]') ?? null
const nameIn = (row: Element | undefined | null) => row?.querySelector<HTMLElement>('[data-name]') ?? null

export function useListKeys(root: HTMLElement, { onToggle, onEdit, onClear }: ListKeys): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, code, key, defaultPrevented, ctrlKey, metaKey, altKey, shiftKey } = event
    if (defaultPrevented || ctrlKey || metaKey || altKey || isTyping(target) || isCovered()) return
    const focused = document.activeElement
    const row = focused && root.contains(focused) ? rowOf(focused) : null
    const id = Number(row?.dataset['row'])
    const walk = (by: 1 | -1) => {
      const rows = [...root.querySelectorAll('[data-row]')]
      const from = row ? rows.indexOf(row) + by : by > 0 ? 0 : rows.length - 1
      nameIn(rows[Math.max(0, Math.min(rows.length - 1, from))])?.focus()
    }
    if (code === 'Slash') {
      if (shiftKey) window.dispatchEvent(new Event('dala:shortcuts'))
      else root.closest('section')?.querySelector<HTMLElement>('input[type=search]')?.focus()
    } else if (shiftKey) return
    else if (code === 'KeyJ') walk(1)
    else if (code === 'KeyK') walk(-1)
    else if (code === 'KeyX' && row) onToggle(id)
    else if (code === 'KeyE' && row) onEdit(id)
    else if (key === 'Escape') {
      if (!onClear()) return
    } else return
    event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handleKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
