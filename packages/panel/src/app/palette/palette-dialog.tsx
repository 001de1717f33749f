/**
 * The command palette: one field for screens, records, commands of the page, saved views and the appearance
 * of the panel.
 */
import { localeOf } from '@dala/model'
import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { useNavigate } from '@tanstack/react-router'
import Search from 'lucide-react/icons/search'
import X from 'lucide-react/icons/x'
import { type RefObject, useState } from 'react'
import { firstTranslation, useLocale, useT } from '../../lib/i18n.ts'
import { iconButtonClass } from '../../ui/icon-button.tsx'
import { KeyCaps } from '../../ui/key-caps.tsx'
import { Scrim } from '../../ui/overlays/scrim.tsx'
import type { Section } from '../shell/menu/sections.ts'
import { groupEntries, type PaletteEntry, type PaletteGroup } from './arrange.ts'
import { addressOf, type FoundRecord, useFoundRecords } from './found-records.ts'
import { screenOfRecords } from '../../resource/screen-address.ts'
import { storeRecentChoice, readRecentChoices } from './recent.ts'
import { useEntries } from './use-entries.ts'

/** The palette focuses its field itself: the dialog would do it a frame later, and lose the first letters. */
const focusField = (field: HTMLInputElement | null) => field?.focus()

interface PaletteDialogProps {
  sections: readonly Section[]
  /** Element that had the focus before the palette opened. */
  returnTo: RefObject<HTMLElement | null>
  /** Text typed in the palette so far; typing may have started while the palette was loading. */
  text: string
  onText: (text: string) => void
  onClose: () => void
}

export function PaletteDialog({ sections, returnTo, text, onText, onClose }: PaletteDialogProps) {
  const t = useT()
  const reader = useLocale()
  const navigate = useNavigate()
  const [recentChoices] = useState(readRecentChoices)
  const entries = useEntries(sections)
  const { records, isSearching, isFailed } = useFoundRecords(text, reader)

  const recordEntry = (id: string, label: string, note: string | undefined, target: Omit<FoundRecord, 'name'>) => {
    const { screen, locale } = target
    const lang = screen.resource.localized && locale !== reader ? locale : undefined
    const run = () => void navigate(addressOf(screen, target.id, lang))
    return { id, group: 'records', label, note, lang: locale, run } satisfies PaletteEntry
  }
  const locationOf = ({ labelPrefix, section }: FoundRecord['screen']) =>
    t('palette.where', { what: firstTranslation([`${labelPrefix}.one`]), where: t(`section.${section}`) })
  const foundEntries = records.map((foundRecord) =>
    recordEntry(
      `record:${foundRecord.screen.resource.name}:${foundRecord.id}`,
      foundRecord.name,
      locationOf(foundRecord.screen),
      foundRecord,
    ),
  )
  const recentEntries = recentChoices.flatMap(({ id, label, note, lang }): PaletteEntry[] => {
    const [kind, name = '', number] = id.split(':')
    if (kind !== 'record') return entries.filter((entry) => entry.id === id)
    // A recent screen that is no longer in the menu is not offered.
    const screen = screenOfRecords(name)
    const isReadable = sections.some(({ pages }) => pages.some(({ resource }) => resource.name === name))
    return screen && isReadable
      ? [recordEntry(id, label, note, { screen, id: Number(number), locale: lang && localeOf(lang) })]
      : []
  })
  const choose = (entry: PaletteEntry) => {
    // Commands of one page and of the account are not stored as recent, because they are not offered
    // elsewhere.
    if (entry.group !== 'page' && entry.group !== 'account') storeRecentChoice(entry)
    onClose()
    entry.run()
  }
  const groups = groupEntries(entries, foundEntries, recentEntries, text)

  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop render={<Scrim />} />
        <Dialog.Popup
          finalFocus={returnTo}
          aria-label={t('jump.open')}
          className="fixed start-1/2 top-[12vh] z-(--z-dialog) flex max-h-[70dvh] w-[min(600px,calc(100vw-28px))] -translate-x-1/2 flex-col overflow-hidden rounded-3 border border-line bg-surface shadow-3 outline-0 max-md:inset-0 max-md:max-h-none max-md:w-auto max-md:translate-x-0! max-md:rounded-none max-md:border-0 rtl:translate-x-1/2"
        >
          <Autocomplete.Root
            inline
            open
            mode="none"
            items={groups}
            filter={null}
            value={text}
            onValueChange={(nextText, { reason }) => {
              // A chosen command runs, and its name is not written into the search field.
              if (reason !== 'item-press') onText(nextText)
            }}
            itemToStringValue={({ label }: PaletteEntry) => label}
            autoHighlight="always"
          >
            <div className="flex items-center gap-2.5 border-b border-line ps-4 pe-2 text-muted">
              <Search size={17} aria-hidden className="shrink-0" />
              <Autocomplete.Input
                ref={focusField}
                aria-label={t('jump.open')}
                placeholder={t('palette.placeholder')}
                className="min-h-13 w-full min-w-0 bg-transparent text-ink outline-0"
              />
              <Dialog.Close aria-label={t('action.close')} className={`${iconButtonClass} md:hidden`}>
                <X size={19} aria-hidden />
              </Dialog.Close>
            </div>
            <Autocomplete.Status className="px-4 pt-2.5 text-sm text-muted empty:hidden">
              {isSearching ? t('palette.searching') : isFailed ? t('palette.failed') : null}
            </Autocomplete.Status>
            <Autocomplete.Empty className="px-4 py-6 text-muted empty:hidden">
              {isSearching ? null : t('empty.noResults')}
            </Autocomplete.Empty>
            <Autocomplete.List className="min-h-0 overflow-y-auto p-2 empty:hidden">
              {(group: PaletteGroup) => (
                <Autocomplete.Group key={group.value} items={group.items} className="pb-1.5 last:pb-0">
                  <Autocomplete.GroupLabel className="px-2.5 pt-1.5 pb-1 text-sm font-medium text-muted">
                    {t(`palette.group.${group.value}`)}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(entry: PaletteEntry) => <Choice key={entry.id} entry={entry} onChoose={() => choose(entry)} />}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Choice({ entry, onChoose }: { entry: PaletteEntry; onChoose: () => void }) {
  const { label, lang, note, keys } = entry
  return (
    <Autocomplete.Item value={entry} onClick={onChoose} className="float-item justify-between max-md:min-h-11">
      <span lang={lang} className="min-w-0 wrap-anywhere">
        {label}
      </span>
      {note ? <span className="max-w-[55%] shrink-0 text-end text-sm text-muted">{note}</span> : null}
      {keys ? <KeyCaps caps={keys} /> : null}
    </Autocomplete.Item>
  )
}
