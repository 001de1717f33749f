/** The text of a search box: sent when the typing pauses, and updated when the search changes elsewhere. */
import { useEffect, useEffectEvent, useRef, useState } from 'react'

/**
 * Returns the text of a search box, which is sent when the user pauses.
 *
 * @param searchText - The present search text.
 * @param onSearch - Receives a changed text.
 * @returns The text of the box, a function that changes it, and one that sends it at once.
 */
export function useTypedSearch(
  searchText: string,
  onSearch: (searchText: string) => void,
): [string, (text: string) => void, () => void] {
  const [text, setText] = useState(searchText)
  const lastSentText = useRef(searchText)

  // The search text changes from outside by Back or "clear filters".
  useEffect(() => {
    if (searchText === lastSentText.current) return
    lastSentText.current = searchText
    setText(searchText)
  }, [searchText])

  const search = useEffectEvent(onSearch)
  useEffect(() => {
    if (text === lastSentText.current) return
    // A search waits for a pause in typing, so that a slow connection does not carry a call for every letter.
    const timer = setTimeout(() => {
      lastSentText.current = text
      search(text)
    }, 300)
    return () => clearTimeout(timer)
  }, [text])

  const sendSearchText = () => {
    if (text === lastSentText.current) return
    lastSentText.current = text
    onSearch(text)
  }
  return [text, setText, sendSearchText]
}
