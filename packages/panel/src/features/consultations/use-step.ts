/** One of the steps that are no edits: finish, reopen, assign (chat §4). */
import type { Entry, MessageId } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { wordsOfFailure } from '../../api/error-toasts.ts'
import { useT } from '../../lib/i18n.ts'
import { showToast } from '../../ui/feedback/toast.ts'

export type StepName = 'finish' | 'reopen' | 'assign'

const done: Readonly<Record<StepName, MessageId>> = {
  finish: 'consultation.finished',
  reopen: 'consultation.reopened',
  assign: 'consultation.assigned',
}

export interface StepBody {
  reason?: string
  to?: number | null
  /** Who has it as far as the reader knows. */
  from?: number | null
}

export function useStep({ id }: Entry, name: StepName) {
  const t = useT()
  const cache = useQueryClient()
  const step = useMutation({
    meta: { inPlace: true },
    mutationFn: (data: StepBody) => call('POST', `/consultations/${id}/${name}`, { body: { data } }),
    onSuccess: () => showToast({ kind: 'success', title: t(done[name]) }),
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource'] }),
  })
  return { step, failure: step.error ? wordsOfFailure(step.error) : undefined }
}
