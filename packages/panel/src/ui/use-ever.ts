/** Stays true once it was true: a loaded part stays mounted, so that its closing animation is visible. */
import { useState } from 'react'

export function useEver(wanted: boolean): boolean {
  const [ever, setEver] = useState(wanted)
  if (wanted && !ever) setEver(true)
  return ever || wanted
}
