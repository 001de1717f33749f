/**
 * Returns true once the value was true: a loaded part stays mounted, so that its closing animation is
 * visible.
 */
import { useState } from 'react'

export function useWasEverTrue(value: boolean): boolean {
  const [hasBeenTrue, setHasBeenTrue] = useState(value)
  if (value && !hasBeenTrue) setHasBeenTrue(true)
  return hasBeenTrue || value
}
