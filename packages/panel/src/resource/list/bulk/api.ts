/** The calls of work on many records at once: a job, its rows, its way back. */
import type { Entry, PagePagination, Resource, WireIssue } from '@dala/model'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import type { Query } from '../../../api/query-string.ts'

export type BulkAction =
  | { kind: 'set'; values: Readonly<Record<string, unknown>> }
  | { kind: 'connect' | 'disconnect'; field: string; ids: readonly number[] }
  | { kind: 'remove' }
  | { kind: 'edit'; rows: readonly EditedRow[] }
  | { kind: 'order'; ids: readonly number[] }

interface EditedRow {
  id: number
  version?: number
  values: Readonly<Record<string, unknown>>
}

/** Rows one by one, or all that a filter finds and how many the reader saw there. */
export type BulkSelection = { ids: readonly number[] } | { query: Query; count: number }

export interface BulkOrder {
  resource: string
  action: BulkAction
  selection?: BulkSelection
  /** Refused rows are left out, or one refusal undoes everything. */
  mode?: 'each' | 'all'
  dryRun?: boolean
}

export interface BulkJob {
  id: number
  resource: string
  mode: 'each' | 'all'
  dryRun: boolean
  state: 'waiting' | 'running' | 'finished' | 'refused' | 'stopped' | 'failed' | 'undoing' | 'undone'
  count: number
  done: number
  changed: number
  unchanged: number
  refused: number
  canUndo: boolean
}

export interface BulkRow {
  id: number
  name: string | null
  outcome: 'changed' | 'unchanged' | 'refused'
  code?: string
  message?: string
  issues?: readonly WireIssue[]
}

/** What an action would do. */
export interface Trial {
  /** How it would end, once that is known. */
  job: BulkJob | undefined
  /** The trial on its way. */
  step: BulkJob | undefined
  error: Error | null
}

/** Selections named one by one may not be longer; a filter has no such limit. */
export const mostRows = 1000

export const isUnderWay = ({ state }: BulkJob): boolean =>
  state === 'waiting' || state === 'running' || state === 'undoing'

/** `key` lets the server answer a repeated call with its first answer. */
export async function startBulk(order: BulkOrder, key: string = crypto.randomUUID()): Promise<BulkJob> {
  const headers = { 'Idempotency-Key': key }
  return (await call<{ data: BulkJob }>('POST', '/bulk', { body: { data: order }, headers })).data
}

/** One's own jobs that have not come to their end, from wherever they were started. */
export async function jobsUnderWay(): Promise<BulkJob[]> {
  const query = { pagination: { pageSize: 20, withCount: false } }
  const { data } = await call<{ data: BulkJob[] }>('GET', '/bulk', { query })
  return data.filter((job) => isUnderWay(job) && !job.dryRun)
}

async function readJob(id: number): Promise<BulkJob> {
  return (await call<{ data: BulkJob }>('GET', `/bulk/${id}`)).data
}

export async function stopJob(id: number): Promise<BulkJob> {
  return (await call<{ data: BulkJob }>('POST', `/bulk/${id}/stop`)).data
}

export async function rowsOf(
  id: number,
  outcome: BulkRow['outcome'],
  pageSize: number,
): Promise<{ rows: BulkRow[]; total: number }> {
  const query = { outcome, pagination: { page: 1, pageSize } }
  const { data, meta } = await call<{ data: BulkRow[]; meta: { pagination: PagePagination } }>(
    'GET',
    `/bulk/${id}/rows`,
    { query },
  )
  return { rows: data, total: meta.pagination.total ?? data.length }
}

const second = 1000
const pause = () => new Promise((resolve) => setTimeout(resolve, second))

/** Waits for the end of a job, asking each second; `onStep` sees it on its way. */
export async function whenDone(job: BulkJob, onStep?: (job: BulkJob) => void): Promise<BulkJob> {
  let now = job
  onStep?.(now)
  while (isUnderWay(now)) {
    await pause()
    now = await readJob(now.id)
    onStep?.(now)
  }
  return now
}

/** Takes a job back, waits for the end of that, and renews what is on show. Throws as any call. */
export async function undoJob(cache: QueryClient, id: number): Promise<BulkJob> {
  try {
    return await whenDone((await call<{ data: BulkJob }>('POST', `/bulk/${id}/undo`)).data)
  } finally {
    await refresh(cache)
  }
}

/** Everything that may show a changed record is asked for anew. */
export const refresh = (cache: QueryClient): Promise<void> => cache.invalidateQueries({ queryKey: ['resource'] })

/** Changes records in the lists that are on show, before the server has answered. */
export function patchRows(cache: QueryClient, resource: Resource, patch: (entries: Entry[]) => Entry[]): void {
  cache.setQueriesData<{ entries: Entry[] }>({ queryKey: ['resource', resource.name, 'list'] }, (page) =>
    page ? { ...page, entries: patch(page.entries) } : page,
  )
}
