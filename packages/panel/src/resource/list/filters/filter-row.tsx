/**
 * The filter row: segments, search, the first declared filters, a button for all others, language and mode.
 */
import type { Resource } from '@dala/model'
import Search from 'lucide-react/icons/search'
import { type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { labelOf } from '../../../fields/field-display.tsx'
import { filterOf } from '../../../fields/filters/filter.ts'
import { cx } from '../../../lib/class-names.ts'
import { formatList } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useTypedSearch } from '../../../lib/hooks/use-typed-search.ts'
import { narrowQuery, useMedia } from '../../../lib/hooks/use-media.ts'
import { FramedInput } from '../../../ui/inputs/input.tsx'
import { lazyPartWhenQuiet } from '../../../ui/lazy-part.ts'
import { ListChips } from './chips.tsx'
import { segmentsOf } from './conditions.ts'
import { FilterButton } from './filter-button.tsx'
import { ListLanguage } from '../language.tsx'
import { ModeSwitch, offersModes } from '../modes.tsx'
import { QuickFilter } from './quick-filter.tsx'
import { ListSegments } from './segments.tsx'
import type { ListSlots } from '../../screen-parts.ts'
import { useDensity } from '../../views/use-density.ts'
import { setSearch } from '../list-session.ts'
import { type ResourceList, useListPage } from '../use-resource-list.ts'

const ListTools = lazyPartWhenQuiet(async () => (await import('../tools.tsx')).ListTools)

/**
 * Classes that hide a filter in a row without space for it; the filter button always has every filter. The
 * segments take the space of two filters, language and mode together that of one.
 */
const filterSpaces = [
  '@max-[760px]:hidden',
  '@max-[900px]:hidden',
  '@max-[1030px]:hidden',
  '@max-[1160px]:hidden',
  '@max-[1290px]:hidden',
] as const
const maxQuickFilters = 2

/** Number of segments above which the filter row has no space for other controls. */
const maxInlineSegments = 3

interface ListFiltersProps {
  list: ResourceList
  slots: ListSlots
  /** Whether the rows of the list are loaded, so that less urgent content may load. */
  isReady: boolean
}

/** Filter row of a list; below 1100 px one button contains all but the segments and the search. */
export function ListFilters({ list, slots, isReady }: ListFiltersProps) {
  const { Segments } = slots
  const button = useRef<HTMLButtonElement>(null)
  const { resource } = list.screen
  const isNarrow = useMedia(narrowQuery)
  useDensity(list.display.density)
  const segments = Segments ? undefined : segmentsOf(list.screen)
  const names = (resource.list?.filters ?? []).filter(
    (name) => name !== segmentsOf(list.screen) && !(name in list.query.rows),
  )
  const isCrowded =
    slots.hasWideSegments === true ||
    (segments !== undefined && (filterOf(resource, segments)?.values?.length ?? 0) > maxInlineSegments)
  const hasModes = offersModes(list.screen)
  const reservedSpace = (segments === undefined ? 0 : 2) + (hasModes && resource.localized ? 1 : 0)
  return (
    <>
      <div data-tour="list" className="@container px-4 py-3.5 max-md:px-3.5 max-md:py-2.5">
        <div className="flex items-center gap-2.5 max-md:flex-wrap max-md:gap-y-2">
          {Segments || segments !== undefined ? (
            // Segments without space in the filter row scroll; the search keeps its width.
            <div className="flex min-w-0 max-md:w-full max-md:*:flex-1">
              {Segments ? (
                <Segments screen={list.screen} list={list} />
              ) : (
                <ListSegments resource={resource} list={list} name={segments ?? ''} />
              )}
            </div>
          ) : null}
          <SearchField key={resource.name} resource={resource} list={list} />
          {isNarrow || isCrowded
            ? null
            : names.slice(0, maxQuickFilters).map((name, index) => (
                <span key={name} className={cx('flex shrink-0', filterSpaces[reservedSpace + index])}>
                  <QuickFilter resource={resource} list={list} name={name} />
                </span>
              ))}
          <FilterButton
            list={list}
            slots={slots}
            button={button}
            names={names}
            isFolded={isNarrow}
            isBare={isCrowded && !isNarrow}
          />
          {isNarrow ? null : (
            <>
              {resource.localized ? <ListLanguage list={list} className="shrink-0" /> : null}
              {isCrowded ? null : <ModeSwitch list={list} />}
              {/* Space for two buttons of the filter row, reserved until they are loaded. */}
              <div className="flex min-w-[76px] shrink-0 gap-1 empty:hidden">
                {isReady ? (
                  <Suspense fallback={<span />}>
                    <ListTools list={list} slots={slots} hasModeSwitch={isCrowded && hasModes} />
                  </Suspense>
                ) : (
                  <span />
                )}
              </div>
            </>
          )}
        </div>
      </div>
      <ListChips list={list} textLabels={slots.textLabels} onEmptied={() => button.current?.focus()} />
    </>
  )
}

function SearchField({ resource, list }: { resource: Resource; list: ResourceList }) {
  const t = useT()
  const [text, setText, sendNow] = useTypedSearch(list.query.search.q ?? '', (searchText) =>
    list.go(setSearch(list, { q: searchText })),
  )
  const input = useRef<HTMLInputElement>(null)
  const toRows = useWayToRows(list, input)
  const fields = (resource.list?.search ?? []).map((name) => labelOf(resource, name))
  const label = t('list.searchIn', { fields: formatList(t, fields) })
  return (
    <FramedInput
      ref={input}
      type="search"
      icon={<Search size={16} aria-hidden />}
      aria-label={label}
      placeholder={t('list.searchPlaceholder')}
      title={label}
      value={text}
      maxLength={200}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter' || event.key === 'ArrowDown') {
          sendNow()
          toRows(text)
        } else if (event.key !== 'Escape') return
        else if (text === '') event.currentTarget.blur()
        else setText('')
        event.preventDefault()
      }}
      className="me-auto min-w-[150px] shrink-0 grow basis-[150px] lg:max-w-[520px] max-md:min-w-0 max-md:shrink"
    />
  )
}

/**
 * Moves the focus from the search of the list to its first result, once the rows for the text are rendered.
 */
function useWayToRows(list: ResourceList, input: RefObject<HTMLInputElement | null>): (text: string) => void {
  const [openName, setOpenName] = useState<string>()
  const { data, isPlaceholderData } = useListPage(list)
  const areResultsLoaded = data !== undefined && !isPlaceholderData && (list.query.search.q ?? '') === openName?.trim()
  useEffect(() => {
    if (!areResultsLoaded) return
    // The list of filters closes in the next frame, after the rows of the search have rendered.
    const frame = requestAnimationFrame(() => {
      setOpenName(undefined)
      const row = input.current?.closest('section')?.querySelector<HTMLElement>('[data-row] [data-name]')
      if (document.activeElement === input.current) row?.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [areResultsLoaded, data, input])
  return setOpenName
}
