/** Receives files dropped on a part of the page, or pasted while the focus is in that part. */
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'

const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true

/**
 * Calls `onFiles` with files that are dropped or pasted into `zone`.
 *
 * @returns Whether files are dragged over it now.
 */
export function useFileDrop(zone: RefObject<HTMLElement | null>, onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const handleFiles = useEffectEvent((files: readonly File[]) => {
    if (files.length > 0) onFiles(files)
  })
  useEffect(() => {
    const element = zone.current
    if (!element) return undefined
    const controller = new AbortController()
    const { signal } = controller
    const handleDragOver = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const handleDragLeave = (event: DragEvent) => {
      if (!(event.relatedTarget instanceof Node && element.contains(event.relatedTarget))) setOver(false)
    }
    const handleDrop = (event: DragEvent) => {
      setOver(false)
      if (!carriesFiles(event)) return
      event.preventDefault()
      handleFiles([...(event.dataTransfer?.files ?? [])])
    }
    const handlePaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length > 0) event.preventDefault()
      handleFiles(files)
    }
    element.addEventListener('dragover', handleDragOver, { signal })
    element.addEventListener('dragleave', handleDragLeave, { signal })
    element.addEventListener('drop', handleDrop, { signal })
    element.addEventListener('paste', handlePaste, { signal })
    return () => controller.abort()
  }, [zone])
  return isOver
}
