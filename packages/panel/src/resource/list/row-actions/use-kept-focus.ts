/**
 * Keeps the focus in the list after its element is removed (a deleted row, the bar of selected rows), and on
 * the way back from a record.
 */
import type { Entry } from '@dala/model'
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { Selection } from '../selection.ts'
import { rememberRow, takeRememberedRow } from '../../../lib/left-row.ts'
import { isPageCovered } from './list-keys.ts'

/** Milliseconds to wait for a closing dialog: it returns the focus before it has closed. */
const waitLimit = 1500

const isFocusLost = () => document.activeElement === null || document.activeElement === document.body

/** Returns whether the user has not moved the focus since the page was opened. */
const isAtStart = () => isFocusLost() || document.activeElement?.matches('main') === true

/**
 * Calls `callback` when nothing has the focus and nothing covers the list. Returns a function that stops
 * waiting.
 */
function onFocusLost(callback: () => void): () => void {
  const deadline = performance.now() + waitLimit
  const checkFocus = () => {
    if (isFocusLost() && !isPageCovered()) callback()
    else if (performance.now() < deadline) frame = requestAnimationFrame(checkFocus)
  }
  let frame = requestAnimationFrame(checkFocus)
  return () => cancelAnimationFrame(frame)
}

export function useRestoredFocus(
  root: HTMLElement,
  list: string,
  entries: readonly Entry[],
  selection: Selection | undefined,
): void {
  /** Row of the list that last had the focus. */
  const lastFocused = useRef<{ id: number; index: number } | undefined>(undefined)

  const focusRow = useEffectEvent(() => {
    const rows = [...root.querySelectorAll<HTMLElement>('[data-row]')]
    const { id, index = 0 } = lastFocused.current ?? {}
    const row = rows.find(({ dataset }) => Number(dataset['row']) === id) ?? rows[Math.min(index, rows.length - 1)]
    const target = row?.querySelector<HTMLElement>('[data-name]') ?? root.closest('section')?.querySelector('input')
    target?.focus({ preventScroll: true })
  })

  useEffect(() => {
    const rememberFocus = (target: EventTarget | null) => {
      if (!(target instanceof HTMLElement)) return
      const row = root.contains(target) ? target.closest<HTMLElement>('[data-row]') : null
      const id = Number(row?.dataset['row'])
      if (row) lastFocused.current = { id, index: [...root.querySelectorAll('[data-row]')].indexOf(row) }
    }
    const handleFocusIn = (event: FocusEvent) => rememberFocus(event.target)
    rememberFocus(document.activeElement)
    document.addEventListener('focusin', handleFocusIn)
    return () => document.removeEventListener('focusin', handleFocusIn)
  }, [root])

  // The row of a record gets the focus on the way back from it; the row is stored before the rows unmount.
  useLayoutEffect(() => {
    const id = takeRememberedRow(list)
    const row = id === undefined ? null : root.querySelector(`[data-row="${id}"]`)
    if (isAtStart()) row?.querySelector<HTMLElement>('[data-name]')?.focus()
    return () => rememberRow(list, document.activeElement?.closest('nav') ? undefined : lastFocused.current?.id)
  }, [root, list])

  // A removed row takes the focus with it: the row in its place gets the focus.
  useEffect(() => {
    const { current } = lastFocused
    if (current && entries.every(({ id }) => id !== current.id)) return onFocusLost(focusRow)
    return undefined
  }, [entries])

  // The bar of selected rows restores the focus as well, after a press of its button or in its dialog.
  useEffect(() => {
    let stopWatching = () => {}
    const unsubscribe = selection?.subscribe(() => {
      stopWatching()
      const isLeaving = isFocusLost() || document.activeElement?.closest('.bulk-bar, [role=dialog]')
      if (selection.count() === 0 && isLeaving) stopWatching = onFocusLost(focusRow)
    })
    return () => {
      stopWatching()
      unsubscribe?.()
    }
  }, [selection])
}
