/** Reverts a record to an old version, shows a message, and offers an undo. */
import type { Resource } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { useT } from '../../lib/i18n.ts'
import { showToast } from '../../ui/feedback/toast.ts'
import { offerUndo } from '../../ui/feedback/undo.ts'
import { lastRevision, revertRecord } from './queries.ts'

interface RevertRequest {
  revision: number
  to: 'before' | 'after'
  /** Fields of the record to revert; the whole record when absent. */
  fields?: string[]
  /** Label of the field or record that is reverted. */
  actionText: string
}

export function useRevert(resource: Resource, { id, version }: { id: number; version: number }) {
  const t = useT()
  const cache = useQueryClient()
  const refreshRecord = () => cache.invalidateQueries({ queryKey: ['resource'] })
  const mutation = useMutation({
    meta: { inPlace: true },
    mutationFn: async ({ revision, to, fields }: RevertRequest) => {
      // The undo of a revert returns to the state after the newest revision of now.
      const lastKnownRevision = await lastRevision(resource, id)
      return {
        before: lastKnownRevision,
        entry: await revertRecord(resource, id, { revision, to, ...(fields && { fields }), version }),
      }
    },
    onSuccess: async ({ before, entry }, { actionText: actionName, fields }) => {
      const title = t('history.done', { what: actionName })
      const undo = async () => {
        try {
          await revertRecord(resource, id, {
            revision: before?.id ?? 0,
            to: 'after',
            ...(fields && { fields }),
            version: Number(entry['version']),
          })
        } catch (error) {
          showToast({ kind: 'error', title: t('undo.failed'), text: messageOfFailure(error) })
          throw error
        } finally {
          await refreshRecord()
        }
      }
      if (before) offerUndo({ title, undo })
      else showToast({ kind: 'success', title })
      await refreshRecord()
    },
  })
  return { ...mutation, failure: mutation.error ? messageOfFailure(mutation.error) : undefined }
}
