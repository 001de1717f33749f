/** The search of the library: by name and alternative text. */
import Search from 'lucide-react/icons/search'
import type { RefObject } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { useTypedSearch } from '../../../lib/hooks/use-typed-search.ts'
import { FramedInput } from '../../../ui/inputs/input.tsx'

interface LibrarySearchProps {
  q: string
  onSearch: (searchText: string) => void
  input?: RefObject<HTMLInputElement | null> | undefined
}

export function LibrarySearch({ q, onSearch, input }: LibrarySearchProps) {
  const t = useT()
  const [text, setText] = useTypedSearch(q, onSearch)
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
