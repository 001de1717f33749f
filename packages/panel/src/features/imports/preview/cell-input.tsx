/** Input of the active cell in the preview, with the text of the file or of its correction. */
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { cx } from '../../../lib/class-names.ts'
import { controlClass } from '../../../ui/inputs/control-class.ts'

/** Direction in which editing continues after a cell of the preview. */
export type MoveAfterEdit = 'stay' | 'next' | 'across' | 'back' | 'fault' | 'former'

export interface CellInputProps {
  name: string
  text: string
  /** The wrong letter of an imported value is selected, so that the next key replaces it. */
  wrongRange?: readonly [number, number] | undefined
  isFaulty: boolean
  isFigure: boolean
  describedBy?: string | undefined
  className?: string
  onLeave: (text: string | null, direction: MoveAfterEdit) => void
}

export function CellInput({
  name,
  text,
  wrongRange,
  isFaulty,
  isFigure,
  describedBy,
  className,
  onLeave,
}: CellInputProps) {
  const [typedText, setTypedText] = useState(text)
  const input = useRef<HTMLInputElement>(null)
  const hasLeftCell = useRef(false)
  const [[start, end]] = useState(wrongRange ?? [text.length, text.length])
  useLayoutEffect(() => {
    input.current?.focus()
    input.current?.setSelectionRange(start, end)
  }, [start, end])
  const finishCell = (value: string | null, nextMove: MoveAfterEdit) => {
    if (hasLeftCell.current) return
    hasLeftCell.current = true
    onLeave(value, nextMove)
  }
  const handleKey = (event: KeyboardEvent) => {
    // The page handles Ctrl+Enter and writes the rows, so the text typed in the cell is stored before.
    if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') finishCell(typedText, 'stay')
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.code === 'F8') finishCell(typedText, event.shiftKey ? 'former' : 'fault')
    else if (event.key === 'Enter') finishCell(typedText, 'next')
    else if (event.key === 'Escape') finishCell(null, 'stay')
    else if (event.key === 'Tab') finishCell(typedText, event.shiftKey ? 'back' : 'across')
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <input
      ref={input}
      type="text"
      autoComplete="off"
      aria-label={name}
      aria-describedby={describedBy}
      aria-invalid={isFaulty || undefined}
      className={cx(
        controlClass,
        'min-h-8! bg-surface! px-[9px]! font-semibold outline-2 outline-focus',
        isFigure && 'text-end tabular-nums',
        className,
      )}
      value={typedText}
      onChange={({ target }) => setTypedText(target.value)}
      onKeyDown={handleKey}
      onBlur={() => finishCell(typedText, 'stay')}
    />
  )
}
