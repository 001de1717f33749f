/** One choice out of a long list, found by typing; closed it is a button, its list is loaded when it is wanted. */
import ChevronDown from 'lucide-react/icons/chevron-down'
import { lazy, Suspense, useState } from 'react'
import { type SearchSelectProps, selectClass } from './select-props.ts'

const load = () => import('./search-select-root.tsx')
const SearchSelectRoot = lazy(async () => ({ default: (await load()).SearchSelectRoot }))

// A closed combobox controls nothing yet, so it names no list; the opened one does.
const closedRole = { role: 'combobox', 'aria-haspopup': 'dialog', 'aria-expanded': false } as const

export function SearchSelect(props: SearchSelectProps) {
  const { text, className, onSearch } = props
  const [wanted, setWanted] = useState(false)
  const preload = () => void load()
  const open = () => {
    onSearch('')
    setWanted(true)
  }
  const closed = (
    <button
      type="button"
      {...closedRole}
      aria-label={props['aria-label']}
      className={selectClass('filter', className)}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
        event.preventDefault()
        open()
      }}
    >
      <span className="min-w-0 flex-1 truncate">{text}</span>
      <ChevronDown size={15} aria-hidden className="text-muted" />
    </button>
  )
  if (!wanted) return closed
  return (
    <Suspense fallback={closed}>
      <SearchSelectRoot {...props} />
    </Suspense>
  )
}
