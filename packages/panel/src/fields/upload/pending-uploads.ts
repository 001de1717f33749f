/**
 * Pending uploads of a form's fields: the fields report them, and the form waits for them before it saves.
 */
import { createContext, use, useCallback, useEffect, useRef, useState } from 'react'
import type { PendingFile } from './use-uploads.ts'

/** Called when a field's uploads start; the function that it returns is called when none continues. */
type BeginUpload = () => () => void

export const UnderWayContext = createContext<BeginUpload | undefined>(undefined)

/**
 * Reports a field's uploads. A failed file does not continue on its own, nor does one with an undecided
 * duplicate.
 */
export function useReportUploads(files: readonly PendingFile[]): void {
  const beginUploads = use(UnderWayContext)
  const isGoing = files.some(({ refusal, duplicate }) => refusal === undefined && duplicate === undefined)
  useEffect(() => (isGoing ? beginUploads?.() : undefined), [beginUploads, isGoing])
}

/**
 * Tracks a form's uploads: whether any is pending, the context for its fields, and what runs after the last
 * one.
 */
export function usePendingUploads() {
  const [isUnderWay, setUnderWay] = useState(false)
  const fields = useRef(0)
  const resolvers = useRef<(() => void)[]>([])
  const beginUploads = useCallback<BeginUpload>(() => {
    const change = (step: 1 | -1) => {
      fields.current += step
      setUnderWay(fields.current > 0)
      if (fields.current === 0) for (const resolve of resolvers.current.splice(0)) resolve()
    }
    change(1)
    return () => change(-1)
  }, [])
  const waitForUploads = useCallback(
    () => new Promise<void>((resolve) => (fields.current === 0 ? resolve() : resolvers.current.push(resolve))),
    [],
  )
  return { isUnderWay, begin: beginUploads, ended: waitForUploads }
}
