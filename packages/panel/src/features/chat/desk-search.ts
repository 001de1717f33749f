/** What the address of the desk says, and the call that answers it. */
import { isLocale, type Locale, rankOf } from '@dala/model'
import type { Query } from '../../api/query-string.ts'
import type { Reader } from './reader.ts'

export const scopes = ['all', 'mine'] as const
export const shows = ['all', 'unread', 'waiting', 'unassigned', 'mine'] as const
export const sorts = ['waiting', 'latest', 'unread'] as const
type Show = (typeof shows)[number]

/** Everything that has its usual value is left out of the address. */
export interface DeskSearch {
  /** Whose rooms: staff see all of them unless it says `mine`. */
  scope?: 'mine'
  show?: Show
  sort?: (typeof sorts)[number]
  q?: string
  region?: number
  language?: Locale
  /** The pane of the person: open on a narrow window, closed on a wide one. */
  person?: 'open' | 'closed'
}

const oneOf = <T extends string>(allowed: readonly T[], value: unknown) => allowed.find((each) => each === value)

/** Reads the address; what it cannot mean is dropped. */
export function readDeskSearch(address: Readonly<Record<string, unknown>>): DeskSearch {
  const { scope, q, region, language } = address
  const show = oneOf(shows, address['show'])
  const sort = oneOf(sorts, address['sort'])
  const person = oneOf(['open', 'closed'] as const, address['person'])
  const text = typeof q === 'string' || typeof q === 'number' ? String(q) : ''
  const regionId = Number(region)
  return {
    ...(scope === 'mine' && { scope }),
    ...(show && show !== 'all' && { show }),
    ...(sort && sort !== 'waiting' && { sort }),
    ...(text && { q: text }),
    ...(Number.isInteger(regionId) && regionId > 0 && { region: regionId }),
    ...(isLocale(language) && { language }),
    ...(person && { person }),
  }
}

/** Whether the reader may look at the rooms of others. */
export const isStaff = ({ role }: Reader): boolean => rankOf(role) >= rankOf('admin')

/** Whether something hides rooms. */
export const isNarrowed = ({ show, q, region, language }: DeskSearch): boolean =>
  [show, q, region, language].some((value) => value !== undefined)

/** The call for own rooms, which counts and sorts for the desk, or for those of everybody. */
export function roomsCall(search: DeskSearch, reader: Reader): { path: string; query: Query } {
  return isStaff(reader) && search.scope !== 'mine'
    ? { path: '/chatrooms', query: allQuery(search, reader) }
    : { path: '/get_customized_rooms', query: ownQuery(search) }
}

function ownQuery({ show, sort = 'waiting', q, region, language }: DeskSearch): Query {
  const filters = {
    ...(show === 'unread' && { unread: true }),
    // The least that can be asked for is a minute.
    ...(show === 'waiting' && { waiting_over: 1 }),
    ...(show === 'unassigned' && { assignee: 'none' }),
    ...(show === 'mine' && { assignee: 'me' }),
    ...(region && { region }),
    ...(language && { language }),
  }
  return { sort, ...(q && { q }), filters }
}

const sortOfAll = {
  waiting: 'waiting_since:asc,updatedAt:desc',
  latest: 'updatedAt:desc',
  unread: 'unread_message:desc,updatedAt:desc',
} as const

const people = ['sender', 'receiver', 'assignee'] as const
const names = ['name', 'surname', 'username'] as const

function allQuery({ show, sort = 'waiting', q, region, language }: DeskSearch, reader: Reader): Query {
  const nobody = { assignee: { $null: true }, receiver: { $null: true } }
  const mine = { $or: [{ assignee: reader.id }, { assignee: { $null: true }, receiver: reader.id }] }
  // Every word is somebody's name, or part of it.
  const words = (q ?? '').split(/\s+/).filter(Boolean)
  const named = words.map((word) => ({
    $or: people.flatMap((person) => names.map((name) => ({ [person]: { [name]: { $containsi: word } } }))),
  }))
  const conditions = [
    ...(show === 'unread' ? [{ unread_message: { $gt: 0 } }] : []),
    ...(show === 'waiting' ? [{ waiting_since: { $notNull: true } }] : []),
    ...(show === 'unassigned' ? [nobody] : []),
    ...(show === 'mine' ? [mine] : []),
    ...(region ? [{ region }] : []),
    ...(language ? [{ language: { $eq: language } }] : []),
    ...named,
  ]
  return { sort: sortOfAll[sort], ...(conditions.length > 0 && { filters: { $and: conditions } }) }
}
