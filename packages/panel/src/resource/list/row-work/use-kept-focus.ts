/** Keeps the focus in the list: when what had it goes away (a deleted row, the bar of selected rows), and on the way back from a record. */
import type { Entry } from '@dala/model'
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { Selection } from '../selection.ts'
import { leaveRow, takeLeftRow } from '../../../lib/left-row.ts'
import { isCovered } from './list-keys.ts'

/** A dialog goes in its own time, and gives the focus back before; after that nobody else asks for it. */
const patience = 1500

const isLost = () => document.activeElement === null || document.activeElement === document.body

/** Nobody has gone anywhere on the page since it was opened. */
const isAtStart = () => isLost() || document.activeElement?.matches('main') === true

/** Calls when the focus is nowhere and nothing covers the list. Out: how to wait no longer. */
function whenLost(then: () => void): () => void {
  const until = performance.now() + patience
  const look = () => {
    if (isLost() && !isCovered()) then()
    else if (performance.now() < until) frame = requestAnimationFrame(look)
  }
  let frame = requestAnimationFrame(look)
  return () => cancelAnimationFrame(frame)
}

export function useKeptFocus(
  root: HTMLElement,
  list: string,
  entries: readonly Entry[],
  selection: Selection | undefined,
): void {
  /** The row that was worked in last. */
  const place = useRef<{ id: number; index: number } | undefined>(undefined)

  const focusRow = useEffectEvent(() => {
    const rows = [...root.querySelectorAll<HTMLElement>('[data-row]')]
    const { id, index = 0 } = place.current ?? {}
    const row = rows.find(({ dataset }) => Number(dataset['row']) === id) ?? rows[Math.min(index, rows.length - 1)]
    const found = row?.querySelector<HTMLElement>('[data-name]') ?? root.closest('section')?.querySelector('input')
    found?.focus({ preventScroll: true })
  })

  useEffect(() => {
    const note = (target: EventTarget | null) => {
      if (!(target instanceof HTMLElement)) return
      const row = root.contains(target) ? target.closest<HTMLElement>('[data-row]') : null
      const id = Number(row?.dataset['row'])
      if (row) place.current = { id, index: [...root.querySelectorAll('[data-row]')].indexOf(row) }
    }
    const listen = (event: FocusEvent) => note(event.target)
    note(document.activeElement)
    document.addEventListener('focusin', listen)
    return () => document.removeEventListener('focusin', listen)
  }, [root])

  // Back from a record, the focus is in its row; before the rows go, and the focus with them, the row is remembered.
  useLayoutEffect(() => {
    const id = takeLeftRow(list)
    const row = id === undefined ? null : root.querySelector(`[data-row="${id}"]`)
    if (isAtStart()) row?.querySelector<HTMLElement>('[data-name]')?.focus()
    return () => leaveRow(list, document.activeElement?.closest('nav') ? undefined : place.current?.id)
  }, [root, list])

  // A row that is gone takes the focus with it: the one in its place has it.
  useEffect(() => {
    const { current } = place
    if (current && entries.every(({ id }) => id !== current.id)) return whenLost(focusRow)
    return undefined
  }, [entries])

  // So does the bar, with the button that was pressed in it or in its dialog.
  useEffect(() => {
    let stop = () => {}
    const unsubscribe = selection?.subscribe(() => {
      stop()
      const isLeaving = isLost() || document.activeElement?.closest('.bulk-bar, [role=dialog]')
      if (selection.count() === 0 && isLeaving) stop = whenLost(focusRow)
    })
    return () => {
      stop()
      unsubscribe?.()
    }
  }, [selection])
}
