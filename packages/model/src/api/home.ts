/** The first page of a person: the groups of work that it shows, and how long a row of them may be put off. */
import { type Asker, rankOf } from '../access/access.ts'
import type { ResourceName } from '../resources/index.ts'

/** Whose work it is: of everybody whom the caller looks after, or the caller's own. */
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

/** A page of the panel, below `/app`. */
export interface HomeAddress {
  path: string
  search: Readonly<Record<string, string>>
}

interface HomeFilters {
  readonly [key: string]: string | HomeFilters | readonly HomeFilters[] | readonly string[]
}

/** The records of a group that is a part of a list; the list that its address opens shows the same. */
export interface HomeList {
  resource: ResourceName
  filters: (caller: number) => HomeFilters
  /** The most urgent one first. */
  sort: string
}

export interface HomeGroupDeclaration {
  scope: HomeScope
  isFor: (asker: Asker) => boolean
  /** Rows that are shown, the most urgent ones. */
  rows: number
  /** The page of all of the group. */
  all: (caller: number) => HomeAddress
  /** Absent where a group is no part of a list. */
  list?: HomeList
}

const isStaff = ({ role }: Asker): boolean => rankOf(role) >= rankOf('admin')
const isConsultant = ({ role, isConsultant: answers }: Asker): boolean => answers && role !== 'public'
const answers = (asker: Asker): boolean => isStaff(asker) || isConsultant(asker)

/** All groups in their order: a new one is an entry here, its labels, and a source where it is no part of a list. */
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

/** The groups of a caller within a scope, in their order. */
export const homeGroupsOf = (asker: Asker, scope: HomeScope): HomeGroupKey[] =>
  homeGroupKeys.filter((key) => homeGroups[key].scope === scope && homeGroups[key].isFor(asker))

/** The scopes in which a caller has groups; the first one is shown when none is asked for. */
export const homeScopesOf = (asker: Asker): HomeScope[] =>
  homeScopes.filter((scope) => homeGroupsOf(asker, scope).length > 0)

/** How long a row may be put off. */
export const putOffTimes = ['hour', 'tomorrow', 'monday'] as const
export type PutOffTime = (typeof putOffTimes)[number]

/** Rows that one person may have put off; the ones that return first make room for more. */
export const maxPutOff = 200
