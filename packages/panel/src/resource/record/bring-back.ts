/** Undoes the deletion of a record; a refusal shows a toast. */
import type { QueryClient } from '@tanstack/react-query'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { t } from '../../lib/i18n.ts'
import { showToast } from '../../ui/feedback/toast.ts'
import { restoreRevision } from '../history/queries.ts'

/**
 * Restores a deleted record.
 *
 * @throws ApiError with the server's refusal, after it was shown.
 */
export async function restoreRecord(cache: QueryClient, wire: string, id: number): Promise<void> {
  try {
    await restoreRevision(wire, id)
  } catch (error) {
    showToast({ kind: 'error', title: t('trash.notRestored'), text: messageOfFailure(error) })
    throw error
  } finally {
    await cache.invalidateQueries({ queryKey: ['resource'] })
  }
}
