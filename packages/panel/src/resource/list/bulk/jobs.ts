/** Running bulk jobs: they continue, and are followed, after the user has left the list or the page. */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { t } from '../../../lib/i18n.ts'
import { showToast } from '../../../ui/feedback/toast.ts'
import { offerUndo } from '../../../ui/feedback/undo.ts'
import { type BulkJob, runningJobs, refreshRecords, undoJob, waitForJob } from './api.ts'

let followedJobs: readonly BulkJob[] = []
const followedIds = new Set<number>()
const listeners = new Set<() => void>()

function publishJobs(changedJobs: readonly BulkJob[]): void {
  followedJobs = changedJobs
  for (const listener of listeners) listener()
}

/**
 * Follows a job to its end, refreshes the lists and offers the undo.
 *
 * @returns The finished job.
 */
export async function followJob(cache: QueryClient, startedJob: BulkJob): Promise<BulkJob> {
  followedIds.add(startedJob.id)
  const step = (job: BulkJob) => publishJobs([...followedJobs.filter(({ id }) => id !== job.id), job])
  try {
    const job = await waitForJob(startedJob, step)
    await refreshRecords(cache)
    // The inbox also shows a bulk job that has ended, so its notices are requested again.
    void cache.invalidateQueries({ queryKey: ['notices'] })
    if (job.changed > 0 && job.canUndo && (job.state === 'finished' || job.state === 'stopped')) {
      offerUndo({
        title: t('bulk.done', { count: job.changed }),
        undo: async () => {
          const undoneJob = await undoJob(cache, job.id)
          if (undoneJob.refused === 0) return
          showToast({ kind: 'error', title: t('bulk.undoPartly', { count: undoneJob.refused }) })
        },
      })
    }
    return job
  } finally {
    publishJobs(followedJobs.filter(({ id }) => id !== startedJob.id))
  }
}

/** Follows bulk jobs that were running when the page was closed; the first list asks for them once. */
function useRunningJobs(): void {
  const cache = useQueryClient()
  const { data } = useQuery({
    queryKey: ['bulk', 'under way'],
    queryFn: runningJobs,
    staleTime: Infinity,
    retry: false,
    meta: { inPlace: true },
  })
  useEffect(() => {
    for (const job of data ?? []) {
      if (!followedIds.has(job.id)) void followJob(cache, job)
    }
  }, [cache, data])
}

/** Running bulk jobs of a resource. */
export function useJobs(wire: string): readonly BulkJob[] {
  useRunningJobs()
  const allJobs = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => followedJobs,
  )
  return allJobs.filter(({ resource }) => resource === wire)
}
