/** Jobs that were started here and are under way: they go on, and are followed, when the list that began them is left. */
import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { t } from '../../lib/i18n.ts'
import { showToast } from '../../ui/toast.ts'
import { offerUndo } from '../../ui/undo.ts'
import { type BulkJob, refresh, undoJob, whenDone } from './bulk-api.ts'

let jobs: readonly BulkJob[] = []
const listeners = new Set<() => void>()

function publish(next: readonly BulkJob[]): void {
  jobs = next
  for (const listener of listeners) listener()
}

/** Follows a job to its end, renews what is on show and offers the way back. Out: the job as it ended. */
export async function follow(cache: QueryClient, started: BulkJob): Promise<BulkJob> {
  const step = (job: BulkJob) => publish([...jobs.filter(({ id }) => id !== job.id), job])
  try {
    const job = await whenDone(started, step)
    await refresh(cache)
    // The inbox tells of it, too.
    void cache.invalidateQueries({ queryKey: ['notices'] })
    if (job.changed > 0 && job.canUndo && (job.state === 'finished' || job.state === 'stopped')) {
      offerUndo({
        title: t('bulk.done', { count: job.changed }),
        undo: async () => {
          const undone = await undoJob(cache, job.id)
          if (undone.refused === 0) return
          showToast({ kind: 'error', title: t('bulk.undoPartly', { count: undone.refused }) })
        },
      })
    }
    return job
  } finally {
    publish(jobs.filter(({ id }) => id !== started.id))
  }
}

/** The jobs of a resource that are under way. */
export function useJobs(wire: string): readonly BulkJob[] {
  const all = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => jobs,
  )
  return all.filter(({ resource }) => resource === wire)
}
