/**
 * Canned replies while the user types: a slash opens the list, and the arrows move in it. Enter inserts a
 * reply at the cursor, Escape closes the list and leaves the slash in the text.
 */
import type { Locale } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useId, useState } from 'react'
import { cannedQuery, type CannedReply, findReplies } from '../../../fields/canned/replies.ts'
import { type ReplyCall, replyCallAt, fillVariables, insertReply } from '../../../fields/canned/text.ts'

export interface CannedOptions {
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  onText: (text: string) => void
  /** Language of the room, for its canned replies. */
  language: Locale
  /** Values of a canned reply's variables, in the language of the reply. */
  variablesIn: (language: Locale) => Readonly<Record<string, string | undefined>>
  /** Whether canned replies are disabled, because only the desk has them. */
  isDisabled: boolean
}

const noReplies: readonly CannedReply[] = []

export function useCanned({ field, text, onText, language, variablesIn, isDisabled: isOff }: CannedOptions) {
  const id = useId()
  const [cursor, setCursor] = useState<number | null>(null)
  /** Position of the slash whose list of canned replies was closed by Escape. */
  const [dismissedAt, setDismissedAt] = useState<number | null>(null)
  const [highlightedIndex, setHighlighted] = useState(0)
  const replyCall: ReplyCall | undefined =
    cursor === null || isOff ? undefined : replyCallAt(text, Math.min(cursor, text.length))
  const isCalled = replyCall !== undefined && replyCall.start !== dismissedAt
  const { data, error, isLoading, refetch } = useQuery({ ...cannedQuery, enabled: isCalled })
  const foundReplies = isCalled && data ? findReplies(data, replyCall.query, language) : noReplies
  const activeIndex = Math.min(highlightedIndex, foundReplies.length - 1)

  const choose = (reply: CannedReply) => {
    if (!replyCall) return
    const insertedReply = insertReply(text, replyCall, fillVariables(reply.text, variablesIn(reply.locale)))
    onText(insertedReply.text)
    setCursor(insertedReply.cursor)
    setHighlighted(0)
    const element = field.current
    // The cursor moves once the inserted reply is rendered, unless the user has selected text by then.
    requestAnimationFrame(() => {
      if (!element || element.selectionStart !== element.selectionEnd) return
      element.focus()
      element.setSelectionRange(insertedReply.cursor, insertedReply.cursor)
    })
  }
  const isOpen =
    isCalled &&
    (foundReplies.length > 0 || isLoading || error !== null || (data?.length === 0 && replyCall.query === ''))
  return {
    id,
    found: foundReplies,
    chosen: activeIndex,
    isOpen,
    isLoading,
    error: isCalled ? error : null,
    retry: () => void refetch(),
    choose,
    optionId: (index: number) => `${id}-${index}`,
    /** Updates the position of the cursor in the text field of a message. */
    followCursor: () => {
      const element = field.current
      const position = element && element.selectionStart === element.selectionEnd ? element.selectionStart : null
      if (position === cursor) return
      setCursor(position)
      setHighlighted(0)
      if (
        dismissedAt !== null &&
        (position === null || replyCallAt(element?.value ?? '', position)?.start !== dismissedAt)
      )
        setDismissedAt(null)
    },
    leave: () => setCursor(null),
    /** Returns whether the list of canned replies has handled the key. */
    handleKey: (event: KeyboardEvent): boolean => {
      if (!isOpen) return false
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      const reply = foundReplies[activeIndex]
      if (event.key === 'Escape' && replyCall) setDismissedAt(replyCall.start)
      else if (step !== 0 && foundReplies.length > 0)
        setHighlighted((activeIndex + step + foundReplies.length) % foundReplies.length)
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && reply) choose(reply)
      else return false
      event.preventDefault()
      event.stopPropagation()
      return true
    },
    /** Props of a text field that offers canned replies. */
    props: {
      'aria-autocomplete': 'list',
      'aria-controls': isOpen ? id : undefined,
      'aria-activedescendant': isOpen && foundReplies.length > 0 ? `${id}-${activeIndex}` : undefined,
    } as const,
  }
}

export type CannedReplies = ReturnType<typeof useCanned>
