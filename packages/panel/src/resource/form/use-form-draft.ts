/** Restores text typed before a reload, and stores the text being typed. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { CreateAttempts } from './saving/attempts.ts'
import { type DraftPlace, formDraft } from './form-draft.ts'
import { type FormValues, setTypedValues } from './values.ts'
import type { OpenSession } from './use-form-session.ts'

/**
 * Maximum time in milliseconds before a change is stored in the draft; the disk takes its own time after
 * that.
 */
const writeDelay = 600

/**
 * Stores the unsaved values of a form in the browser.
 *
 * @param form - The inputs.
 * @param session - The session of the form.
 * @param place - The user and the record of the draft.
 * @param typedValues - Initial values that count as typed.
 */
export function useFormDraft(
  form: UseFormReturn<FormValues>,
  session: OpenSession,
  { user, resource, index }: DraftPlace,
  typedValues: FormValues | undefined,
) {
  const [storedDraft] = useState(() => formDraft({ user, resource, index }).read())
  const [restoredAt, setRestoredAt] = useState(storedDraft?.at)
  const attempts = useRef<CreateAttempts>(storedDraft?.attempts ?? {})
  // A stored draft that has not changed is not written again, so that its time stays.
  const lastWrittenDraft = useRef<{ text: string; at: string } | undefined>(undefined)
  // After the first save of a new record, its draft moves to the saved record.
  const draft = useRef(formDraft({ user, resource, index }))
  // The inputs are read from a reference, which is set at every typed letter; the state of the form is as old
  // as the last render.
  const hasChanges = useRef(form.formState.isDirty)
  const { restoreDraft: restore, base } = session

  useEffect(() => {
    if (!storedDraft) {
      if (typedValues) setTypedValues(form, typedValues, base())
      return
    }
    restore(storedDraft.values, storedDraft.base)
    lastWrittenDraft.current = { text: JSON.stringify(form.getValues()), at: storedDraft.at }
  }, [form, storedDraft, typedValues, restore, base])

  const writeDraft = useCallback(() => {
    const values = form.getValues()
    const text = JSON.stringify(values)
    const writtenAt = lastWrittenDraft.current?.text === text ? lastWrittenDraft.current.at : new Date().toISOString()
    lastWrittenDraft.current = { text, at: writtenAt }
    draft.current.write({ values, base: base(), at: writtenAt, attempts: attempts.current })
  }, [form, base])

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const writeDraftNow = () => {
      clearTimeout(timer)
      timer = undefined
      if (hasChanges.current) writeDraft()
      else draft.current.clear()
    }
    const unsubscribe = form.subscribe({
      formState: { values: true, isDirty: true },
      // The draft of the form is stored even while the user types without a pause.
      callback: (state) => {
        hasChanges.current = state.isDirty ?? hasChanges.current
        timer ??= setTimeout(writeDraftNow, writeDelay)
      },
    })
    const scheduleWrite = () => {
      if (hasChanges.current) writeDraftNow()
    }
    window.addEventListener('pagehide', scheduleWrite, { capture: true })
    return () => {
      if (timer !== undefined) writeDraftNow()
      window.removeEventListener('pagehide', scheduleWrite, { capture: true })
      unsubscribe()
    }
  }, [form, writeDraft])

  return {
    restoredAt,
    attempts,
    /** Stores the current values of the form and the pending attempts. */
    keep: writeDraft,
    /** Moves text typed during or after the save of a new record to the draft of that record. */
    continueDraft: (id: number) => {
      draft.current.clear()
      draft.current = formDraft({ user, resource, index: String(id) })
      if (hasChanges.current) writeDraft()
    },
    forgetDraft: () => {
      attempts.current = {}
      lastWrittenDraft.current = undefined
      setRestoredAt(undefined)
      draft.current.clear()
    },
  }
}

export type FormDraftState = ReturnType<typeof useFormDraft>
