/** The search parameters of the desk's address, and the request they stand for. */
import {
  isDay,
  isLocale,
  type Locale,
  rankOfRole,
  type RoomFilters,
  type RoomOrder,
  roomOrders,
  type RoomState,
  roomStates,
} from '@dala/model'
import type { Reader } from './reader.ts'

/** Owner filter: all rooms, the user's own, or unassigned ones. */
export const ownerFilters = ['all', 'mine', 'unassigned'] as const
type RoomOwner = (typeof ownerFilters)[number]
/** Further filters of the rooms; they combine with each other and with all other filters. */
export const roomMarks = ['unread', 'waiting', 'breached'] as const
export type RoomMark = (typeof roomMarks)[number]

/** Search parameters of the desk; defaults are left out of the address. */
export interface DeskSearch {
  who?: Exclude<RoomOwner, 'all'>
  unread?: 'yes'
  waiting?: 'yes'
  breached?: 'yes'
  state?: RoomState
  sort?: RoomOrder
  q?: string
  region?: number
  category?: number
  /** Minimum minutes that the customer of a listed room has waited. */
  over?: number
  language?: Locale
  /** Scope of a message search: all rooms, or the open one. Without a scope rooms are searched. */
  in?: 'messages' | 'room'
  /** First and last day of the messages that a search finds. */
  from?: string
  to?: string
  /** State of the person pane: open on a narrow window, closed on a wide one. */
  person?: 'open' | 'closed'
  /** View of the desk: the supervisor's board instead of the rooms. */
  view?: 'board'
  /** `seq` of the message that the thread opens at. */
  at?: number
}

const readAllowedValue = <T extends string>(allowedValues: readonly T[], value: unknown) =>
  allowedValues.find((allowedValue) => allowedValue === value)

function positiveInteger(value: unknown): number | undefined {
  const number = Number(value)
  return Number.isInteger(number) && number > 0 ? number : undefined
}

const dayOf = (value: unknown): string | undefined => (typeof value === 'string' && isDay(value) ? value : undefined)

/** Parses the address of the desk; invalid values are dropped. */
export function readDeskSearch(address: Readonly<Record<string, unknown>>): DeskSearch {
  const { q, language } = address
  // Addresses from before this version have one parameter `show` for all filters of rooms.
  const show = address['show']
  const ownerFilter = readAllowedValue(['mine', 'unassigned'] as const, address['who'] ?? show)
  const sort = readAllowedValue(roomOrders, address['sort'])
  const state = readAllowedValue(roomStates, address['state'])
  const searchScope = readAllowedValue(['messages', 'room'] as const, address['in'])
  const person = readAllowedValue(['open', 'closed'] as const, address['person'])
  const text = typeof q === 'string' || typeof q === 'number' ? String(q) : ''
  const [region, category] = [positiveInteger(address['region']), positiveInteger(address['category'])]
  const [minWaitTime, shownSeq] = [positiveInteger(address['over']), positiveInteger(address['at'])]
  const [from, to] = [dayOf(address['from']), dayOf(address['to'])]
  return {
    ...(ownerFilter && { who: ownerFilter }),
    ...((address['unread'] === 'yes' || show === 'unread') && { unread: 'yes' }),
    ...((address['waiting'] === 'yes' || show === 'waiting') && { waiting: 'yes' }),
    ...(address['breached'] === 'yes' && { breached: 'yes' }),
    ...(state && { state }),
    ...(sort && sort !== 'waiting' && { sort }),
    ...(text && { q: text }),
    ...(region && { region }),
    ...(category && { category }),
    ...(minWaitTime && { over: minWaitTime }),
    ...(isLocale(language) && { language }),
    ...(searchScope && { in: searchScope }),
    ...(from && { from }),
    ...(to && { to }),
    ...(person && { person }),
    ...(address['view'] === 'board' && { view: 'board' }),
    ...(shownSeq && { at: shownSeq }),
  }
}

/** Returns whether the user may see the rooms of others. */
export const isStaff = ({ role }: Reader): boolean => rankOfRole(role) >= rankOfRole('admin')

/** Returns whether the user answers customers as a consultant or as staff. */
export const isDesk = (reader: Reader): boolean => isStaff(reader) || reader.isConsultant

/** The filters and the order of the rooms, without the position in the list. */
export function listOf({ person: _person, at: _at, view: _view, ...list }: DeskSearch): DeskSearch {
  return list
}

/** Returns whether a filter may hide rooms. */
export const hasRoomFilters = (search: DeskSearch): boolean => {
  const { who, unread, waiting, breached, q } = search
  return [who, unread, waiting, breached, q].some((value) => value !== undefined) || hasFurtherFilters(search)
}

/** Returns whether one of the filters behind the button is set. */
export const hasFurtherFilters = ({ state, region, category, language, over }: DeskSearch): boolean =>
  [state, region, category, language, over].some((value) => value !== undefined)

/** Removes some search parameters of the desk. */
export function removeParameters<K extends keyof DeskSearch>(search: DeskSearch, ...keys: K[]): Omit<DeskSearch, K> {
  const remainingSearch = { ...search }
  for (const key of keys) delete remainingSearch[key]
  return remainingSearch
}

/** Search parameters without filters; the order of the rooms is unchanged. */
export const clearFilters = ({ sort }: DeskSearch): DeskSearch => (sort ? { sort } : {})

/** Parts of the query key for the rooms of the user, or for staff the rooms of everyone. */
export interface RoomsQuery {
  scope?: 'all'
  sort: RoomOrder
  q?: string
  filters: RoomFilters
}

/** Request to the server for the rooms of the desk: it counts, filters and sorts them. */
export function toRoomsQuery(search: DeskSearch, reader: Reader): RoomsQuery {
  const { who, unread, waiting, breached, state, sort = 'waiting', q, region, category, language, over } = search
  const filters: RoomFilters = {
    ...(unread && { unread: true }),
    ...(waiting && { waiting: true }),
    ...(breached && { breached: true }),
    ...(state && { state }),
    ...(who === 'unassigned' && { assignee: 'none' }),
    ...(who === 'mine' && { assignee: 'me' }),
    ...(region && { region }),
    ...(category && { category }),
    ...(language && { language }),
    ...(over && { waiting_over: over }),
  }
  return { ...(isStaff(reader) && { scope: 'all' }), sort, ...(q && { q }), filters }
}
