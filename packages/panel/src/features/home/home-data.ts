/** The first page: key and fetcher of its calls, and where its rows lead. */
import {
  type HomeAddress,
  type HomeGroup,
  type HomeGroupKey,
  type HomeRow,
  type HomeScope,
  type Locale,
  type PutOffTime,
  resources,
} from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../api/route.ts'
import { type Address, screenAt, seenAddress } from '../../resource/screen-address.ts'

/** How often the server is asked anew, in milliseconds; rows that are shown stay until the reader wants the new ones. */
const askAgainAfter = 60_000

export const homeKey = ['home'] as const

export interface HomeAsked {
  scope: HomeScope | undefined
  locale: Locale
  onlyPutOff: boolean
}

export const homeQuery = ({ scope, locale, onlyPutOff }: HomeAsked) =>
  queryOptions({
    queryKey: [...homeKey, scope ?? 'usual', locale, onlyPutOff],
    queryFn: ({ signal }) =>
      callRoute('GET /api/home', {
        query: { ...(scope && { scope }), ...(onlyPutOff && { put_off: true }), locale },
        signal,
      }),
    staleTime: 0,
    refetchInterval: askAgainAfter,
    meta: { inPlace: true },
  })

export const homeCalls = {
  putOff: (group: HomeGroupKey, ref: string, time: PutOffTime) =>
    callRoute('POST /api/home/put-off', { body: { data: { group, ref, time } } }),
  putBack: (group: HomeGroupKey, ref: string) =>
    callRoute('POST /api/home/put-back', { body: { data: { group, ref } } }),
  take: (id: number, to: number) =>
    callRoute('POST /api/consultations/:id/assign', { params: { id }, body: { data: { to, from: null } } }),
}

/** What is done with a row: a dialog over the page, a call, or the way to the work. */
export type HomeAction =
  | 'assign'
  | 'handOver'
  | 'take'
  | 'open'
  | 'reply'
  | 'answer'
  | 'check'
  | 'enter'
  | 'review'
  | 'translate'

const actions: Readonly<Record<HomeGroupKey, (row: HomeRow) => HomeAction>> = {
  chats: ({ owner }) => (owner ? 'open' : 'assign'),
  overdue: ({ owner }) => (owner ? 'handOver' : 'assign'),
  prices: ({ kind }) => (kind === 'flagged' ? 'check' : 'enter'),
  posts: () => 'review',
  translations: () => 'translate',
  ownChats: () => 'reply',
  free: () => 'take',
  ownConsultations: () => 'answer',
}

export const actionOf = (group: HomeGroupKey, row: HomeRow): HomeAction => actions[group](row)

/** An address of the model as the router takes it. */
export const addressOf = ({ path, search }: HomeAddress): Address => ({ to: `/app/${path}`, search })

/** Where the work of a row is done. */
export function addressOfRow(group: HomeGroupKey, row: HomeRow): Address {
  switch (group) {
    case 'chats':
    case 'ownChats':
      return { to: `/app/chats/${row.id}`, search: {} }
    case 'posts':
      return seenAddress(screenAt('trading-post'), row.id)
    case 'prices':
      return row.pricedate === null
        ? { to: '/app/price-list', search: {} }
        : {
            to: `/app/price-list/${row.pricedate}`,
            search: row.region === null ? {} : { region: String(row.region) },
          }
    case 'translations':
      return {
        to: `/app/translations/${row.resource}/${row.outdated}`,
        search: { of: 'outdated', record: String(row.id) },
      }
    default:
      return seenAddress(screenAt('consultation'), row.id)
  }
}

/** What tells the rows of a page from those of another. */
export const refsOf = (groups: readonly HomeGroup[]): Set<string> =>
  new Set(groups.flatMap(({ key, rows }) => rows.map(({ ref }) => `${key} ${ref}`)))

/** The resource of a wire name, for the word of its kind. */
export const resourceOfWire = (wire: string | null) => Object.values(resources).find((one) => one.wire === wire)
