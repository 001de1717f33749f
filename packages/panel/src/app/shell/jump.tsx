/** "Go to a page": the button in the top bar and Ctrl K; the list of pages is loaded when it is first wanted. */
import Search from 'lucide-react/icons/search'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useT } from '../../lib/i18n.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import type { Section } from './sections.ts'

const JumpDialog = lazy(async () => ({ default: (await import('./jump-dialog.tsx')).JumpDialog }))

export function Jump({ sections, compact }: { sections: readonly Section[]; compact: boolean }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const returnTo = useRef<HTMLElement | null>(null)
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      // By place on the keyboard, because under a Cyrillic layout the same key gives another letter.
      if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.code === 'KeyK') {
        event.preventDefault()
        // At once, so that what is typed right behind the keys finds the field.
        returnTo.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
        flushSync(() => setOpen(true))
      }
    }
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [])
  return (
    <>
      {compact ? (
        <IconButton
          label={t('jump.open')}
          icon={<Search size={19} aria-hidden />}
          onClick={(event) => {
            returnTo.current = event.currentTarget
            setOpen(true)
          }}
        />
      ) : (
        <button
          type="button"
          onClick={(event) => {
            returnTo.current = event.currentTarget
            setOpen(true)
          }}
          aria-keyshortcuts="Control+K"
          className="inline-flex min-h-(--control) w-[270px] items-center gap-2 rounded-2 border border-line bg-surface px-3 text-sm text-muted transition-colors duration-(--dur-1) hover:border-muted max-lg:w-[200px]"
        >
          <Search size={16} aria-hidden />
          <span className="flex-1 truncate text-start">{t('jump.open')}</span>
          <kbd
            aria-hidden
            dir="ltr"
            className="rounded-1 border border-line bg-sunken px-1.5 font-sans text-2xs font-semibold"
          >
            Ctrl K
          </kbd>
        </button>
      )}
      {open ? (
        <Suspense fallback={null}>
          <JumpDialog sections={sections} returnTo={returnTo} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
