/** The search of the library: by name and alternative text, sent when the typing pauses. */
import Search from 'lucide-react/icons/search'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { FramedInput } from '../../ui/input.tsx'

interface LibrarySearchProps {
  q: string
  onSearch: (q: string) => void
  input?: RefObject<HTMLInputElement | null> | undefined
}

export function LibrarySearch({ q, onSearch, input }: LibrarySearchProps) {
  const t = useT()
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

  const label = t('list.searchIn', { fields: t('library.search') })
  return (
    <FramedInput
      {...(input && { ref: input })}
      type="search"
      icon={<Search size={16} aria-hidden />}
      aria-label={label}
      placeholder={t('library.search')}
      value={text}
      maxLength={200}
      onChange={(event) => setText(event.target.value)}
      className="min-w-[160px] flex-auto basis-40 max-md:basis-full"
    />
  )
}
