/** Takes a delete back; what refuses it is told. */
import type { QueryClient } from '@tanstack/react-query'
import { wordsOfFailure } from '../../api/error-toasts.ts'
import { t } from '../../lib/i18n.ts'
import { showToast } from '../../ui/feedback/toast.ts'
import { restore } from '../history/queries.ts'

/** Throws what the server refuses it with, after it was shown. */
export async function bringBack(cache: QueryClient, wire: string, id: number): Promise<void> {
  try {
    await restore(wire, id)
  } catch (error) {
    showToast({ kind: 'error', title: t('trash.notRestored'), text: wordsOfFailure(error) })
    throw error
  } finally {
    await cache.invalidateQueries({ queryKey: ['resource'] })
  }
}
