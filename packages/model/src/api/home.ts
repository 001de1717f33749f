/** The first page of a person: the groups of work that it shows, and the answer of `GET /api/home`. */
import { type Asker, rankOf } from '../access/access.ts'
import type { Locale } from '../locales.ts'
import type { ReportUnit } from './reports.ts'
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

/** One row of work. */
export interface HomeRow {
  /** What tells it from the other rows of its group: an id, or a resource and an id. */
  ref: string
  id: number
  /** The question, the title, the district; null where labels say it. */
  title: string | null
  /** The language of the title. */
  locale: Locale | null
  /** The person or the company that waits. */
  from: { id: number; name: string } | null
  /** The district or region. */
  place: string | null
  /** The person who answers; null for nobody. */
  owner: { id: number; name: string } | null
  since: string | null
  /** The end of the time for it. */
  due: string | null
  /** How many it stands for: prices of a row. */
  count: number | null
  /** Of what kind the row is within its group, where there are several. */
  kind: 'flagged' | 'district' | 'edit' | null
  /** The resource of a text, and the language that is outdated. */
  resource: string | null
  outdated: Locale | null
  languages: readonly Locale[]
  outdatedLanguages: readonly Locale[]
  /** Records that the address of the row names. */
  pricedate: number | null
  region: number | null
  putOffUntil: string | null
}

export interface HomeGroup {
  key: HomeGroupKey
  /** It could not be read; its other values say nothing. */
  failed: boolean
  /** All of it, the rows that are put off included: the number of the page that "All" opens. */
  count: number
  /** Those past their time; null where there is no such time. */
  late: number | null
  /** Since when the first of it waits. */
  oldest: string | null
  /** Prices in question and prices that are missing, of the group of prices. */
  flagged: number
  missing: number
  rows: HomeRow[]
  /** The page of all; a day of prices has its own. */
  all: HomeAddress
}

/** A day of the week; `share` is of the prices that were expected, in per cent, `count` are answers. */
export interface HomeDay {
  date: string
  share: number | null
  count: number | null
  pricedate: number | null
}

/** A figure of the caller with the median of the team. */
export interface HomeFigure {
  key: 'reply_median' | 'within_target' | 'rating'
  unit: ReportUnit
  value: number | null
  team: number | null
}

export interface HomeWeek {
  of: 'prices' | 'answers'
  days: HomeDay[]
  /** Days that have to be published: today, and earlier ones that were left out. */
  unpublished: { date: string; pricedate: number | null }[]
  figures: HomeFigure[]
}

/** Something that happened, as the caller may read it. */
export interface HomeChange {
  id: number
  at: string
  /** Who did it; null for the program, and for those who are gone. */
  by: { id: number; name: string } | null
  action: string
  /** The resource by its name in the model. */
  resource: string | null
  record: { id: number; title: string | null; locale: Locale | null } | null
  /** How many records it was done to, one after the other. */
  count: number
}

export interface HomeAnswer {
  data: {
    scope: HomeScope
    /** What waits in each scope of the caller, without what is put off. */
    totals: Partial<Record<HomeScope, number>>
    putOff: number
    /** Rows past their time in all groups, and the oldest end of such a time. */
    late: number
    oldest: string | null
    groups: HomeGroup[]
    week: HomeWeek | null
    /** Null for callers who have nothing to read there, and when it could not be read. */
    changes: HomeChange[] | null
  }
  meta: { generated_at: string; date: string; zone: string }
}
