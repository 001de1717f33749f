/** Input that renames a row of an outline in place: Enter stores the title, Escape discards it. */
import { useEffect, useRef } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { Input } from '../../../ui/inputs/input.tsx'

interface TitleInputProps {
  title: string
  /** Language of the renamed row's title. */
  lang: string
  onEnd: (title: string | null) => void
}

export function TitleInput({ title, lang, onEnd }: TitleInputProps) {
  const t = useT()
  const input = useRef<HTMLInputElement>(null)
  const hasEnded = useRef(false)
  /** Whether no key was pressed yet: the menu that started the renaming may still focus its button again. */
  const isFresh = useRef(true)
  useEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])
  // Removing the title input also takes its focus, which must not end the renaming a second time.
  const end = (text: string | null) => {
    if (hasEnded.current) return
    hasEnded.current = true
    onEnd(text)
  }
  return (
    <Input
      ref={input}
      aria-label={t('learning.renameTo', { name: title })}
      lang={lang}
      defaultValue={title}
      maxLength={255}
      onBlur={(event) => {
        if (isFresh.current && event.relatedTarget?.matches('[data-menu]')) input.current?.focus()
        else end(event.target.value)
      }}
      onKeyDown={(event) => {
        isFresh.current = false
        if (event.key === 'Enter') {
          event.preventDefault()
          end(event.currentTarget.value)
        }
        if (event.key === 'Escape') {
          event.preventDefault()
          event.stopPropagation()
          end(null)
        }
      }}
    />
  )
}
