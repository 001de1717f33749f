/** The filter row: segments, search, the first declared filters, all others behind a button, language and mode. */
import { isLocale, localeNames, locales, type Resource } from '@dala/model'
import Languages from 'lucide-react/icons/languages'
import Search from 'lucide-react/icons/search'
import { type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { labelOf } from '../fields/field-display.tsx'
import { formatList } from '../lib/format.ts'
import { useT } from '../lib/i18n.ts'
import { useTypedSearch } from '../lib/use-typed-search.ts'
import { narrow, phone, useMedia } from '../lib/use-media.ts'
import { FramedInput } from '../ui/input.tsx'
import { Select } from '../ui/select.tsx'
import { lazyLater } from '../ui/lazy-part.ts'
import { ListChips } from './list-chips.tsx'
import { segmentsOf } from './list-conditions.ts'
import { FilterButton } from './list-filter-button.tsx'
import { ModeSwitch } from './list-modes.tsx'
import { QuickFilter } from './list-quick-filter.tsx'
import { ListSegments } from './list-segments.tsx'
import type { ListParts } from './screen-parts.ts'
import { type ResourceList, useListPage } from './use-resource-list.ts'

/** How many filters have a place in the row itself: it is one line on a wide window, and short on a narrow one. */
function quickCount({ localized, list }: Resource, isNarrow: boolean): number {
  if (isNarrow) return localized ? 0 : 1
  return localized && list?.modes ? 1 : 2
}

const ListTools = lazyLater(async () => (await import('./list-tools.tsx')).ListTools)

interface ListFiltersProps {
  list: ResourceList
  parts: ListParts
  /** The rows are there: what comes after them may be loaded. */
  ready: boolean
}

export function ListFilters({ list, parts, ready }: ListFiltersProps) {
  const t = useT()
  const { Segments } = parts
  const button = useRef<HTMLButtonElement>(null)
  const { resource } = list.screen
  const isPhone = useMedia(phone)
  const isNarrow = useMedia(narrow)
  const segments = segmentsOf(list.screen)
  const names = (resource.list?.filters ?? []).filter((name) => name !== segments && !(name in list.rows))
  // Two buttons, whose place is kept until they come: where the row has room for them.
  const tools = (
    <div className="flex min-w-[76px] gap-1 empty:hidden max-lg:ms-auto max-md:min-w-[92px]">
      {ready ? (
        <Suspense fallback={<span />}>
          <ListTools list={list} parts={parts} />
        </Suspense>
      ) : (
        <span />
      )}
    </div>
  )
  return (
    <>
      <div data-tour="list" className="flex flex-wrap items-center gap-2.5 px-4 py-3.5 max-md:px-3.5">
        {Segments ? (
          <Segments screen={list.screen} list={list} />
        ) : segments ? (
          <ListSegments resource={resource} list={list} name={segments} />
        ) : null}
        {isNarrow && !isPhone ? tools : null}
        {/* What does not fit beside the segments moves below them as one line, not piece by piece. */}
        <div className="flex min-w-0 flex-auto flex-wrap items-center justify-end gap-2.5 max-md:contents">
          <SearchField key={resource.name} resource={resource} list={list} />
          {isPhone ? tools : null}
          {names.slice(0, quickCount(resource, isNarrow)).map((name) => (
            <QuickFilter key={name} resource={resource} list={list} name={name} />
          ))}
          <FilterButton list={list} button={button} />
          {resource.localized ? (
            <Select
              look="filter"
              aria-label={t('lang.content')}
              icon={<Languages size={16} aria-hidden className="text-muted" />}
              value={list.language}
              onValueChange={(lang) => isLocale(lang) && list.change({ lang })}
              choices={locales.map((locale) => ({ value: locale, label: localeNames[locale], lang: locale }))}
              className="max-md:flex-auto"
            />
          ) : null}
          {isPhone ? null : <ModeSwitch list={list} />}
          {isNarrow ? null : tools}
        </div>
      </div>
      <ListChips list={list} worded={parts.worded} onEmptied={() => button.current?.focus()} />
    </>
  )
}

function SearchField({ resource, list }: { resource: Resource; list: ResourceList }) {
  const t = useT()
  const [text, setText, sendNow] = useTypedSearch(list.search.q ?? '', (q) => list.change({ q }))
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
      className="me-auto w-[190px] flex-auto xl:w-[220px] lg:max-w-[520px] max-md:basis-[calc(100%-102px)]"
    />
  )
}

/** The way from the search to the first row that it finds: once the rows of the text are drawn. */
function useWayToRows(list: ResourceList, input: RefObject<HTMLInputElement | null>): (text: string) => void {
  const [wanted, setWanted] = useState<string>()
  const { data, isPlaceholderData } = useListPage(list)
  const isThere = data !== undefined && !isPlaceholderData && (list.search.q ?? '') === wanted?.trim()
  useEffect(() => {
    if (!isThere) return
    // The rows are drawn after the text that they were searched by.
    const frame = requestAnimationFrame(() => {
      setWanted(undefined)
      const row = input.current?.closest('section')?.querySelector<HTMLElement>('[data-row] [data-name]')
      if (document.activeElement === input.current) row?.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [isThere, data, input])
  return setWanted
}
