/** Opens the palette: the field in the top bar and Ctrl K; the palette is loaded on first use. */
import Search from 'lucide-react/icons/search'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { loadFeatureMessages, useT } from '../../lib/i18n.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { preload } from '../../ui/lazy-part.ts'
import { showToast } from '../../ui/feedback/toast.ts'
import type { Section } from './menu/sections.ts'

const load = async () => {
  const [{ PaletteDialog }] = await Promise.all([import('../palette/palette-dialog.tsx'), loadFeatureMessages()])
  return PaletteDialog
}

/** The key of the shortcut is compared by position, because a Cyrillic layout gives another letter for it. */
const isPaletteKey = (event: KeyboardEvent) =>
  (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.code === 'KeyK'

/** Focuses the field for the first typed letters, before the palette is loaded. */
const focusField = (field: HTMLInputElement | null) => field?.focus()

export function PaletteButton({ sections, compact }: { sections: readonly Section[]; compact: boolean }) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  const returnTo = useRef<HTMLElement | null>(null)
  const [Palette, setPalette] = useState<Awaited<ReturnType<typeof load>>>()
  // The button stores the text typed for the palette, because typing starts before the palette is loaded.
  const [text, setText] = useState('')
  const closePalette = () => {
    setText('')
    setOpen(false)
  }
  const preloadPalette = () => preload(load)
  const openPalette = (focusedElement: Element | null) => {
    returnTo.current = focusedElement instanceof HTMLElement ? focusedElement : null
    // Letters typed right after the shortcut must reach this field and then the palette without a gap.
    flushSync(() => setOpen(true))
    void load().then(
      (Loaded) => flushSync(() => setPalette(() => Loaded)),
      () => {
        closePalette()
        showToast({ kind: 'error', title: t('error.network.title'), text: t('error.network.message') })
      },
    )
  }
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isPaletteKey(event)) return
    event.preventDefault()
    // A second press of the shortcut changes nothing: the focus returns to the element that had it before the
    // first.
    if (!isOpen) openPalette(document.activeElement)
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
          onPointerEnter={preloadPalette}
          onClick={(event) => openPalette(event.currentTarget)}
        />
      ) : (
        <button
          type="button"
          data-tour="search"
          onClick={(event) => openPalette(event.currentTarget)}
          onPointerEnter={preloadPalette}
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
      {isOpen && Palette ? (
        <Palette sections={sections} returnTo={returnTo} text={text} onText={setText} onClose={closePalette} />
      ) : isOpen ? (
        <input
          ref={focusField}
          aria-label={t('jump.open')}
          className="sr-only"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && closePalette()}
        />
      ) : null}
    </>
  )
}
