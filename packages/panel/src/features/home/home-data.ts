/** The data of the home page: query key and fetcher of its calls, and the addresses of its rows. */
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
import { type Address, findScreen, recordAddress } from '../../resource/screen-address.ts'

/**
 * Polling interval of the home page, in milliseconds; visible rows stay until the user asks for the new ones.
 */
const refetchAfter = 60_000

export const homeKey = ['home'] as const

export interface HomeRequest {
  scope: HomeScope | undefined
  locale: Locale
  showsOnlyPutOff: boolean
}

export const homeQuery = ({ scope, locale, showsOnlyPutOff: onlyPutOff }: HomeRequest) =>
  queryOptions({
    queryKey: [...homeKey, scope ?? 'usual', locale, onlyPutOff],
    queryFn: ({ signal }) =>
      callRoute('GET /api/home', {
        query: { ...(scope && { scope }), ...(onlyPutOff && { put_off: true }), locale },
        signal,
      }),
    staleTime: 0,
    refetchInterval: refetchAfter,
    meta: { inPlace: true },
  })

export const homeCalls = {
  putOff: (group: HomeGroupKey, ref: string, time: PutOffTime) =>
    callRoute('POST /api/home/put-off', { body: { data: { group, ref, time } } }),
  putBackMutation: (group: HomeGroupKey, ref: string) =>
    callRoute('POST /api/home/put-back', { body: { data: { group, ref } } }),
  takeQuestion: (id: number, newOwnerId: number) =>
    callRoute('POST /api/consultations/:id/assign', { params: { id }, body: { data: { to: newOwnerId, from: null } } }),
}

/** Action of a row of work: a dialog over the home page, a call, or a link to the work. */
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

/** Converts an address of the model for the router. */
export const addressOf = ({ path, search }: HomeAddress): Address => ({ to: `/app/${path}`, search })

/** Address where the work of a home page row is done. */
export function addressOfRow(group: HomeGroupKey, row: HomeRow): Address {
  switch (group) {
    case 'chats':
    case 'ownChats':
      return { to: `/app/chats/${row.id}`, search: {} }
    case 'posts':
      return recordAddress(findScreen('trading-post'), row.id)
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
      return recordAddress(findScreen('consultation'), row.id)
  }
}

/** References of all rows of work, to compare two responses. */
export const refsOf = (groups: readonly HomeGroup[]): Set<string> =>
  new Set(groups.flatMap(({ key, rows }) => rows.map(({ ref }) => `${key} ${ref}`)))

/** Resource of a wire name, for the label of a changed record's kind. */
export const resourceOfWire = (wire: string | null) =>
  Object.values(resources).find((listedResource) => listedResource.wire === wire)
