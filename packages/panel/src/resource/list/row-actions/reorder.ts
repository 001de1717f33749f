/**
 * Reorders rows of a list: shown immediately, saved as one bulk job, rolled back when the server refuses the
 * job.
 */
import type { Entry, Resource } from '@dala/model'
import type { QueryClient } from '@tanstack/react-query'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { t } from '../../../lib/i18n.ts'
import { showToast } from '../../../ui/feedback/toast.ts'
import { offerUndo } from '../../../ui/feedback/undo.ts'
import { patchRows, refreshRecords, startBulk, undoJob, waitForJob } from '../bulk/api.ts'

/** Returns the list with the row at `from` moved to `to`. */
export function reorderItems<T>(items: readonly T[], fromIndex: number, toIndex: number): T[] {
  const [item] = items.slice(fromIndex, fromIndex + 1)
  if (item === undefined || toIndex < 0 || toIndex >= items.length) return [...items]
  return items.toSpliced(fromIndex, 1).toSpliced(toIndex, 0, item)
}

/**
 * Moves a row of a list. The visible rows keep their places among all others.
 *
 * @param cache - The query cache.
 * @param resource - The resource of the list.
 * @param entries - The visible rows.
 * @param fromIndex - The index of the row.
 * @param toIndex - Its new index.
 */
export async function moveRow(
  cache: QueryClient,
  resource: Resource,
  entries: readonly Entry[],
  fromIndex: number,
  toIndex: number,
): Promise<void> {
  const ids = entries.map(({ id }) => id)
  const newOrder = reorderItems(ids, fromIndex, toIndex)
  if (newOrder.every((id, index) => id === ids[index])) return
  const applyOrder = (order: readonly number[]) =>
    patchRows(cache, resource, (rows) =>
      rows.length === order.length && rows.every(({ id }) => order.includes(id))
        ? rows.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
        : rows,
    )
  await cache.cancelQueries({ queryKey: ['resource', resource.name, 'list'] })
  applyOrder(newOrder)
  try {
    const job = await waitForJob(await startBulk({ resource: resource.wire, action: { kind: 'order', ids: newOrder } }))
    if (job.state !== 'finished') throw new Error(job.state)
    offerUndo({
      title: t('bulk.moved', { place: toIndex + 1, count: ids.length }),
      undo: () => undoJob(cache, job.id),
    })
  } catch (error) {
    applyOrder(ids)
    showToast({ kind: 'error', title: t('bulk.notMoved'), text: messageOfFailure(error) })
  }
  await refreshRecords(cache)
}
