/** Files dropped on a part of the page, or pasted while the focus is in it. */
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'

const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true

/**
 * Calls `onFiles` with files that are dropped or pasted into `zone`.
 *
 * @returns Whether files are dragged over it now.
 */
export function useFileDrop(zone: RefObject<HTMLElement | null>, onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const take = useEffectEvent((files: readonly File[]) => {
    if (files.length > 0) onFiles(files)
  })
  useEffect(() => {
    const element = zone.current
    if (!element) return undefined
    const listening = new AbortController()
    const { signal } = listening
    const over = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (!(event.relatedTarget instanceof Node && element.contains(event.relatedTarget))) setOver(false)
    }
    const drop = (event: DragEvent) => {
      setOver(false)
      if (!carriesFiles(event)) return
      event.preventDefault()
      take([...(event.dataTransfer?.files ?? [])])
    }
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length > 0) event.preventDefault()
      take(files)
    }
    element.addEventListener('dragover', over, { signal })
    element.addEventListener('dragleave', leave, { signal })
    element.addEventListener('drop', drop, { signal })
    element.addEventListener('paste', paste, { signal })
    return () => listening.abort()
  }, [zone])
  return isOver
}
