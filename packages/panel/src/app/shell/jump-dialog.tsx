/** All pages by name: type, choose, go. */
import { Combobox } from '@base-ui/react/combobox'
import { Dialog } from '@base-ui/react/dialog'
import { foldSearch } from '@dala/model'
import { useNavigate } from '@tanstack/react-router'
import Search from 'lucide-react/icons/search'
import type { RefObject } from 'react'
import { tFirst, useT } from '../../lib/i18n.ts'
import { Scrim } from '../../ui/scrim.tsx'
import type { Section } from './sections.ts'

interface Place {
  path: string
  label: string
  section: string
}

/** What is typed begins a word of the page's or the section's name. */
function beginsWord({ label, section }: Place, text: string): boolean {
  const words = ` ${foldSearch(`${label} ${section}`).replaceAll('-', ' ')}`
  return words.includes(` ${foldSearch(text).trim()}`)
}

/** The dialog would focus its field a frame later, and the first letters would be lost. */
const focusNow = (field: HTMLInputElement | null) => field?.focus()

interface JumpDialogProps {
  sections: readonly Section[]
  /** What had the focus before. */
  returnTo: RefObject<HTMLElement | null>
  onClose: () => void
}

export function JumpDialog({ sections, returnTo, onClose }: JumpDialogProps) {
  const t = useT()
  const navigate = useNavigate()
  const places: Place[] = sections.flatMap((section) =>
    section.pages.map((page) => ({
      path: page.path,
      label: tFirst([`${page.words}.many`]),
      section: t(`section.${section.name}`),
    })),
  )
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop render={<Scrim />} />
        <Dialog.Popup
          finalFocus={returnTo}
          aria-label={t('jump.open')}
          className="fixed start-1/2 top-[12vh] z-(--z-dialog) flex max-h-[70dvh] w-[min(560px,calc(100vw-28px))] -translate-x-1/2 flex-col overflow-hidden rounded-3 border border-line bg-surface shadow-3 outline-0 max-md:inset-0 max-md:max-h-none max-md:w-auto max-md:translate-x-0! max-md:rounded-none max-md:border-0 rtl:translate-x-1/2"
        >
          <Combobox.Root<Place>
            inline
            open
            items={places}
            value={null}
            itemToStringLabel={(place) => place.label}
            filter={beginsWord}
            autoHighlight
            onValueChange={(place) => {
              if (!place) return
              onClose()
              void navigate({ to: `/app/${place.path}` })
            }}
          >
            <div className="flex items-center gap-2.5 border-b border-line px-4 text-muted">
              <Search size={17} aria-hidden />
              <Combobox.Input
                ref={focusNow}
                aria-label={t('jump.open')}
                placeholder={t('jump.placeholder')}
                className="min-h-13 w-full bg-transparent text-ink outline-0"
              />
            </div>
            <Combobox.Empty className="px-4 py-6 text-muted empty:hidden">{t('empty.noResults')}</Combobox.Empty>
            <Combobox.List className="min-h-0 overflow-y-auto p-2 empty:hidden">
              {(place: Place) => (
                <Combobox.Item key={place.path} value={place} className="float-item justify-between">
                  {place.label}
                  <span className="text-sm text-muted">{place.section}</span>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
