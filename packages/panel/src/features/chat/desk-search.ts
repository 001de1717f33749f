/** What the address of the desk says, and the call that answers it. */
import {
  isLocale,
  type Locale,
  rankOf,
  type RoomFilters,
  type RoomOrder,
  roomOrders,
  type RoomState,
  roomStates,
} from '@dala/model'
import type { Reader } from './reader.ts'

/** Whose rooms: of everybody, one's own, or nobody's. */
export const owners = ['all', 'mine', 'unassigned'] as const
type RoomOwner = (typeof owners)[number]
/** What else narrows the rooms; they combine with each other and with everything else. */
export const marks = ['unread', 'waiting', 'breached'] as const
export type Mark = (typeof marks)[number]

/** Everything that has its usual value is left out of the address. */
export interface DeskSearch {
  who?: Exclude<RoomOwner, 'all'>
  unread?: 'yes'
  waiting?: 'yes'
  breached?: 'yes'
  state?: RoomState
  sort?: RoomOrder
  q?: string
  region?: number
  language?: Locale
  /** Messages are searched instead of rooms: those of all rooms, or of the one that is open. */
  in?: 'messages' | 'room'
  /** The pane of the person: open on a narrow window, closed on a wide one. */
  person?: 'open' | 'closed'
  /** The supervisor's board in place of the rooms. */
  view?: 'board'
  /** The message that the thread is opened at. */
  at?: number
}

const oneOf = <T extends string>(allowed: readonly T[], value: unknown) => allowed.find((each) => each === value)

function whole(value: unknown): number | undefined {
  const number = Number(value)
  return Number.isInteger(number) && number > 0 ? number : undefined
}

/** Reads the address; what it cannot mean is dropped. */
export function readDeskSearch(address: Readonly<Record<string, unknown>>): DeskSearch {
  const { q, language } = address
  // One word for all of them, as earlier addresses had it.
  const show = address['show']
  const who = oneOf(['mine', 'unassigned'] as const, address['who'] ?? show)
  const sort = oneOf(roomOrders, address['sort'])
  const state = oneOf(roomStates, address['state'])
  const within = oneOf(['messages', 'room'] as const, address['in'])
  const person = oneOf(['open', 'closed'] as const, address['person'])
  const text = typeof q === 'string' || typeof q === 'number' ? String(q) : ''
  const [region, at] = [whole(address['region']), whole(address['at'])]
  return {
    ...(who && { who }),
    ...((address['unread'] === 'yes' || show === 'unread') && { unread: 'yes' }),
    ...((address['waiting'] === 'yes' || show === 'waiting') && { waiting: 'yes' }),
    ...(address['breached'] === 'yes' && { breached: 'yes' }),
    ...(state && { state }),
    ...(sort && sort !== 'waiting' && { sort }),
    ...(text && { q: text }),
    ...(region && { region }),
    ...(isLocale(language) && { language }),
    ...(within && { in: within }),
    ...(person && { person }),
    ...(address['view'] === 'board' && { view: 'board' }),
    ...(at && { at }),
  }
}

/** Whether the reader may look at the rooms of others. */
export const isStaff = ({ role }: Reader): boolean => rankOf(role) >= rankOf('admin')

/** Whether the reader is of those who answer. */
export const isDesk = (reader: Reader): boolean => isStaff(reader) || reader.isConsultant

/** What narrows and orders the rooms, without where one stands in them. */
export function listOf({ person: _person, at: _at, view: _view, ...list }: DeskSearch): DeskSearch {
  return list
}

/** Whether something hides rooms. */
export const isNarrowed = ({ who, unread, waiting, breached, state, q, region, language }: DeskSearch): boolean =>
  [who, unread, waiting, breached, state, q, region, language].some((value) => value !== undefined)

/** The same order with nothing hidden. */
export const withoutFilters = ({ sort }: DeskSearch): DeskSearch => (sort ? { sort } : {})

/** The keys of the query for the rooms of the reader, for staff those of everybody. */
export interface RoomsAsked {
  scope?: 'all'
  sort: RoomOrder
  q?: string
  filters: RoomFilters
}

/** What is asked of the server, which counts, filters and orders for the desk. */
export function roomsAsked(search: DeskSearch, reader: Reader): RoomsAsked {
  const { who, unread, waiting, breached, state, sort = 'waiting', q, region, language } = search
  const filters: RoomFilters = {
    ...(unread && { unread: true }),
    ...(waiting && { waiting: true }),
    ...(breached && { breached: true }),
    ...(state && { state }),
    ...(who === 'unassigned' && { assignee: 'none' }),
    ...(who === 'mine' && { assignee: 'me' }),
    ...(region && { region }),
    ...(language && { language }),
  }
  return { ...(isStaff(reader) && { scope: 'all' }), sort, ...(q && { q }), filters }
}
