/** Reads saved views of lists, and makes their addresses. */
import { type Entry, isRoleType, resources, type RoleType } from '@dala/model'
import { resourceQueries } from '../../api/resource-queries.ts'
import { isEntry } from '../../fields/field-display.tsx'
import { isObject } from '../../lib/is-object.ts'
import { type ListLayout, layoutOf } from './layout.ts'

export type SearchParams = Readonly<Record<string, string>>

export interface SavedView {
  id: number
  name: string
  /** Path of the screen that the view belongs to. */
  screen: string
  /** Search parameters of the list that the view stores. */
  search: SearchParams
  layout: ListLayout
  /** Id of the view's owner. */
  owner: number | undefined
  /** Lowest role that the view is shared with. */
  role: { id: number; type: RoleType } | undefined
  isPinned: boolean
  /** Whether the view opens by default for its owner at a bare address. */
  isStandard: boolean
  /**
   * Whether the view opens by default for the role that it is shared with, unless a user has a default of
   * their own.
   */
  roleStandard: boolean
}

export const viewQueries = resourceQueries(resources.listviews)

/**
 * Query of all views that the user owns or shares: there are few, and lists and the menu use the same query.
 */
export const viewsQuery = viewQueries.list({
  populate: { owner: { fields: ['id'] }, role: { fields: ['type'] } },
  sort: ['order:asc', 'name:asc', 'id:asc'],
  pagination: { pageSize: 100, withCount: false },
})

/** Reads a saved view from its record; invalid parts of its state are dropped. */
export function savedViewOf({
  id,
  name,
  screen,
  state,
  owner,
  role,
  pinned,
  standard,
  ...otherFields
}: Entry): SavedView {
  const storedState = isObject(state) ? state : {}
  const searchEntries = Object.entries(isObject(storedState.search) ? storedState.search : {})
  return {
    id,
    name: String(name),
    screen: String(screen),
    search: Object.fromEntries(searchEntries.filter((pair): pair is [string, string] => typeof pair[1] === 'string')),
    layout: layoutOf(storedState),
    owner: isEntry(owner) ? owner.id : undefined,
    role: isEntry(role) && isRoleType(role.type) ? { id: role.id, type: role.type } : undefined,
    isPinned: pinned === true,
    isStandard: standard === true,
    roleStandard: otherFields['role_standard'] === true,
  }
}

/** Search parameters that a saved view stores: neither the page nor the view itself. */
export function searchParamsOf(address: Readonly<Record<string, unknown>>): SearchParams {
  const textEntries = Object.entries(address).filter(
    ([key, value]) => key !== 'page' && key !== 'view' && value !== undefined && value !== '',
  )
  return Object.fromEntries(textEntries.map(([key, value]) => [key, String(value)]))
}

export function isSame(leftParams: SearchParams, rightParams: SearchParams): boolean {
  const keys = Object.keys(leftParams)
  return keys.length === Object.keys(rightParams).length && keys.every((key) => leftParams[key] === rightParams[key])
}

/** Search that means "no conditions and no order", where the bare address would open a view. */
export const impossibleSearch = { where: '-' } as const

/**
 * Address of a list with a saved view, as short as possible.
 *
 * @param searchParams - The search parameters.
 * @param view - The open view.
 * @param standardView - The view that opens by default.
 * @returns The search parameters of the address.
 */
export function addressOf(
  searchParams: SearchParams,
  view: SavedView | undefined,
  standardView: SavedView | undefined,
): SearchParams {
  const isEmpty = Object.keys(searchParams).length === 0
  if (!view) return isEmpty && standardView ? { view: 'none' } : searchParams
  const id = { view: String(view.id) }
  if (isSame(searchParams, view.search)) return id
  return isEmpty ? { ...id, ...impossibleSearch } : { ...searchParams, ...id }
}
