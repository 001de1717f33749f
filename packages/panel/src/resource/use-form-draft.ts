/** Brings back what was typed before a reload, and keeps what is being typed now. */
import { useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Attempts } from './form-attempts.ts'
import { type DraftPlace, forgetDraft, keepDraft, readDraft } from './form-draft.ts'
import { type FormValues, typeIn } from './form-values.ts'
import type { FormBase } from './use-form-base.ts'

/** At most so long, in milliseconds, is typing held back before it is kept; the disk takes its time after that. */
const heldBack = 600

/** In: the form, what it began with, whose draft it is, and what a new one starts with as if it had been typed. */
export function useFormDraft(
  form: UseFormReturn<FormValues>,
  base: FormBase,
  { user, resource, index }: DraftPlace,
  typed: FormValues | undefined,
) {
  const [kept] = useState(() => readDraft({ user, resource, index }))
  const [restoredAt, setRestoredAt] = useState(kept?.at)
  const attempts = useRef<Attempts>(kept?.attempts ?? {})
  // What stays as it was is as old as it was.
  const known = useRef<{ text: string; at: string } | undefined>(undefined)
  const { join, current } = base

  useEffect(() => {
    if (!kept) {
      if (typed) typeIn(form, typed, current())
      return
    }
    join(kept.base ?? current(), kept.values, current())
    known.current = { text: JSON.stringify(form.getValues()), at: kept.at }
  }, [form, kept, typed, join, current])

  useEffect(() => {
    const place = { user, resource, index }
    let timer: ReturnType<typeof setTimeout> | undefined
    // As of the last letter; the state of the form itself is as old as what is drawn.
    let { isDirty } = form.formState
    const keepNow = () => {
      clearTimeout(timer)
      timer = undefined
      if (!isDirty) return forgetDraft(place)
      const values = form.getValues()
      const text = JSON.stringify(values)
      const at = known.current?.text === text ? known.current.at : new Date().toISOString()
      known.current = { text, at }
      keepDraft(place, { values, base: current(), at, attempts: attempts.current })
    }
    const unsubscribe = form.subscribe({
      formState: { values: true, isDirty: true },
      // Who types without a pause is kept all the same.
      callback: (state) => {
        isDirty = state.isDirty ?? isDirty
        timer ??= setTimeout(keepNow, heldBack)
      },
    })
    const keepChanges = () => {
      if (isDirty) keepNow()
    }
    window.addEventListener('pagehide', keepChanges, { capture: true })
    return () => {
      if (timer !== undefined) keepNow()
      window.removeEventListener('pagehide', keepChanges, { capture: true })
      unsubscribe()
    }
  }, [form, user, resource, index, current])

  return {
    restoredAt,
    attempts,
    /** Keeps the values now, with what was sent. */
    keep: (values: FormValues) =>
      keepDraft(
        { user, resource, index },
        { values, base: current(), at: new Date().toISOString(), attempts: attempts.current },
      ),
    /** Keeps the values for the record that was just made, in which they go on. */
    keepFor: (id: number, values: FormValues) =>
      keepDraft(
        { user, resource, index: String(id) },
        { values, base: undefined, at: new Date().toISOString(), attempts: {} },
      ),
    forget: () => {
      attempts.current = {}
      known.current = undefined
      setRestoredAt(undefined)
      forgetDraft({ user, resource, index })
    },
  }
}
