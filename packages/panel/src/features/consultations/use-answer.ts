/** Editing of an answer: the draft is stored, and a colleague's answer is never overwritten unnoticed. */
import { type Entry, resources } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { resourceQueries } from '../../api/resource-queries.ts'
import { useT } from '../../lib/i18n.ts'
import { showToast } from '../../ui/feedback/toast.ts'
import { type AnswerDraft, answerDraft } from './answer-draft.ts'

interface StoredAnswer {
  answer: string
  version: number
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Reads the stored answer from a refused write; undefined for any other failure. */
function storedAnswerOf(error: unknown): StoredAnswer | undefined {
  if (!(error instanceof ApiError) || error.code !== 'record.stale') return undefined
  const { current } = error.details
  if (typeof current !== 'object' || current === null || !('version' in current)) return undefined
  const answer = 'answer' in current ? textOf(current.answer) : ''
  return { answer, version: Number(current.version) }
}

export function useAnswer(record: Entry, user: number) {
  const t = useT()
  const cache = useQueryClient()
  const { update } = resourceQueries(resources.consultations)
  const draft = answerDraft(user, record.id)
  const [draftAnswer, setDraftAnswer] = useState<AnswerDraft | null>(() => draft.read() ?? null)
  const [conflict, setConflict] = useState<StoredAnswer | null>(null)
  const storedAnswer = { answer: textOf(record.answer), version: Number(record.version) }

  // Latest text of the answer, because a save may end while the user types.
  const latestAnswer = useRef(draftAnswer)
  const change = (newDraft: AnswerDraft | null) => {
    latestAnswer.current = newDraft
    setDraftAnswer(newDraft)
    if (newDraft) draft.write(newDraft)
    else draft.clear()
  }

  const save = useMutation({
    meta: {
      inPlace: true,
      missed: t('message.notSaved', { resource: t('consultation.number', { id: record.id }) }),
    },
    mutationFn: async ({ text, version, before }: AnswerDraft) => {
      try {
        return await update(record.id, { answer: text, version })
      } catch (error) {
        const now = storedAnswerOf(error)
        // Only other fields of the consultation were changed meanwhile, so the answer is sent again with the
        // new version.
        if (now?.answer !== before) throw error
        return update(record.id, { answer: text, version: now.version })
      }
    },
    onSuccess: async (savedRecord, sentDraft) => {
      setConflict(null)
      showToast({ kind: 'success', title: t('consultation.answerSaved') })
      // Text typed since the save is based on the version of the consultation that is stored now.
      if (latestAnswer.current)
        change({ ...latestAnswer.current, version: Number(savedRecord.version), before: textOf(savedRecord.answer) })
      await cache.invalidateQueries({ queryKey: ['resource'] })
      if (latestAnswer.current?.text === sentDraft.text) change(null)
    },
    onError: (error) => setConflict(storedAnswerOf(error) ?? null),
  })

  return {
    text: draftAnswer?.text ?? storedAnswer.answer,
    isDirty: draftAnswer !== null && draftAnswer.text !== storedAnswer.answer,
    /** Both texts of an answer after a conflict with another user. */
    conflict: conflict && draftAnswer ? { ownText: draftAnswer.text, storedText: conflict.answer } : null,
    save,
    type: (text: string) => {
      const { version, before } = draftAnswer ?? { version: storedAnswer.version, before: storedAnswer.answer }
      change({ text, version, before })
    },
    submitAnswer: () => {
      if (draftAnswer && !save.isPending) save.mutate(draftAnswer)
    },
    discardAnswer: () => {
      change(null)
      setConflict(null)
      save.reset()
    },
    keepOwnAnswer: () => {
      if (!draftAnswer || !conflict) return
      const rebasedDraft = { ...draftAnswer, version: conflict.version, before: conflict.answer }
      change(rebasedDraft)
      save.mutate(rebasedDraft)
    },
    takeTheirAnswer: () => {
      change(null)
      setConflict(null)
      save.reset()
      void cache.invalidateQueries({ queryKey: ['resource'] })
    },
  }
}
