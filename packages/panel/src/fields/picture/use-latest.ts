/** The list of a field as it will be once all its changes are drawn: several uploads may end before the first of them is. */
import type { Entry } from '@dala/model'
import { useEffect, useEffectEvent, useRef } from 'react'

const keyOf = (list: readonly Entry[]) => list.map(({ id }) => id).join()

/** In: the list as the form has it, and how to change it. Out: the latest list, and the way to change it from there. */
export function useLatest(shown: readonly Entry[], onChange: (list: readonly Entry[]) => void) {
  const now = useRef(shown)
  /** Changes that the form has not given back yet. */
  const underWay = useRef<string[]>([])
  const key = keyOf(shown)
  const take = useEffectEvent(() => {
    const echo = underWay.current.lastIndexOf(key)
    // What comes back is older than what is here; anything else was changed from outside.
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
