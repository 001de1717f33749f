/** The field of the active cell, with the text of the file or of its correction. */
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { cx } from '../../../lib/class-names.ts'
import { controlClass } from '../../../ui/inputs/control-class.ts'

/** Where editing continues. */
export type After = 'stay' | 'next' | 'across' | 'back' | 'fault' | 'former'

export interface CellInputProps {
  name: string
  text: string
  /** The wrong letter is selected, so that the next key replaces it. */
  wrong?: readonly [number, number] | undefined
  isFaulty: boolean
  isFigure: boolean
  describedBy?: string | undefined
  className?: string
  onLeave: (text: string | null, after: After) => void
}

export function CellInput({ name, text, wrong, isFaulty, isFigure, describedBy, className, onLeave }: CellInputProps) {
  const [typed, setTyped] = useState(text)
  const input = useRef<HTMLInputElement>(null)
  const isLeft = useRef(false)
  const [[start, end]] = useState(wrong ?? [text.length, text.length])
  useLayoutEffect(() => {
    input.current?.focus()
    input.current?.setSelectionRange(start, end)
  }, [start, end])
  const leave = (value: string | null, after: After) => {
    if (isLeft.current) return
    isLeft.current = true
    onLeave(value, after)
  }
  const handleKey = (event: KeyboardEvent) => {
    // Ctrl+Enter writes the rows: the page handles it, including the text typed here.
    if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') leave(typed, 'stay')
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.code === 'F8') leave(typed, event.shiftKey ? 'former' : 'fault')
    else if (event.key === 'Enter') leave(typed, 'next')
    else if (event.key === 'Escape') leave(null, 'stay')
    else if (event.key === 'Tab') leave(typed, event.shiftKey ? 'back' : 'across')
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
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onKeyDown={handleKey}
      onBlur={() => leave(typed, 'stay')}
    />
  )
}
