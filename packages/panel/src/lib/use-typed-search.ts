/** The text of a search box: sent when the typing pauses, and changed with what is searched for from outside. */
import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** In: what is searched for, and what to do when something else is typed. Out: the text of the box, how it changes, and how it is sent without waiting. */
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
