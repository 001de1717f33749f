/** The open work of people: requested person by person, fetched in one call. */
import type { Workload } from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../api/route.ts'

interface WaitingRequest {
  id: number
  resolve: (load: Workload | null) => void
  reject: (reason: unknown) => void
}

let pendingRequests: WaitingRequest[] = []

/** Requests the open work of a person: one call answers all requests of the same tick. */
function requestInBatch(id: number): Promise<Workload | null> {
  if (pendingRequests.length === 0) queueMicrotask(() => void answer())
  return new Promise((resolve, reject) => pendingRequests.push({ id, resolve, reject }))
}

async function answer(): Promise<void> {
  const batch = pendingRequests
  pendingRequests = []
  try {
    const ids = [...new Set(batch.map(({ id }) => id))].join(',')
    const { data } = await callRoute('GET /api/consultants/load', { query: { ids } })
    for (const { id, resolve } of batch) resolve(data.find((load) => load.id === id) ?? null)
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

/** Open work of a person; null if the user may not see it. */
export const loadQuery = (id: number) =>
  queryOptions({
    queryKey: ['resource', 'users', 'load', id],
    queryFn: () => requestInBatch(id),
    staleTime: 30_000,
    meta: { inPlace: true },
  })
