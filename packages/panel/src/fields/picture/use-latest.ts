/**
 * The list of a field with all its changes applied: several uploads may end before the first one is rendered.
 */
import type { Entry } from '@dala/model'
import { useEffect, useEffectEvent, useRef } from 'react'

const keyOf = (list: readonly Entry[]) => list.map(({ id }) => id).join()

/**
 * Tracks the latest list of a field.
 *
 * @param shown - The list in the form.
 * @param onChange - Changes the list in the form.
 * @returns The latest list, and a function that changes it.
 */
export function useLatest(shown: readonly Entry[], onChange: (list: readonly Entry[]) => void) {
  const now = useRef(shown)
  /** Changes that the form has not rendered yet. */
  const underWay = useRef<string[]>([])
  const key = keyOf(shown)
  const take = useEffectEvent(() => {
    const echo = underWay.current.lastIndexOf(key)
    // A rendered change of our own is older than `now`; anything else was changed from outside.
    if (echo < 0) now.current = shown
    underWay.current = echo < 0 ? [] : underWay.current.slice(echo + 1)
  })
  useEffect(() => take(), [key])
  const change = (list: readonly Entry[]) => {
    now.current = list
    underWay.current.push(keyOf(list))
    onChange(list)
  }
  return { now, change }
}
