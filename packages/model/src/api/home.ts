/** The home page of a user: its groups of work, and how long a row can be postponed. */
import { type CallerRole, rankOfRole } from '../access/access.ts'
import type { ResourceName } from '../resources/index.ts'

/** Scopes of the home page: the work of everybody in the caller's care, or the caller's own work. */
export const homeScopes = ['team', 'mine'] as const
export type HomeScope = (typeof homeScopes)[number]

export const homeGroupKeys = [
  'chats',
  'overdue',
  'prices',
  'posts',
  'translations',
  'ownChats',
  'free',
  'ownConsultations',
] as const
export type HomeGroupKey = (typeof homeGroupKeys)[number]

/** Actions of the audit log that the home page of staff shows as changes. */
export const homeAuditActions = [
  'record.create',
  'record.update',
  'record.remove',
  'record.restore',
  'user.invite',
  'user.block',
  'user.unblock',
] as const

/** A page of the panel, below `/app`. */
export interface HomeAddress {
  path: string
  search: Readonly<Record<string, string>>
}

interface HomeFilters {
  readonly [key: string]: string | HomeFilters | readonly HomeFilters[] | readonly string[]
}

/** The list that a group of the home page is a part of. */
export interface HomeList {
  resource: ResourceName
  filters: (caller: number) => HomeFilters
  /** Sort of a home page group's rows, the most urgent row first. */
  sort: string
}

export interface HomeGroupDeclaration {
  scope: HomeScope
  isFor: (asker: CallerRole) => boolean
  /** Number of rows that a group of the home page shows. */
  rows: number
  /** Page with all rows of the home page group. */
  all: (caller: number) => HomeAddress
  /** List that the home page group is a part of; absent for other groups. */
  list?: HomeList
}

const isStaff = ({ role }: CallerRole): boolean => rankOfRole(role) >= rankOfRole('admin')
const isConsultant = ({ role, isConsultant: answers }: CallerRole): boolean => answers && role !== 'public'
const answers = (asker: CallerRole): boolean => isStaff(asker) || isConsultant(asker)

/**
 * All groups of the home page in order. A new group needs a declaration here, its labels, and a source where
 * it is no part of a list.
 */
export const homeGroups: Readonly<Record<HomeGroupKey, HomeGroupDeclaration>> = {
  chats: {
    scope: 'team',
    isFor: isStaff,
    rows: 2,
    all: () => ({ path: 'chats', search: { waiting: 'yes' } }),
    list: {
      resource: 'chatrooms',
      filters: () => ({ waiting_since: { $notNull: 'true' } }),
      sort: 'waiting_since:asc',
    },
  },
  overdue: {
    scope: 'team',
    isFor: isStaff,
    rows: 2,
    all: () => ({ path: 'consultation', search: { 'f.overdue': 'true', sort: 'due_at' } }),
    list: { resource: 'consultations', filters: () => ({ overdue: { $eq: 'true' } }), sort: 'due_at:asc' },
  },
  prices: {
    scope: 'team',
    isFor: isStaff,
    rows: 3,
    all: () => ({ path: 'price-list', search: {} }),
  },
  posts: {
    scope: 'team',
    isFor: isStaff,
    rows: 2,
    all: () => ({ path: 'trading-post', search: { 'f.waiting_since': '*', sort: 'waiting_since' } }),
    list: {
      resource: 'tradinposts',
      filters: () => ({ waiting_since: { $notNull: 'true' } }),
      sort: 'waiting_since:asc',
    },
  },
  translations: {
    scope: 'team',
    isFor: isStaff,
    rows: 2,
    all: () => ({ path: 'translations', search: {} }),
  },
  ownChats: {
    scope: 'mine',
    isFor: answers,
    rows: 3,
    all: () => ({ path: 'chats', search: { who: 'mine', waiting: 'yes' } }),
    list: {
      resource: 'chatrooms',
      filters: (caller) => ({
        waiting_since: { $notNull: 'true' },
        $or: [
          { assignee: { $eq: String(caller) } },
          { assignee: { $null: 'true' }, receiver: { $eq: String(caller) } },
        ],
      }),
      sort: 'waiting_since:asc',
    },
  },
  free: {
    scope: 'mine',
    isFor: isConsultant,
    rows: 2,
    all: () => ({ path: 'consultation', search: { 'f.consultant': '-', 'f.status': 'new.reopened', sort: 'due_at' } }),
    list: {
      resource: 'consultations',
      filters: () => ({ consultant: { $null: 'true' }, status: { $in: ['new', 'reopened'] } }),
      sort: 'due_at:asc',
    },
  },
  ownConsultations: {
    scope: 'mine',
    isFor: answers,
    rows: 3,
    all: (caller) => ({
      path: 'consultation',
      search: { 'f.consultant': String(caller), 'f.status': 'assigned.reopened', sort: 'due_at' },
    }),
    list: {
      resource: 'consultations',
      filters: (caller) => ({ consultant: { $eq: String(caller) }, status: { $in: ['assigned', 'reopened'] } }),
      sort: 'due_at:asc',
    },
  },
}

/**
 * The groups of a caller's home page in a scope, in order.
 *
 * @example
 * homeGroupsOf({ role: 'admin', isConsultant: false }, 'team') // ['chats', 'overdue', 'prices', …]
 */
export const homeGroupsOf = (asker: CallerRole, scope: HomeScope): HomeGroupKey[] =>
  homeGroupKeys.filter((key) => homeGroups[key].scope === scope && homeGroups[key].isFor(asker))

/**
 * The scopes of the home page in which a caller has groups; the first scope is the default.
 *
 * @example
 * homeScopesOf({ role: 'authenticated', isConsultant: true }) // ['mine']
 */
export const homeScopesOf = (asker: CallerRole): HomeScope[] =>
  homeScopes.filter((scope) => homeGroupsOf(asker, scope).length > 0)

/** Times until which a row of the home page can be postponed. */
export const putOffTimes = ['hour', 'tomorrow', 'monday'] as const
export type PutOffTime = (typeof putOffTimes)[number]

/** Maximum number of rows that one user can postpone; beyond it, rows due first return early. */
export const maxPutOffRows = 200
