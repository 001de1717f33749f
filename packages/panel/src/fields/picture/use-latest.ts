/**
 * The list of pictures in a field, with all changes applied: several uploads may end before the first one is
 * rendered.
 */
import type { Entry } from '@dala/model'
import { useEffect, useEffectEvent, useRef } from 'react'

const keyOf = (list: readonly Entry[]) => list.map(({ id }) => id).join()

/**
 * Tracks the latest list of pictures in a form field.
 *
 * @param value - The list in the form.
 * @param onChange - Changes the list in the form.
 * @returns The latest list, and a function that changes it.
 */
export function useLatest(value: readonly Entry[], onChange: (list: readonly Entry[]) => void) {
  const now = useRef(value)
  /** Keys of changes to the list that the form has not rendered yet. */
  const emittedKeys = useRef<string[]>([])
  const key = keyOf(value)
  const applyValue = useEffectEvent(() => {
    const echoIndex = emittedKeys.current.lastIndexOf(key)
    // A list that this field has emitted may be older than `now`; any other list was changed from outside.
    if (echoIndex < 0) now.current = value
    emittedKeys.current = echoIndex < 0 ? [] : emittedKeys.current.slice(echoIndex + 1)
  })
  useEffect(() => applyValue(), [key])
  const change = (list: readonly Entry[]) => {
    now.current = list
    emittedKeys.current.push(keyOf(list))
    onChange(list)
  }
  return { now, change }
}
