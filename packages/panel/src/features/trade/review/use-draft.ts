/** The draft of a decision on one post; it survives a reload of the post. */
import { useState } from 'react'
import { maxReasons } from '@dala/model'
import type { ReviewVerdict } from './review-data.ts'

export type Choice = 'processed' | 'needs_changes' | 'rejected'

interface DraftValues {
  choice: Choice | undefined
  reasons: readonly string[]
  public_note: string
  staff_note: string
}

export interface Draft extends DraftValues {
  choose: (choice: Choice | undefined) => void
  toggleReason: (code: string) => void
  setNote: (name: 'public_note' | 'staff_note', text: string) => void
  /** Returns the decision to send for a choice; only refusals have reasons. */
  verdict: (newChoice: Choice) => ReviewVerdict
}

/** Draft of a decision on one post; starts with the decision that the address asks for. */
export function useDraft(initialChoice: Choice | undefined): Draft {
  const [values, setValues] = useState<DraftValues>({
    choice: initialChoice,
    reasons: [],
    public_note: '',
    staff_note: '',
  })
  const change = (valueChange: Partial<DraftValues>) =>
    setValues((formerValues) => ({ ...formerValues, ...valueChange }))
  return {
    ...values,
    choose: (choice) => change({ choice }),
    toggleReason: (code) =>
      setValues((formerValues) => {
        const remainingReasons = formerValues.reasons.filter((reasonCode) => reasonCode !== code)
        const isNew = remainingReasons.length === formerValues.reasons.length && remainingReasons.length < maxReasons
        return { ...formerValues, reasons: isNew ? [...remainingReasons, code] : remainingReasons }
      }),
    setNote: (name, text) => change({ [name]: text }),
    verdict: (newChoice) => ({
      to: newChoice,
      reason: newChoice === 'processed' ? [] : values.reasons,
      public_note: newChoice === 'processed' ? '' : values.public_note,
      staff_note: values.staff_note,
    }),
  }
}
