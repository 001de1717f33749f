/** Brings back what was typed before a reload, and keeps what is being typed now. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Attempts } from './saving/attempts.ts'
import { type DraftPlace, formDraft } from './form-draft.ts'
import { type FormValues, typeIn } from './values.ts'
import type { OpenSession } from './use-form-session.ts'

/** At most so long, in milliseconds, is typing held back before it is kept; the disk takes its time after that. */
const heldBack = 600

/** In: the form, its session, whose draft it is, and what a new one starts with as if it had been typed. */
export function useFormDraft(
  form: UseFormReturn<FormValues>,
  session: OpenSession,
  { user, resource, index }: DraftPlace,
  typed: FormValues | undefined,
) {
  const [kept] = useState(() => formDraft({ user, resource, index }).read())
  const [restoredAt, setRestoredAt] = useState(kept?.at)
  const attempts = useRef<Attempts>(kept?.attempts ?? {})
  // What stays as it was is as old as it was.
  const known = useRef<{ text: string; at: string } | undefined>(undefined)
  // A new record that was saved goes on as itself.
  const draft = useRef(formDraft({ user, resource, index }))
  // As of the last letter; the state of the form itself is as old as what is drawn.
  const hasChanges = useRef(form.formState.isDirty)
  const { restore, base } = session

  useEffect(() => {
    if (!kept) {
      if (typed) typeIn(form, typed, base())
      return
    }
    restore(kept.values, kept.base)
    known.current = { text: JSON.stringify(form.getValues()), at: kept.at }
  }, [form, kept, typed, restore, base])

  const write = useCallback(() => {
    const values = form.getValues()
    const text = JSON.stringify(values)
    const at = known.current?.text === text ? known.current.at : new Date().toISOString()
    known.current = { text, at }
    draft.current.write({ values, base: base(), at, attempts: attempts.current })
  }, [form, base])

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const keepNow = () => {
      clearTimeout(timer)
      timer = undefined
      if (hasChanges.current) write()
      else draft.current.clear()
    }
    const unsubscribe = form.subscribe({
      formState: { values: true, isDirty: true },
      // Who types without a pause is kept all the same.
      callback: (state) => {
        hasChanges.current = state.isDirty ?? hasChanges.current
        timer ??= setTimeout(keepNow, heldBack)
      },
    })
    const keepChanges = () => {
      if (hasChanges.current) keepNow()
    }
    window.addEventListener('pagehide', keepChanges, { capture: true })
    return () => {
      if (timer !== undefined) keepNow()
      window.removeEventListener('pagehide', keepChanges, { capture: true })
      unsubscribe()
    }
  }, [form, write])

  return {
    restoredAt,
    attempts,
    /** Keeps the values now, with what was sent. */
    keep: write,
    /** What was typed while a new record was saved, and what still is, goes on in that record. */
    goOn: (id: number) => {
      draft.current.clear()
      draft.current = formDraft({ user, resource, index: String(id) })
      if (hasChanges.current) write()
    },
    forget: () => {
      attempts.current = {}
      known.current = undefined
      setRestoredAt(undefined)
      draft.current.clear()
    },
  }
}

export type FormDraftState = ReturnType<typeof useFormDraft>
