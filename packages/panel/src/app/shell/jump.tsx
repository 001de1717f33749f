/** The way to everything: the field in the top bar and Ctrl K; the palette is loaded when it is first wanted. */
import Search from 'lucide-react/icons/search'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { loadFeatureWords, useT } from '../../lib/i18n.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { preload } from '../../ui/lazy-part.ts'
import { showToast } from '../../ui/feedback/toast.ts'
import type { Section } from './menu/sections.ts'

const load = async () => {
  const [{ PaletteDialog }] = await Promise.all([import('../palette/palette-dialog.tsx'), loadFeatureWords()])
  return PaletteDialog
}

/** By place on the keyboard, because under a Cyrillic layout the same key gives another letter. */
const isPaletteKey = (event: KeyboardEvent) =>
  (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.code === 'KeyK'

/** The first letters find a field, however late the palette itself comes. */
const focusNow = (field: HTMLInputElement | null) => field?.focus()

export function Jump({ sections, compact }: { sections: readonly Section[]; compact: boolean }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const returnTo = useRef<HTMLElement | null>(null)
  const [Palette, setPalette] = useState<Awaited<ReturnType<typeof load>>>()
  // Kept here, because typing begins before the palette is there.
  const [text, setText] = useState('')
  const close = () => {
    setText('')
    setOpen(false)
  }
  const fetchAhead = () => preload(load)
  const openPalette = (from: Element | null) => {
    returnTo.current = from instanceof HTMLElement ? from : null
    // At once, so that what is typed right behind the keys finds a field, and passes from it to the palette's with no
    // moment between in which a letter would be lost: React alone would hold the palette back behind a placeholder.
    flushSync(() => setOpen(true))
    void load().then(
      (Loaded) => flushSync(() => setPalette(() => Loaded)),
      () => {
        close()
        showToast({ kind: 'error', title: t('error.network.title'), text: t('error.network.message') })
      },
    )
  }
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isPaletteKey(event)) return
    event.preventDefault()
    // The keys pressed once more change nothing: the focus goes back to where it first was.
    if (!open) openPalette(document.activeElement)
  })
  useEffect(() => {
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [])
  return (
    <>
      {compact ? (
        <IconButton
          data-tour="search"
          label={t('jump.open')}
          icon={<Search size={19} aria-hidden />}
          onPointerEnter={fetchAhead}
          onClick={(event) => openPalette(event.currentTarget)}
        />
      ) : (
        <button
          type="button"
          data-tour="search"
          onClick={(event) => openPalette(event.currentTarget)}
          onPointerEnter={fetchAhead}
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
      {open && Palette ? (
        <Palette sections={sections} returnTo={returnTo} text={text} onText={setText} onClose={close} />
      ) : open ? (
        <input
          ref={focusNow}
          aria-label={t('jump.open')}
          className="sr-only"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && close()}
        />
      ) : null}
    </>
  )
}
