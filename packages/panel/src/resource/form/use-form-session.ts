/** Binds the session of a form to its inputs. */
import type { Resource } from '@dala/model'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import {
  openSessionConflicts,
  chooseValues,
  conflictsOf,
  type FormSession,
  loadRecord,
  openSession,
  settleSession,
} from './form-session.ts'
import type { Conflict, FieldPlace, ConflictSide } from './saving/merge.ts'
import { type FormValues, setTypedValues } from './values.ts'

/** Form session that can also be read between two renders. */
function createStore(first: FormSession) {
  let session = first
  const listeners = new Set<() => void>()
  return {
    get: () => session,
    set: (next: FormSession) => {
      session = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useFormSession(form: UseFormReturn<FormValues>, resource: Resource, stored: FormValues) {
  const [store] = useState(() => createStore(openSession(stored)))
  const pendingConflict = useSyncExternalStore(store.subscribe, () => store.get().pendingConflicts.length)
  const openConflicts = useSyncExternalStore(store.subscribe, () => store.get().openConflicts)

  const load = useCallback(
    (next: FormValues, typed: FormValues, from?: FormValues): FieldPlace[] => {
      const loadedRecord = loadRecord(store.get(), resource, next, typed, from)
      if (next !== store.get().base) form.reset(next, { keepErrors: true })
      store.set(loadedRecord.session)
      setTypedValues(form, loadedRecord.typed, next)
      return loadedRecord.mergedFields
    },
    [store, form, resource],
  )
  /** Loads newer values of the server into the form. Returns the places that took them. */
  const renewSession = useCallback((next: FormValues) => load(next, form.getValues()), [load, form])

  const lastStoredValues = useRef(stored)
  useEffect(() => {
    if (lastStoredValues.current === stored) return
    lastStoredValues.current = stored
    renewSession(stored)
  }, [renewSession, stored])

  const conflicts = () => conflictsOf(store.get(), form.getValues())
  return {
    get: store.get,
    /** Returns the values of the record on the server when typing started. */
    base: useCallback(() => store.get().base, [store]),
    renew: renewSession,
    /** Sets a stored draft in the form's inputs, merged with the current values of the server. */
    restoreDraft: useCallback(
      (typed: FormValues, from?: FormValues) => void load(store.get().base, typed, from),
      [load, store],
    ),
    /** Starts the session anew from these values after a save, or after changes were discarded. */
    settleValues: (base: FormValues) => store.set(settleSession(store.get(), base)),
    conflicts,
    /** Number of unresolved conflicts of the form. */
    pending: pendingConflict,
    /** Conflicts of typed with newer stored values, which the user must decide. */
    openConflicts,
    ask: (open: readonly Conflict[] = conflicts()) => store.set(openSessionConflicts(store.get(), open)),
    choose: (choices: Readonly<Record<string, ConflictSide>>) => {
      const { session, typed } = chooseValues(store.get(), form.getValues(), choices)
      setTypedValues(form, typed, session.base)
      store.set(session)
    },
  }
}

export type OpenSession = ReturnType<typeof useFormSession>
