/** Whether files of a form's fields are on their way: the fields say so, and the form waits for them with saving. */
import { createContext, use, useCallback, useEffect, useRef, useState } from 'react'
import type { PendingFile } from './use-uploads.ts'

/** Called when a field's files set out; out: to be called when none of them goes on. */
type Begin = () => () => void

export const UnderWayContext = createContext<Begin | undefined>(undefined)

/** For a field. A file that was refused does not go on by itself, nor does one whose twin has to be decided on. */
export function useTellUnderWay(files: readonly PendingFile[]): void {
  const begin = use(UnderWayContext)
  const isGoing = files.some(({ refusal, twin }) => refusal === undefined && twin === undefined)
  useEffect(() => (isGoing ? begin?.() : undefined), [begin, isGoing])
}

/** For a form: whether it has to wait, what its fields call, and what is done when all have ended or are gone. */
export function useUnderWay() {
  const [isUnderWay, setUnderWay] = useState(false)
  const fields = useRef(0)
  const waiting = useRef<(() => void)[]>([])
  const begin = useCallback<Begin>(() => {
    const change = (by: 1 | -1) => {
      fields.current += by
      setUnderWay(fields.current > 0)
      if (fields.current === 0) for (const goOn of waiting.current.splice(0)) goOn()
    }
    change(1)
    return () => change(-1)
  }, [])
  const ended = useCallback(
    () => new Promise<void>((goOn) => (fields.current === 0 ? goOn() : waiting.current.push(goOn))),
    [],
  )
  return { isUnderWay, begin, ended }
}
