/** Queries of the System page: the state of the installation and the list of backups. */
import type { SystemState } from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../api/route.ts'

const refreshMs = 60_000
const runningMs = 3_000

/** Key of all queries of the System page. */
export const systemKey = ['system'] as const

/** Milliseconds for which the answer to a test letter is waited for. */
const testLetterMs = 60_000

/** Tells whether a test letter is on its way, so that its answer appears soon. */
function isTestLetterAway({ at, letters }: SystemState): boolean {
  if (letters.state === 'unanswered' || letters.test?.state !== 'waiting') return false
  return Date.parse(at) - Date.parse(letters.test.at) < testLetterMs
}

/**
 * Query of the state; it is repeated every minute while the window is visible, and every few seconds while a test
 * letter is on its way.
 */
export const stateQuery = queryOptions({
  queryKey: [...systemKey, 'state'],
  queryFn: async ({ signal }) => (await callRoute('GET /api/system', { signal })).data,
  staleTime: refreshMs,
  refetchInterval: ({ state: { data } }) => (data && isTestLetterAway(data) ? runningMs : refreshMs),
  meta: { inPlace: true },
})

/** Query of what is new in the running version. */
export const changesQuery = queryOptions({
  queryKey: ['system-changes'],
  queryFn: async ({ signal }) => (await callRoute('GET /api/system/changes', { signal })).data,
  staleTime: Infinity,
  meta: { inPlace: true },
})

/** Query of the backups; it is repeated every few seconds while one is being taken or proved. */
export const backupsQuery = queryOptions({
  queryKey: [...systemKey, 'backups'],
  queryFn: ({ signal }) => callRoute('GET /api/system/backups', { signal }),
  staleTime: refreshMs,
  refetchInterval: ({ state: { data } }) =>
    data?.data.some(({ state, proof }) => state === 'running' || proof.state === 'running') ? runningMs : refreshMs,
  meta: { inPlace: true },
})
