/** The queue of trading posts and what is shown beside one of them, with key and fetcher of each call. */
import {
  type Entry,
  fromWire,
  type Locale,
  type PostClaim,
  type PostReview,
  type QueueCounts,
  queueTabs,
  type QueueTab,
  type QueueTarget,
  resources,
  type WireSingle,
} from '@dala/model'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import type { Query } from '../../../api/query-string.ts'
import { resourceQueries } from '../../../api/resource-queries.ts'

const { moderationreasons, tradinposts } = resources

/** The filters of the queue besides its tab. */
export const queueFlags = ['all', 'new', 'edit', 'noPhoto'] as const
export type QueueFlag = (typeof queueFlags)[number]

/** The queue as its address says it. */
export interface QueueSearch {
  tab: QueueTab
  flag: QueueFlag
  newest: boolean
}

/** Reads the address; what it does not know is left out. */
export function readQueueSearch({ tab, flag, order }: { tab?: unknown; flag?: unknown; order?: unknown }): QueueSearch {
  return {
    tab: queueTabs.find((one) => one === tab) ?? 'on_hold',
    flag: queueFlags.find((one) => one === flag) ?? 'all',
    newest: order === 'newest',
  }
}

/** The address of a queue; what is as usual is not written. */
export const writeQueueSearch = ({ tab, flag, newest }: QueueSearch): Record<string, string> => ({
  ...(tab !== 'on_hold' && { tab }),
  ...(flag !== 'all' && { flag }),
  ...(newest && { order: 'newest' }),
})

/** The rows of a tab. */
function conditionsOf(tab: QueueTab): Query {
  if (tab === 'all') return {}
  if (tab === 'on_hold') return { waiting_since: { $notNull: true } }
  if (tab === 'reported') return { reports_open: { $gt: 0 } }
  return { status: { $eq: tab } }
}

const flagConditions: Readonly<Record<QueueFlag, Query>> = {
  all: {},
  new: { edit_state: { $null: true } },
  edit: { edit_state: { $eq: 'waiting' } },
  noPhoto: { mainPhoto: { id: { $null: true } } },
}

export const reviewKeys = {
  all: ['moderation'],
  post: ['moderation-post'],
} as const

/** Asks anew for the queue and for what is beside the open post. */
export const renewQueue = (cache: QueryClient) =>
  Promise.all([
    cache.invalidateQueries({ queryKey: reviewKeys.all }),
    cache.invalidateQueries({ queryKey: [...resourceQueries(tradinposts).all, 'list'] }),
  ])

/** Posts of the queue that are shown at once. */
const shownPosts = 100

/** The posts of a tab. */
export const queueQuery = ({ tab, flag, newest }: QueueSearch, locale: Locale) => {
  const sort = `${tab === 'on_hold' ? 'waiting_since' : 'createdAt'}:${newest ? 'desc' : 'asc'}`
  const query: Query = {
    locale,
    fallback: true,
    filters: { ...conditionsOf(tab), ...flagConditions[flag] },
    sort,
    fields: [
      'title',
      'price',
      'currency',
      'status',
      'edit_state',
      'waiting_since',
      'reports_open',
      'createdAt',
      'version',
    ],
    populate: {
      mainPhoto: true,
      tradingpostcategory: { fields: ['kind'] },
      unit: true,
      district: true,
      region: true,
      localizations: { fields: ['id'] },
    },
    pagination: { pageSize: shownPosts },
  }
  // The queue listens to its own event.
  return { ...resourceQueries(tradinposts).list(query), meta: { inPlace: true, hearsItself: true } }
}

interface QueueState {
  claims: readonly (PostClaim & { ids: readonly number[] })[]
  counts: QueueCounts
  target: QueueTarget
}

/** The claims of colleagues, the number of posts of each tab, and the target. */
export const queueStateQuery = queryOptions({
  queryKey: [...reviewKeys.all, 'state'],
  queryFn: async ({ signal }) => (await call<{ data: QueueState }>('GET', '/tradinposts/queue', { signal })).data,
  meta: { inPlace: true },
})

/** The hints that are shown beside a post. */
export const reviewQuery = (id: number) =>
  queryOptions({
    queryKey: [...reviewKeys.all, 'review', id],
    queryFn: async ({ signal }) =>
      (await call<{ data: PostReview }>('GET', `/tradinposts/${id}/review`, { signal })).data,
    meta: { inPlace: true },
  })

/** The post itself. It is not renewed under the eyes of who decides: the version that was seen is the one decided on. */
export const postQuery = (id: number, locale: Locale) =>
  queryOptions({
    queryKey: [...reviewKeys.post, id, locale],
    queryFn: async ({ signal }): Promise<Entry> =>
      fromWire(
        (await call<WireSingle>('GET', `/tradinposts/${id}`, { query: { populate: '*', locale }, signal })).data,
      ),
    staleTime: 0,
    meta: { inPlace: true },
  })

/** The reasons that can be given, in their order. */
export const reasonsQuery = () => {
  const query: Query = { filters: { active: { $eq: true } }, sort: 'order:asc', pagination: { pageSize: 100 } }
  return resourceQueries(moderationreasons).list(query)
}

/** The decision that is sent. */
export interface Verdict {
  to: 'processed' | 'needs_changes' | 'rejected' | 'on_hold' | 'archived'
  reason: readonly string[]
  public_note: string
  staff_note: string
}

const noted = (text: string) => (text.trim() === '' ? null : text.trim())

/** The outcome of each of many posts. */
export interface Decided {
  done: readonly number[]
  failed: readonly { id: number; code: string; message: string; params: Readonly<Record<string, string | number>> }[]
}

export const reviewCalls = {
  decide: (id: number, version: unknown, { to, reason, public_note, staff_note }: Verdict) =>
    call('POST', `/tradinposts/${id}/moderate`, {
      body: {
        data: {
          to,
          reason,
          public_note: noted(public_note),
          ...(noted(staff_note) && { staff_note: noted(staff_note) }),
          version,
        },
      },
    }),
  decideMany: async (
    items: readonly { id: number; version: unknown }[],
    { to, reason, public_note, staff_note }: Verdict,
  ) =>
    (
      await call<{ data: Decided }>('POST', '/tradinposts/moderate', {
        body: { data: { items, to, reason, public_note: noted(public_note), staff_note: noted(staff_note) } },
      })
    ).data,
  undoMany: (items: readonly number[]) => call('POST', '/tradinposts/undo', { body: { data: { items } } }),
  undo: (id: number) => call('POST', `/tradinposts/${id}/undo`, {}),
  claim: (id: number) => call('POST', `/tradinposts/${id}/claim`, {}),
  release: (id: number) => call('DELETE', `/tradinposts/${id}/claim`, {}),
  settle: (id: number, report: number, upheld: boolean) =>
    call('POST', `/tradinposts/${id}/reports/${report}/settle`, { body: { data: { upheld } } }),
}
