/**
 * Canned replies while the user types: a slash opens the list, and the arrows move in it. Enter inserts a reply
 * at the cursor, Escape closes the list and leaves the slash in the text.
 */
import type { Locale } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useId, useState } from 'react'
import { cannedQuery, type CannedReply, findReplies } from './replies.ts'
import { type Call, calledAt, fillVariables, putIn } from './text.ts'

export interface CannedOptions {
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  onText: (text: string) => void
  /** The language of the room. */
  language: Locale
  /** The values of a reply's variables, in the language of the reply. */
  valuesIn: (language: Locale) => Readonly<Record<string, string | undefined>>
  /** Switches canned replies off: only the desk has them. */
  isOff: boolean
}

const none: readonly CannedReply[] = []

export function useCanned({ field, text, onText, language, valuesIn, isOff }: CannedOptions) {
  const id = useId()
  const [cursor, setCursor] = useState<number | null>(null)
  /** The position of the slash whose list was closed by Escape. */
  const [leftAt, setLeftAt] = useState<number | null>(null)
  const [at, setAt] = useState(0)
  const called: Call | undefined = cursor === null || isOff ? undefined : calledAt(text, Math.min(cursor, text.length))
  const isCalled = called !== undefined && called.start !== leftAt
  const { data, error, isLoading, refetch } = useQuery({ ...cannedQuery, enabled: isCalled })
  const found = isCalled && data ? findReplies(data, called.query, language) : none
  const chosen = Math.min(at, found.length - 1)

  const choose = (reply: CannedReply) => {
    if (!called) return
    const next = putIn(text, called, fillVariables(reply.text, valuesIn(reply.locale)))
    onText(next.text)
    setCursor(next.cursor)
    setAt(0)
    const element = field.current
    // Wait until the text is rendered; a selection the user has made by then stays.
    requestAnimationFrame(() => {
      if (!element || element.selectionStart !== element.selectionEnd) return
      element.focus()
      element.setSelectionRange(next.cursor, next.cursor)
    })
  }
  const isOpen =
    isCalled && (found.length > 0 || isLoading || error !== null || (data?.length === 0 && called.query === ''))
  return {
    id,
    found,
    chosen,
    isOpen,
    isLoading,
    error: isCalled ? error : null,
    retry: () => void refetch(),
    choose,
    optionId: (index: number) => `${id}-${index}`,
    /** Updates the cursor position. */
    follow: () => {
      const element = field.current
      const place = element && element.selectionStart === element.selectionEnd ? element.selectionStart : null
      if (place === cursor) return
      setCursor(place)
      setAt(0)
      if (leftAt !== null && (place === null || calledAt(element?.value ?? '', place)?.start !== leftAt))
        setLeftAt(null)
    },
    leave: () => setCursor(null),
    /** Returns whether the list has handled the key. */
    handleKey: (event: KeyboardEvent): boolean => {
      if (!isOpen) return false
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      const reply = found[chosen]
      if (event.key === 'Escape' && called) setLeftAt(called.start)
      else if (step !== 0 && found.length > 0) setAt((chosen + step + found.length) % found.length)
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && reply) choose(reply)
      else return false
      event.preventDefault()
      event.stopPropagation()
      return true
    },
    /** Props of the text field. */
    props: {
      'aria-autocomplete': 'list',
      'aria-controls': isOpen ? id : undefined,
      'aria-activedescendant': isOpen && found.length > 0 ? `${id}-${chosen}` : undefined,
    } as const,
  }
}

export type Canned = ReturnType<typeof useCanned>
