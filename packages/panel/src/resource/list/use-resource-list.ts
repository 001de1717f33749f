/** The state of a list: the address bar on one side, the server's page on the other. */
import type { Locale, Screen } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Query } from '../../api/query-string.ts'
import { resourceQueries } from '../../api/resource-queries.ts'
import { askerOf, meQuery } from '../../api/session.ts'
import { findResource } from '../../fields/relation/targets.ts'
import { useLocale } from '../../lib/i18n.ts'
import { setPreferences } from '../../lib/preferences.ts'
import { columnsOf, isShowable } from './columns.ts'
import type { ListSearch } from './filters/conditions.ts'
import type { ListLayout } from '../views/layout.ts'
import { type DisplayMode, useDisplayMode } from './modes.tsx'
import { isNarrowed, listQuery, readListSearch, writeListSearch } from './search.ts'
import { addressOf, isSame, type SavedView, type Words, wordsOf } from '../views/view.ts'
import { rowsFor, screenFor } from '../seen-screen.ts'
import { useOpenView } from '../views/use-open-view.ts'

export interface ResourceList {
  screen: Screen
  /** Whether the query can be written: it may depend on who reads, and on a saved view. */
  ready: boolean
  search: ListSearch
  /** Content language of the rows. */
  language: Locale
  /** Conditions of the screen itself, beside those of the address. */
  rows: Query
  /** Columns in order. */
  columns: readonly string[]
  layout: ListLayout
  mode: DisplayMode
  /** Changes how the list stands; what is undefined goes back to the view's or the declaration's. */
  arrange: (next: ListLayout) => void
  /** The saved view that is open. */
  view: SavedView | undefined
  /** The id of a view in the address that is not there (any more). */
  lostView: boolean
  /** What the address says, or the view in its place, as a view keeps it. */
  words: Words
  /** The same before what means nothing here was left out, and the columns likewise. */
  asked: { words: Words; columns: readonly string[] | undefined }
  /** Whether the list differs from its view. */
  changed: boolean
  /** Opens a view, or the list as it is declared; with changes of its own forgotten. */
  open: (view: SavedView | undefined) => void
  /** Changes the address; anything but a page change goes back to the first page. */
  change: (next: Partial<ListSearch>) => void
  /** Changes a key of the screen's own in the address and goes back to the first page. */
  changeOwn: (key: string, value: string | undefined) => void
  /** Whether something narrows the list, so that "nothing found" differs from "nothing there". */
  narrowed: boolean
  clear: () => void
}

/** What a screen says of its list, as far as it is asked for. */
interface ListConditions {
  filters?: Query
  filtersOf?: OwnFilters
  after?: Readonly<Record<string, string>>
}

/** Conditions of keys that the list itself does not have in the address. */
export type OwnFilters = (address: Readonly<Record<string, unknown>>) => Query

const listKeys = ['page', 'size', 'sort', 'q', 'lang', 'where', 'group', 'view']

/** What stands in the address beside the list's own words. */
function ownKeys(address: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isOfList = (key: string) => listKeys.includes(key) || key.startsWith('f.')
  return Object.fromEntries(Object.entries(address).filter(([key]) => !isOfList(key)))
}

/** Reads and writes the list's part of the address. */
export function useResourceList(declared: Screen, parts: ListConditions = {}): ResourceList {
  const { filters = {}, filtersOf: ownFilters } = parts
  const reader = useLocale()
  const { data: me, isFetched } = useQuery(meQuery)
  const asker = useMemo(() => me && askerOf(me), [me])
  // Kept, because the columns of the table are made anew for another resource.
  const screen = useMemo(() => screenFor(declared, me), [declared, me])
  const { resource } = screen
  const address: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const { view, standard, waiting, lost, kept, keep } = useOpenView(declared.path, address, me)
  const said = wordsOf(address)
  const words = view && Object.keys(said).length === 0 ? view.search : said
  const { page } = address
  const search = readListSearch(resource, { page, ...words }, asker)
  const own = ownFilters?.(words) ?? {}
  /** As the list itself would write them, without what means nothing here. */
  const spelled = (one: Words) => wordsOf({ ...ownKeys(one), ...writeListSearch(readListSearch(resource, one, asker)) })
  const opened = view && { ...view, search: spelled(view.search) }

  const key = view ? String(view.id) : ''
  const layout = kept.layouts[key] ?? view?.layout ?? {}
  // The same as long as they are the same: rows are drawn anew for other columns.
  const { columns } = layout
  const chosen = useMemo(
    () => asker && columns?.filter((name) => isShowable(resource, parts, name, asker)),
    [asker, columns, resource, parts],
  )
  const names = useMemo(() => columnsOf(resource, parts, chosen), [resource, parts, chosen])
  const navigate = useNavigate()
  const go = (next: ListSearch, others: Readonly<Record<string, unknown>> = ownKeys(words)) => {
    const { page: number, ...written } = writeListSearch(next)
    const to = addressOf(wordsOf({ ...others, ...written }), opened, standard)
    void navigate({ to: '.', search: { ...to, ...(number !== undefined && { page: number }) }, replace: true })
  }
  const { page: _first, ...firstPage } = search
  return {
    screen,
    ready: (isFetched || resource.card === undefined) && !waiting,
    search,
    language: search.lang ?? reader,
    rows: { ...rowsFor(screen, me), ...filters, ...own },
    columns: names,
    layout: { ...layout, columns: chosen },
    mode: useDisplayMode(resource, layout),
    arrange: (next) => {
      const { density, mode, ...others } = next
      // Without a view these two are the reader's for all lists.
      if (!view) setPreferences({ ...(density && { density }), ...(mode && { displayMode: mode }) })
      keep({ layouts: { ...kept.layouts, [key]: { ...layout, ...(view ? next : others) } } })
    },
    view,
    lostView: lost,
    words: spelled(words),
    asked: { words, columns: layout.columns },
    changed: opened !== undefined && (kept.layouts[key] !== undefined || !isSame(spelled(words), opened.search)),
    open: (next) => {
      if (next) keep({ layouts: { ...kept.layouts, [next.id]: undefined } })
      void navigate({ to: '.', search: next ? { view: next.id } : standard ? { view: 'none' } : {} })
    },
    narrowed: isNarrowed(search) || Object.keys(own).length > 0,
    change: (next) => go({ ...('page' in next ? search : firstPage), ...next }),
    changeOwn: (name, value) => go(firstPage, { ...ownKeys(words), [name]: value }),
    clear: () => {
      const { q: _q, filter: _filter, where: _where, page: _page, ...rest } = search
      go(rest, {})
    },
  }
}

/** The query of a page: the one that the state asks for, or another. */
export function pageQuery(list: ResourceList, page = list.search.page) {
  const { screen, layout, columns, mode, language, rows } = list
  const search = { ...list.search, ...(page && { page }) }
  // Pictures and cards of a screen show what is declared.
  const chosen = mode === 'list' && layout.columns ? columns : undefined
  return resourceQueries(screen.resource).list(listQuery(screen.resource, search, language, findResource, rows, chosen))
}

/** The page that the state asks for. */
export function useListPage(list: ResourceList) {
  return useQuery({ ...pageQuery(list), enabled: list.ready })
}
