/** The edits of a price day, shared by the head of the page and the table as long as the page is open. */
import type { Entry } from '@dala/model'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { ownChange } from '../../api/connection.ts'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { callRoute } from '../../api/route.ts'
import { meQuery } from '../../api/session.ts'
import { onSessionEnd } from '../../lib/session-end.ts'
import { CellEdits } from './cell-edits.ts'
import { todayKey } from './use-today.ts'

let editsByClient = new WeakMap<QueryClient, Map<string, CellEdits>>()
onSessionEnd(() => {
  editsByClient = new WeakMap()
})

/** Whether a call with edits got no answer, or the server is temporarily unavailable. */
const isTemporaryFailure = (failure: unknown): boolean =>
  failure instanceof ApiError && (failure.status === 0 || failure.status === 429 || failure.status >= 502)

function editsOf(cache: QueryClient, user: number, day: number): CellEdits {
  const clientEdits = editsByClient.get(cache) ?? new Map<string, CellEdits>()
  editsByClient.set(cache, clientEdits)
  // Typed prices are stored in the browser for their own author.
  const storageKey = `draft/prices/${user}/${day}`
  const existingEdits = clientEdits.get(storageKey)
  if (existingEdits) return existingEdits
  const edits = new CellEdits({
    storageKey,
    send: async (market, cells) => {
      const body = { data: { pricedate: day, market_type: market, cells } }
      const headers = ownChange()
      return (await callRoute('PUT /api/pricelists/grid', { body, headers })).data
    },
    messageOf: (failure) => (failure instanceof Error ? messageOfFailure(failure) : ''),
    isPassing: isTemporaryFailure,
    onSaved: () => {
      // The table already shows the saved prices, so the cached prices and days reload only when they are
      // next opened.
      void cache.invalidateQueries({ queryKey: ['resource', 'pricelists'], refetchType: 'none' })
      void cache.invalidateQueries({ queryKey: ['resource', 'pricedates'], refetchType: 'none' })
      // The section menu counts the price cells of today.
      void cache.invalidateQueries({ queryKey: todayKey })
    },
  })
  clientEdits.set(storageKey, edits)
  return edits
}

/**
 * Unsaved edits of a day's prices by the signed-in user.
 *
 * @param record - The price date.
 * @returns The edits; undefined until the user is loaded.
 */
export function useDayEdits(record: Entry): CellEdits | undefined {
  const cache = useQueryClient()
  const { data: me } = useQuery(meQuery)
  return me && editsOf(cache, me.id, record.id)
}
