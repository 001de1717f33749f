/**
 * An open list, without React: the meaning of the address, the saved views, the stored layouts and the user's
 * settings, and the addresses and layouts that follow from a change.
 */
import { type CallerRole, defaultPageSize, type Locale, type Screen } from '@dala/model'
import type { Query } from '../../api/query-string.ts'
import { resourceQueries } from '../../api/resource-queries.ts'
import { callerRoleOf, type CurrentUser } from '../../api/session.ts'
import { findResource } from '../../fields/relation/targets.ts'
import type { Preferences } from '../../lib/preferences.ts'
import type { ListLayout, StoredLayouts } from '../views/layout.ts'
import type { Address, OpenView } from '../views/open-view.ts'
import { addressOf, isSame, type SavedView, type SearchParams, searchParamsOf } from '../views/view.ts'
import { limitRows, screenForUser } from '../screen-for-user.ts'
import { columnsOf, isShowableColumn } from './columns.ts'
import { type FilterChipData, chipsOf, type ListSearch } from './filters/conditions.ts'
import { hasConditions, listQuery, readListSearch, sortOf, writeListSearch } from './search.ts'

export type DisplayMode = Preferences['displayMode']

/**
 * Returns conditions from keys that only this screen has in the address; `user` is the id of the list's user,
 * once it is known.
 */
export type OwnFilters = (address: Address, user: number | undefined) => Query

/** Conditions and columns that a screen adds to its list. */
interface SessionSlots {
  /** Conditions of the screen in addition to those of the address. */
  filters?: Query
  filtersOf?: OwnFilters
  /** Columns of the list that are not fields, by the column that they follow. */
  after?: Readonly<Record<string, string>>
}

/** Screen of an open list and its user. */
export interface ListScope {
  /** Screen of the list, as its user sees it. */
  readonly screen: Screen
  readonly slots: SessionSlots
  /** Role of the list's user; undefined while the user is not loaded. */
  readonly callerRole: CallerRole | undefined
  /** Id of the list's user; undefined while the user is not loaded. */
  readonly user: number | undefined
  /** Conditions that the screen itself adds to the list. */
  readonly rows: Query
}

/** Inputs that a list follows while it is open. */
export interface ListState {
  /** Search parameters of the list's address. */
  address: Address
  view: OpenView
  layouts: StoredLayouts
  /** Display mode that the user has chosen for all lists. */
  displayMode: DisplayMode
  /** Language of the list's user. */
  locale: Locale
}

/** Names of the columns that a list shows. */
interface ListColumns {
  /** Names of all shown columns of the list, in order. */
  names: readonly string[]
  /** Columns after the name that the user or the view has chosen; undefined for the declared ones. */
  selectedColumns: readonly string[] | undefined
}

export interface ListSession {
  readonly screen: Screen
  /** Query of the list's rows, and their language. */
  readonly query: {
    /** Search of the list, from the address or its view, as far as it is valid for this user. */
    search: ListSearch
    /** Content language of the list's rows. */
    language: Locale
    /** Conditions of the screen itself, in addition to those of the address. */
    rows: Query
    /** Conditions of the list by field, in the spelling of the address. */
    filters: Readonly<Record<string, string>>
    /** Conditions of the list that are shown as chips. */
    chips: readonly FilterChipData[]
    /** Whether any condition is active, so that "nothing found" differs from "nothing there". */
    isNarrowed: boolean
  }
  readonly order: {
    sort: { field: string; descending: boolean } | undefined
    /** Field by whose values the rows of the list are grouped. */
    group: string | undefined
  }
  readonly paging: { page: number; size: number }
  readonly columns: ListColumns & {
    /** Widths of the list's columns in pixels, by column. */
    widths: ListLayout['widths']
  }
  readonly display: {
    mode: DisplayMode
    /** Row height that the saved view asks for. */
    density: ListLayout['density']
  }
  /** Saved view that the list shows. */
  readonly view: {
    open: SavedView | undefined
    isLost: boolean
    /** Whether the list differs from its saved view. */
    isChanged: boolean
    /** Search of the list, as a saved view stores it. */
    searchParams: SearchParams
    /** Search and columns of the list before invalid parts were dropped. */
    requestedSearch: { searchParams: SearchParams; columns: ListLayout['columns'] }
  }
  /** Inner data of the session, for the functions that derive addresses and layouts. */
  readonly source: {
    /** Keys of the list's address that only this screen has. */
    ownKeys: Address
    standard: SavedView | undefined
    layouts: StoredLayouts
  }
}

const listKeys = ['page', 'size', 'sort', 'q', 'lang', 'where', 'group', 'view']

/** Keys of an address that do not belong to the list itself. */
function ownKeysOf(address: Address): Address {
  const isOfList = (key: string) => listKeys.includes(key) || key.startsWith('f.')
  return Object.fromEntries(Object.entries(address).filter(([key]) => !isOfList(key)))
}

/** The scope of a list: the screen as this user sees it, with its own conditions. */
export function scopeOf(declaredScreen: Screen, slots: SessionSlots, me: CurrentUser | undefined): ListScope {
  const screen = screenForUser(declaredScreen, me)
  return {
    screen,
    slots,
    callerRole: me && callerRoleOf(me),
    user: me?.id,
    rows: { ...limitRows(screen, me), ...slots.filters },
  }
}

const keyOf = (view: SavedView | undefined) => (view ? String(view.id) : '')

/** Layout of a list: the stored one, else that of its saved view. */
export const layoutOfList = (layouts: StoredLayouts, view: SavedView | undefined): ListLayout =>
  layouts[keyOf(view)] ?? view?.layout ?? {}

/** Columns of a list: the chosen ones that this user may see, else the declared ones. */
export function columnsOfList({ screen, slots, callerRole }: ListScope, columns: ListLayout['columns']): ListColumns {
  const { resource } = screen
  const visibleColumns = callerRole && columns?.filter((name) => isShowableColumn(resource, slots, name, callerRole))
  return { names: columnsOf(resource, slots, visibleColumns), selectedColumns: visibleColumns }
}

/**
 * Opens the list of a screen.
 *
 * @param scope - The screen of the list and its user.
 * @param state - The address, the saved view, the stored layouts and the settings of the user.
 * @param columns - The columns, as `columnsOfList` returns them.
 * @returns The list as it is shown.
 */
export function openList(scope: ListScope, state: ListState, columns: ListColumns): ListSession {
  const { screen, slots, callerRole } = scope
  const { resource } = screen
  const { address, view, layouts } = state
  const layout = layoutOfList(layouts, view.open)
  const addressParams = searchParamsOf(address)
  const requestedSearch = view.open && Object.keys(addressParams).length === 0 ? view.open.search : addressParams
  const search = readListSearch(resource, { page: address['page'], ...requestedSearch }, callerRole)
  const ownFilters = slots.filtersOf?.(requestedSearch, scope.user) ?? {}
  /** Normalises a search to the spelling of the list, without invalid parts. */
  const normalize = (typedParams: SearchParams) =>
    searchParamsOf({ ...ownKeysOf(typedParams), ...writeListSearch(readListSearch(resource, typedParams, callerRole)) })
  const searchParams = normalize(requestedSearch)
  const openView = view.open && { ...view.open, search: normalize(view.open.search) }
  return {
    screen,
    query: {
      search,
      filters: search.filter ?? {},
      language: search.lang ?? state.locale,
      rows: { ...scope.rows, ...ownFilters },
      chips: chipsOf({ screen, search }),
      isNarrowed: hasConditions(search) || Object.keys(ownFilters).length > 0,
    },
    order: { sort: sortOf(resource, search), group: search.group },
    paging: { page: search.page ?? 1, size: search.size ?? defaultPageSize },
    columns: { ...columns, widths: layout.widths },
    display: {
      mode: resource.list?.modes?.find((mode) => mode === (layout.mode ?? state.displayMode)) ?? 'list',
      density: layout.density,
    },
    view: {
      open: openView,
      isLost: view.isLost,
      isChanged:
        openView !== undefined && (layouts[keyOf(openView)] !== undefined || !isSame(searchParams, openView.search)),
      searchParams,
      requestedSearch: { searchParams: requestedSearch, columns: layout.columns },
    },
    source: { ownKeys: ownKeysOf(requestedSearch), standard: view.standardView, layouts },
  }
}

type ShownList = Pick<ListSession, 'screen' | 'query' | 'paging' | 'columns' | 'display'>

/** Query of a page of the list: the page of the address, or another. */
export function pageQuery({ screen, query, paging, columns, display }: ShownList, page = paging.page) {
  const { search, language, rows } = query
  // Pictures and cards show the declared columns of the screen.
  const chosenColumns = display.mode === 'list' && columns.selectedColumns ? columns.names : undefined
  const { resource } = screen
  return resourceQueries(resource).list(
    listQuery(resource, { ...search, page }, language, findResource, rows, chosenColumns),
  )
}

/** Search parameters of a list after a change. */
export type ListAddress = Readonly<Record<string, string | number>>

/**
 * Returns the list with a changed search. Every change except that of the page number leads to the first
 * page.
 *
 * @param session - The list.
 * @param searchChange - The changes; undefined or an empty text removes a value.
 * @param ownKeys - The keys of the address that only this screen has.
 * @returns The address of the changed list, as short as the open view allows.
 */
export function setSearch(
  { query, view, source }: ListSession,
  searchChange: Partial<ListSearch>,
  ownKeys: Address = source.ownKeys,
): ListAddress {
  const { page: _page, ...search } = query.search
  const { page, ...params } = writeListSearch({ ...search, ...searchChange })
  const listAddress = addressOf(searchParamsOf({ ...ownKeys, ...params }), view.open, source.standard)
  return { ...listAddress, ...(page !== undefined && { page }) }
}

/** Address of the list with a condition on a field; undefined removes the condition. */
export function setFilter(session: ListSession, name: string, text: string | undefined): ListAddress {
  const { [name]: _before, ...otherFilters } = session.query.filters
  return setSearch(session, { filter: text === undefined ? otherFilters : { ...otherFilters, [name]: text } })
}

/**
 * Address of the list without the conditions that are shown as chips; the condition of its segments stays.
 */
export function clearChips(session: ListSession): ListAddress {
  const { filters, chips } = session.query
  const remainingFilters = Object.entries(filters).filter(([name]) => chips.every(({ filter }) => filter.name !== name))
  return setSearch(session, { filter: Object.fromEntries(remainingFilters), where: undefined })
}

/** Address of the list when it is sorted by a field. */
export const addressSortedBy = (session: ListSession, field: string, isDescending = false): ListAddress =>
  setSearch(session, { sort: isDescending ? `${field}:desc` : field })

/** Address of the list with a key of the screen; undefined removes the key. */
export const addOwnKey = (session: ListSession, key: string, value: string | undefined): ListAddress =>
  setSearch(session, {}, { ...session.source.ownKeys, [key]: value })

/** Address of the list without any conditions; order, language and page size stay. */
export const clearConditions = (session: ListSession): ListAddress =>
  setSearch(session, { q: '', filter: {}, where: undefined }, {})

/** Layout of a list as it is stored after a change. */
export interface StoredArrangement {
  layouts: StoredLayouts
  /** Row height and mode for all lists of the user, when no view is open. */
  preferences?: Partial<Pick<Preferences, 'density' | 'displayMode'>>
}

/**
 * Returns the list with a changed layout.
 *
 * @param session - The list.
 * @param layoutChange - The changes; undefined means the declared value.
 * @returns The data to store for it.
 */
export function setLayout({ view, source }: ListSession, layoutChange: ListLayout): StoredArrangement {
  const { open } = view
  const { density, mode, ...columnLayout } = layoutChange
  const layouts = {
    ...source.layouts,
    [keyOf(open)]: { ...layoutOfList(source.layouts, open), ...(open ? layoutChange : columnLayout) },
  }
  return open
    ? { layouts }
    : { layouts, preferences: { ...(density && { density }), ...(mode && { displayMode: mode }) } }
}
