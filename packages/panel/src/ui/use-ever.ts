/** True from the first time on: what was loaded once stays, so that its closing can be seen. */
import { useState } from 'react'

export function useEver(wanted: boolean): boolean {
  const [ever, setEver] = useState(wanted)
  if (wanted && !ever) setEver(true)
  return ever || wanted
}
