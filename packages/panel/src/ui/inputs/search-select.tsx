/** Select for a long list, searched by typing. A closed one is a button; its list is loaded on demand. */
import ChevronDown from 'lucide-react/icons/chevron-down'
import { useState } from 'react'
import { type SearchSelectProps, selectClass } from './select-props.ts'
import { lazyPart, preload } from '../lazy-part.ts'
import { AwaitedPart } from '../awaited.tsx'

const load = () => import('./search-select-root.tsx')
const SearchSelectRoot = lazyPart(async () => (await load()).SearchSelectRoot)

// A closed combobox controls nothing yet, so it refers to no list; the open one does.
const closedRole = { role: 'combobox', 'aria-haspopup': 'dialog', 'aria-expanded': false } as const

export function SearchSelect(props: SearchSelectProps) {
  const { text, className, onSearch } = props
  const [wasOpened, setWasOpened] = useState(false)
  const preloadRoot = () => preload(load)
  const openList = () => {
    onSearch('')
    setWasOpened(true)
  }
  const closedButton = (
    <button
      type="button"
      {...closedRole}
      aria-label={props['aria-label']}
      className={selectClass('filter', className)}
      onPointerEnter={preloadRoot}
      onFocus={preloadRoot}
      onClick={openList}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
        event.preventDefault()
        openList()
      }}
    >
      <span className="min-w-0 flex-1 truncate">{text}</span>
      <ChevronDown size={15} aria-hidden className="text-muted" />
    </button>
  )
  if (!wasOpened) return closedButton
  return (
    <AwaitedPart fallback={closedButton} onGiveUp={() => setWasOpened(false)}>
      <SearchSelectRoot {...props} />
    </AwaitedPart>
  )
}
