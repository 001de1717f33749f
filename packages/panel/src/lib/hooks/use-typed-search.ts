/** The text of a search box: sent when the typing pauses, and changed with what is searched for from outside. */
import { useEffect, useEffectEvent, useRef, useState } from 'react'

/**
 * The text of a search box, which is sent when the user pauses.
 *
 * @param q - The text that is searched for.
 * @param onSearch - Receives another text.
 * @returns The text of the box, a function that changes it, and one that sends it at once.
 */
export function useTypedSearch(q: string, onSearch: (q: string) => void): [string, (text: string) => void, () => void] {
  const [text, setText] = useState(q)
  const sent = useRef(q)

  // Back, or "clear filters", changes what is searched for from outside.
  useEffect(() => {
    if (q === sent.current) return
    sent.current = q
    setText(q)
  }, [q])

  const search = useEffectEvent(onSearch)
  useEffect(() => {
    if (text === sent.current) return
    // A pause in typing, so that a weak link does not carry a call for every letter.
    const timer = setTimeout(() => {
      sent.current = text
      search(text)
    }, 300)
    return () => clearTimeout(timer)
  }, [text])

  const sendNow = () => {
    if (text === sent.current) return
    sent.current = text
    onSearch(text)
  }
  return [text, setText, sendNow]
}
