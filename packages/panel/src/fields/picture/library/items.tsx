/** The pictures of the library as tiles or rows: a button opens each, a checkbox selects it. */
import type { Entry } from '@dala/model'
import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronUp from 'lucide-react/icons/chevron-up'
import { type KeyboardEvent, useState } from 'react'
import { cx } from '../../../lib/class-names.ts'
import { formatDate } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { LanguageCoverage } from '../../../ui/language-coverage.tsx'
import { Cover } from '../cover.tsx'
import { fileTitleOf } from '../picture-value.ts'
import { foldCuts } from './group-crops.ts'
import { altOf, folderOf, languagesIn, pixelWords, typeWords, weightWords } from './file.ts'
import type { LibraryMode } from './mode.ts'
import type { Picked } from './use-picked.ts'

export interface LibraryItemsProps {
  mode: LibraryMode
  entries: readonly Entry[]
  /** Absent where a press on the picture chooses it. */
  picked: Picked | undefined
  /** The picture whose details are open. */
  current?: number | undefined
  onOpen: (entry: Entry) => void
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Arrow keys move the focus to the picture beside, above or below; Tab goes through all of them. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: 0, ArrowDown: 0, Home: 0, End: 0 } as const
  const { key } = event
  if (!(key in steps) || event.altKey || event.ctrlKey || event.metaKey) return
  const tiles = [...(event.currentTarget.closest('ul')?.querySelectorAll<HTMLElement>('[data-tile]') ?? [])]
  const index = tiles.findIndex((tile) => tile === event.currentTarget)
  if (index < 0) return
  const [first, own] = [tiles[0], tiles[index]]
  const columns = Math.max(1, tiles.filter((tile) => tile.offsetTop === first?.offsetTop).length)
  const onwards = own && getComputedStyle(own).direction === 'rtl' ? -1 : 1
  const places: Record<string, number> = {
    ArrowLeft: index - onwards,
    ArrowRight: index + onwards,
    ArrowUp: index - columns,
    ArrowDown: index + columns,
    Home: 0,
    End: tiles.length - 1,
  }
  const next = tiles[places[key] ?? index]
  if (!next) return
  event.preventDefault()
  next.focus()
}

export function LibraryItems({ mode, entries, picked, current, onOpen }: LibraryItemsProps) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set())
  const Item = mode === 'grid' ? Tile : Row
  const isTicked = ({ id }: Entry) => picked?.files.has(id) ?? false
  // An open or selected picture is scrolled into view.
  const mustShow = (cuts: readonly Entry[]) => cuts.some((cut) => cut.id === current || isTicked(cut))
  const fold = (id: number, isFolded: boolean) => {
    const next = new Set(unfolded)
    if (isFolded) next.delete(id)
    else next.add(id)
    setUnfolded(next)
  }
  const item = (entry: Entry, cuts?: CutsProps) => (
    <Item
      key={entry.id}
      entry={entry}
      cuts={cuts}
      isOpen={entry.id === current}
      isTicked={isTicked(entry)}
      onOpen={() => onOpen(entry)}
      onTick={picked && ((range) => picked.toggle(entries, entry, range))}
    />
  )
  return (
    <ul
      className={
        mode === 'grid'
          ? 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,10.5rem),1fr))] gap-3 p-4 max-md:grid-cols-2 max-md:px-3.5'
          : 'grid'
      }
    >
      {foldCuts(entries).flatMap(({ entry, cuts }) => {
        if (cuts.length === 0) return [item(entry)]
        const isShown = unfolded.has(entry.id) || mustShow(cuts)
        const own = item(entry, { count: cuts.length, isShown, onToggle: () => fold(entry.id, isShown) })
        return [own, ...(isShown ? cuts.map((cut) => item(cut)) : [])]
      })}
    </ul>
  )
}

interface CutsProps {
  count: number
  isShown: boolean
  onToggle: () => void
}

/** The number of cropped copies under a picture, and the button that shows them. */
function Cuts({ name, count, isShown, onToggle }: CutsProps & { name: string }) {
  const t = useT()
  const words = t('library.cuts', { count })
  return (
    <button
      type="button"
      aria-expanded={isShown}
      aria-label={t('library.cutsOf', { name, cuts: words })}
      onClick={onToggle}
      className="flex min-h-8 items-center gap-1 rounded-1 px-1 text-xs font-medium text-brand-text hover:underline pointer-coarse:min-h-11"
    >
      {words}
      {isShown ? <ChevronUp size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />}
    </button>
  )
}

interface ItemProps {
  entry: Entry
  cuts: CutsProps | undefined
  isOpen: boolean
  isTicked: boolean
  onOpen: () => void
  onTick: ((range: boolean) => void) | undefined
}

function Check({ entry, isTicked, onTick }: Pick<ItemProps, 'entry' | 'isTicked' | 'onTick'>) {
  const t = useT()
  if (!onTick) return null
  return (
    <label className="check-target">
      <input
        type="checkbox"
        className="check"
        aria-label={t('list.selectRow', { name: fileTitleOf(entry) })}
        checked={isTicked}
        onChange={({ nativeEvent }) => onTick(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
      />
    </label>
  )
}

const openMark = 'aria-[current]:text-brand-text'

function Tile({ entry, cuts, isOpen, isTicked, onOpen, onTick }: ItemProps) {
  const t = useT()
  const locale = useLocale()
  return (
    <li
      data-row={entry.id}
      data-selected={isTicked || undefined}
      className={cx(
        'list-row flex min-w-0 flex-col rounded-2 border p-2',
        isOpen ? 'border-brand-ui outline-1 outline-brand-ui' : 'border-line',
      )}
    >
      <button
        type="button"
        data-tile={entry.id}
        aria-current={isOpen ? 'true' : undefined}
        onClick={onOpen}
        onKeyDown={moveFocus}
        className={cx('grid min-w-0 gap-1.5 rounded-1 text-start hover:text-brand-text', openMark)}
      >
        <Cover file={entry} width={240} className="aspect-4/3 w-full rounded-1 bg-sunken" />
        <bdi dir="ltr" className="truncate px-1 font-semibold">
          {fileTitleOf(entry)}
        </bdi>
        <span className="px-1 text-xs text-muted">
          {[pixelWords(t, entry), weightWords(t, locale, entry['size'])].filter(Boolean).join(' · ')}
        </span>
      </button>
      {cuts ? <Cuts name={fileTitleOf(entry)} {...cuts} /> : null}
      <div className="mt-auto flex min-h-8 items-center justify-between gap-1 ps-1 pt-1">
        <LanguageCoverage present={languagesIn(altOf(entry))} />
        <span className="-me-1 max-md:-ms-2 max-md:-me-3">
          <Check entry={entry} isTicked={isTicked} onTick={onTick} />
        </span>
      </div>
    </li>
  )
}

function Row({ entry, cuts, isOpen, isTicked, onOpen, onTick }: ItemProps) {
  const t = useT()
  const locale = useLocale()
  const facts = [
    folderOf(entry),
    typeWords(entry),
    pixelWords(t, entry),
    weightWords(t, locale, entry['size']),
    formatDate(textOf(entry['createdAt'])),
  ]
  return (
    <li
      data-row={entry.id}
      data-selected={isTicked || isOpen || undefined}
      className="list-row flex min-w-0 items-center gap-2 border-t border-line px-4 py-1.5 first:border-0 max-md:px-3.5"
    >
      <Check entry={entry} isTicked={isTicked} onTick={onTick} />
      <button
        type="button"
        data-tile={entry.id}
        aria-current={isOpen ? 'true' : undefined}
        onClick={onOpen}
        onKeyDown={moveFocus}
        className={cx(
          'flex min-h-11 min-w-0 flex-1 items-center gap-3 rounded-1 text-start hover:text-brand-text',
          openMark,
        )}
      >
        <Cover file={entry} width={44} className="size-11 shrink-0 rounded-1 bg-sunken" />
        <span className="min-w-0 flex-1">
          <bdi dir="ltr" className="block truncate font-semibold">
            {fileTitleOf(entry)}
          </bdi>
          <span className="block text-xs text-muted">{facts.filter(Boolean).join(' · ')}</span>
        </span>
      </button>
      {cuts ? <Cuts name={fileTitleOf(entry)} {...cuts} /> : null}
      <span className="max-md:hidden">
        <LanguageCoverage present={languagesIn(altOf(entry))} />
      </span>
    </li>
  )
}
