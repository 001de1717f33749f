/** The queue of trading posts and the data beside one of them, with query key and fetcher of each call. */
import { type Entry, fromWire, type Locale, queueTabs, type QueueTab, resources, type WireSingle } from '@dala/model'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { callServer } from '../../../api/client.ts'
import type { Query } from '../../../api/query-string.ts'
import { resourceQueries } from '../../../api/resource-queries.ts'
import { callRoute } from '../../../api/route.ts'

const { moderationreasons, tradinposts } = resources

/** Filters of the moderation queue besides its selected tab. */
export const queueFlags = ['all', 'new', 'edit', 'noPhoto'] as const
export type QueueFlag = (typeof queueFlags)[number]

/** Parameters of the moderation queue in the address. */
export interface QueueSearch {
  tab: QueueTab
  flag: QueueFlag
  isNewestFirst: boolean
}

/** Parses the address of the moderation queue; unknown values are dropped. */
export function readQueueSearch({ tab, flag, order }: { tab?: unknown; flag?: unknown; order?: unknown }): QueueSearch {
  return {
    tab: queueTabs.find((queueTab) => queueTab === tab) ?? 'on_hold',
    flag: queueFlags.find((queueFlag) => queueFlag === flag) ?? 'all',
    isNewestFirst: order === 'newest',
  }
}

/** Builds the address of the moderation queue; defaults are left out. */
export const writeQueueSearch = ({ tab, flag, isNewestFirst: newest }: QueueSearch): Record<string, string> => ({
  ...(tab !== 'on_hold' && { tab }),
  ...(flag !== 'all' && { flag }),
  ...(newest && { order: 'newest' }),
})

/** Conditions for the rows of a tab in the moderation queue. */
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

/** Reloads the moderation queue and the data beside the open post. */
export const invalidateQueue = (cache: QueryClient) =>
  Promise.all([
    cache.invalidateQueries({ queryKey: reviewKeys.all }),
    cache.invalidateQueries({ queryKey: [...resourceQueries(tradinposts).all, 'list'] }),
  ])

/** Maximum number of posts that the queue shows. */
const queuePageSize = 100

/** Posts of a tab in the moderation queue. */
export const queueQuery = ({ tab, flag, isNewestFirst: newest }: QueueSearch, locale: Locale) => {
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
    pagination: { pageSize: queuePageSize },
  }
  // A listener of its own reloads the moderation queue when posts change.
  return { ...resourceQueries(tradinposts).list(query), meta: { inPlace: true, hearsItself: true } }
}

/** Query of colleagues' claims, the number of posts of each tab, and the target for waiting times. */
export const queueStateQuery = queryOptions({
  queryKey: [...reviewKeys.all, 'state'],
  queryFn: async ({ signal }) => (await callRoute('GET /api/tradinposts/queue', { signal })).data,
  meta: { inPlace: true },
})

/** Query of hints that are shown beside a reviewed post. */
export const reviewQuery = (id: number) =>
  queryOptions({
    queryKey: [...reviewKeys.all, 'review', id],
    queryFn: async ({ signal }) =>
      (await callRoute('GET /api/tradinposts/:id/review', { params: { id }, signal })).data,
    meta: { inPlace: true },
  })

/**
 * The post under review. It does not refresh during a review: the decision is on the version that the
 * moderator has seen.
 */
export const postQuery = (id: number, locale: Locale) =>
  queryOptions({
    queryKey: [...reviewKeys.post, id, locale],
    queryFn: async ({ signal }): Promise<Entry> =>
      fromWire(
        (await callServer<WireSingle>('GET', `/tradinposts/${id}`, { query: { populate: '*', locale }, signal })).data,
      ),
    staleTime: 0,
    meta: { inPlace: true },
  })

/** Reasons that a moderator can choose from, in their order. */
export const reasonsQuery = () => {
  const query: Query = { filters: { active: { $eq: true } }, sort: 'order:asc', pagination: { pageSize: 100 } }
  return resourceQueries(moderationreasons).list(query)
}

/** Decision on a post that is sent to the server. */
export interface ReviewVerdict {
  to: 'processed' | 'needs_changes' | 'rejected' | 'on_hold' | 'archived'
  reason: readonly string[]
  public_note: string
  staff_note: string
}

const trimmedOrNull = (text: string) => (text.trim() === '' ? null : text.trim())

/** Post with the version that the moderator has seen and decides on. */
export interface ReviewedVersion {
  id: number
  version: number
}

/** Fields of a decision that are sent; an empty note for colleagues leaves the existing note. */
const valuesOf = ({ to, reason, public_note, staff_note }: ReviewVerdict) => ({
  to,
  reason,
  public_note: trimmedOrNull(public_note),
  ...(trimmedOrNull(staff_note) !== null && { staff_note: trimmedOrNull(staff_note) }),
})

export const reviewCalls = {
  sendVerdict: ({ id, version }: ReviewedVersion, verdict: ReviewVerdict) =>
    callRoute('POST /api/tradinposts/:id/moderate', {
      params: { id },
      body: { data: { ...valuesOf(verdict), version } },
    }),
  decidePosts: async (items: readonly ReviewedVersion[], verdict: ReviewVerdict) =>
    (await callRoute('POST /api/tradinposts/moderate', { body: { data: { ...valuesOf(verdict), items } } })).data,
  undoDecisions: (items: readonly number[]) => callRoute('POST /api/tradinposts/undo', { body: { data: { items } } }),
  undo: (id: number) => callRoute('POST /api/tradinposts/:id/undo', { params: { id } }),
  claim: (id: number) => callRoute('POST /api/tradinposts/:id/claim', { params: { id } }),
  release: (id: number) => callRoute('DELETE /api/tradinposts/:id/claim', { params: { id } }),
  settleReport: (id: number, report: number, isUpheld: boolean) =>
    callRoute('POST /api/tradinposts/:id/reports/:report/settle', {
      params: { id, report },
      body: { data: { upheld: isUpheld } },
    }),
}
