/** The files of the library as tiles or rows: a button opens each, a checkbox selects it. */
import type { Entry } from '@dala/model'
import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronUp from 'lucide-react/icons/chevron-up'
import Download from 'lucide-react/icons/download'
import { type KeyboardEvent, useState } from 'react'
import { fileAddress } from '../../../api/client.ts'
import { cx } from '../../../lib/class-names.ts'
import { formatDate } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { iconButtonClass } from '../../../ui/icon-button.tsx'
import { LanguageCoverage } from '../../../ui/language-coverage.tsx'
import { CoverPicture } from '../cover.tsx'
import { FileKindIcon } from '../../upload/file-kind.tsx'
import { addressOf, fileTitleOf } from '../picture-value.ts'
import { groupCrops } from './group-crops.ts'
import {
  altTextsOf,
  dimensionsText,
  durationText,
  folderOf,
  isPictureFile,
  languagesIn,
  sizeText,
  typeText,
} from './file.ts'
import type { LibraryMode } from './mode.ts'
import type { FileSelection } from './use-picked.ts'

export interface LibraryItemsProps {
  mode: LibraryMode
  entries: readonly Entry[]
  /** Selected picture files; absent where a press on a picture chooses the picture. */
  selection: FileSelection | undefined
  /** Id of the picture whose details are open. */
  current?: number | undefined
  onOpen: (entry: Entry) => void
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Arrow keys move the focus to the picture beside, above or below; Tab goes through all pictures. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: 0, ArrowDown: 0, Home: 0, End: 0 } as const
  const { key } = event
  if (!(key in steps) || event.altKey || event.ctrlKey || event.metaKey) return
  const tiles = [...(event.currentTarget.closest('ul')?.querySelectorAll<HTMLElement>('[data-tile]') ?? [])]
  const index = tiles.findIndex((tile) => tile === event.currentTarget)
  if (index < 0) return
  const [firstTile, ownTile] = [tiles[0], tiles[index]]
  const columns = Math.max(1, tiles.filter((tile) => tile.offsetTop === firstTile?.offsetTop).length)
  const inlineDirection = ownTile && getComputedStyle(ownTile).direction === 'rtl' ? -1 : 1
  const targetIndexes: Record<string, number> = {
    ArrowLeft: index - inlineDirection,
    ArrowRight: index + inlineDirection,
    ArrowUp: index - columns,
    ArrowDown: index + columns,
    Home: 0,
    End: tiles.length - 1,
  }
  const nextTile = tiles[targetIndexes[key] ?? index]
  if (!nextTile) return
  event.preventDefault()
  nextTile.focus()
}

export function LibraryItems({ mode, entries, selection, current, onOpen }: LibraryItemsProps) {
  const [openGroupIds, setExpanded] = useState<ReadonlySet<number>>(new Set())
  const LibraryItem = mode === 'grid' ? Tile : Row
  const isTicked = ({ id }: Entry) => selection?.files.has(id) ?? false
  // An open or selected picture is scrolled into view.
  const containsCurrent = (crops: readonly Entry[]) => crops.some((crop) => crop.id === current || isTicked(crop))
  const setCollapsed = (id: number, isFolded: boolean) => {
    const expandedIds = new Set(openGroupIds)
    if (isFolded) expandedIds.delete(id)
    else expandedIds.add(id)
    setExpanded(expandedIds)
  }
  const renderItem = (entry: Entry, crops?: CroppedCopiesProps) => (
    <LibraryItem
      key={entry.id}
      entry={entry}
      crops={crops}
      isOpen={entry.id === current}
      isTicked={isTicked(entry)}
      onOpen={() => onOpen(entry)}
      onTick={selection && ((range) => selection.toggleEntry(entries, entry, range))}
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
      {groupCrops(entries).flatMap(({ entry, crops }) => {
        if (crops.length === 0) return [renderItem(entry)]
        const isShown = openGroupIds.has(entry.id) || containsCurrent(crops)
        const fileItem = renderItem(entry, {
          count: crops.length,
          isShown,
          onToggle: () => setCollapsed(entry.id, isShown),
        })
        return [fileItem, ...(isShown ? crops.map((crop) => renderItem(crop)) : [])]
      })}
    </ul>
  )
}

interface CroppedCopiesProps {
  count: number
  isShown: boolean
  onToggle: () => void
}

/** The number of cropped copies under a picture, and the button that shows them. */
function CroppedCopies({ name, count, isShown, onToggle }: CroppedCopiesProps & { name: string }) {
  const t = useT()
  const label = t('library.cuts', { count })
  return (
    <button
      type="button"
      aria-expanded={isShown}
      aria-label={t('library.cutsOf', { name, cuts: label })}
      onClick={onToggle}
      className="flex min-h-8 items-center gap-1 rounded-1 px-1 text-xs font-medium text-brand-text hover:underline pointer-coarse:min-h-11"
    >
      {label}
      {isShown ? <ChevronUp size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />}
    </button>
  )
}

interface ItemProps {
  entry: Entry
  crops: CroppedCopiesProps | undefined
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

const openClass = 'aria-[current]:text-brand-text'

function Tile({ entry, crops, isOpen, isTicked, onOpen, onTick }: ItemProps) {
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
        className={cx('grid min-w-0 gap-1.5 rounded-1 text-start hover:text-brand-text', openClass)}
      >
        <CoverPicture file={entry} width={240} className="aspect-4/3 w-full rounded-1 bg-sunken" />
        <bdi dir="ltr" className="truncate px-1 font-semibold">
          {fileTitleOf(entry)}
        </bdi>
        <span className="px-1 text-xs text-muted">
          {[dimensionsText(t, entry), sizeText(t, locale, entry['size'])].filter(Boolean).join(' · ')}
        </span>
      </button>
      {crops ? <CroppedCopies name={fileTitleOf(entry)} {...crops} /> : null}
      <div className="mt-auto flex min-h-8 items-center justify-between gap-1 ps-1 pt-1">
        <LanguageCoverage availableLocales={languagesIn(altTextsOf(entry))} />
        <span className="-me-1 max-md:-ms-2 max-md:-me-3">
          <Check entry={entry} isTicked={isTicked} onTick={onTick} />
        </span>
      </div>
    </li>
  )
}

function Row({ entry, crops, isOpen, isTicked, onOpen, onTick }: ItemProps) {
  const t = useT()
  const locale = useLocale()
  const isPicture = isPictureFile(entry)
  const address = addressOf(entry)
  const name = fileTitleOf(entry)
  const downloadLabel = t('action.downloadFile', { name })
  const details = [
    folderOf(entry),
    typeText(entry),
    durationText(t, entry),
    dimensionsText(t, entry),
    sizeText(t, locale, entry['size']),
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
          openClass,
        )}
      >
        {isPicture ? (
          <CoverPicture file={entry} width={44} className="size-11 shrink-0 rounded-1 bg-sunken" />
        ) : (
          <span className="grid size-11 shrink-0 place-items-center rounded-1 bg-sunken text-muted">
            <FileKindIcon address={address} size={20} />
          </span>
        )}
        <span className="min-w-0 flex-1">
          <bdi dir={isPicture ? 'ltr' : 'auto'} className="block truncate font-semibold">
            {name}
          </bdi>
          <span className="block text-xs text-muted">{details.filter(Boolean).join(' · ')}</span>
        </span>
      </button>
      {crops ? <CroppedCopies name={name} {...crops} /> : null}
      {isPicture ? (
        <span className="max-md:hidden">
          <LanguageCoverage availableLocales={languagesIn(altTextsOf(entry))} />
        </span>
      ) : entry['private'] === true ? null : (
        <a
          href={fileAddress(address)}
          download={name}
          aria-label={downloadLabel}
          data-tip={downloadLabel}
          className={iconButtonClass}
        >
          <Download size={18} aria-hidden />
        </a>
      )}
    </li>
  )
}
