/** Transitions of a consultation that are not edits: finish, reopen, assign, end the wait (chat §4). */
import type { Entry, MessageId } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { callRoute } from '../../api/route.ts'
import { useT } from '../../lib/i18n.ts'
import { showToast } from '../../ui/feedback/toast.ts'

/** Request body of each transition of a consultation. */
interface StepBodies {
  finish: { reason?: string }
  reopen: { reason?: string }
  noReply: { reason?: string }
  /** Assignment of a consultation; `from` is the consultant known to the user. */
  assign: { to: number | null; from: number | null; note?: string }
}

const stepCalls: { readonly [Name in keyof StepBodies]: (id: number, data: StepBodies[Name]) => Promise<unknown> } = {
  finish: (id, data) => callRoute('POST /api/consultations/:id/finish', { params: { id }, body: { data } }),
  reopen: (id, data) => callRoute('POST /api/consultations/:id/reopen', { params: { id }, body: { data } }),
  noReply: (id, data) => callRoute('POST /api/consultations/:id/no-reply', { params: { id }, body: { data } }),
  assign: (id, data) => callRoute('POST /api/consultations/:id/assign', { params: { id }, body: { data } }),
}

const successMessages: Readonly<Record<keyof StepBodies, MessageId>> = {
  finish: 'consultation.finished',
  reopen: 'consultation.reopened',
  noReply: 'consultation.waitEnded',
  assign: 'consultation.assigned',
}

export function useStep<Name extends keyof StepBodies>({ id }: Entry, name: Name) {
  const t = useT()
  const cache = useQueryClient()
  const step = useMutation({
    meta: { inPlace: true },
    mutationFn: (data: StepBodies[Name]) => stepCalls[name](id, data),
    onSuccess: () => showToast({ kind: 'success', title: t(successMessages[name]) }),
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource'] }),
  })
  return { step, failure: step.error ? messageOfFailure(step.error) : undefined }
}
