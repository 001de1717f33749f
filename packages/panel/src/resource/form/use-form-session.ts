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
function createStore(firstSession: FormSession) {
  let session = firstSession
  const listeners = new Set<() => void>()
  return {
    get: () => session,
    set: (nextSession: FormSession) => {
      session = nextSession
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useFormSession(form: UseFormReturn<FormValues>, resource: Resource, storedValues: FormValues) {
  const [store] = useState(() => createStore(openSession(storedValues)))
  const pendingConflict = useSyncExternalStore(store.subscribe, () => store.get().pendingConflicts.length)
  const openConflicts = useSyncExternalStore(store.subscribe, () => store.get().openConflicts)

  const load = useCallback(
    (newValues: FormValues, typedValues: FormValues, baseValues?: FormValues): FieldPlace[] => {
      const loadedRecord = loadRecord(store.get(), resource, newValues, typedValues, baseValues)
      if (newValues !== store.get().base) form.reset(newValues, { keepErrors: true })
      store.set(loadedRecord.session)
      setTypedValues(form, loadedRecord.typed, newValues)
      return loadedRecord.mergedFields
    },
    [store, form, resource],
  )
  /** Loads newer values of the server into the form. Returns the places that took them. */
  const renewSession = useCallback((newValues: FormValues) => load(newValues, form.getValues()), [load, form])

  const lastStoredValues = useRef(storedValues)
  useEffect(() => {
    if (lastStoredValues.current === storedValues) return
    lastStoredValues.current = storedValues
    renewSession(storedValues)
  }, [renewSession, storedValues])

  const conflicts = () => conflictsOf(store.get(), form.getValues())
  return {
    get: store.get,
    /** Returns the values of the record on the server when typing started. */
    base: useCallback(() => store.get().base, [store]),
    renew: renewSession,
    /** Sets a stored draft in the form's inputs, merged with the current values of the server. */
    restoreDraft: useCallback(
      (typedValues: FormValues, baseValues?: FormValues) => void load(store.get().base, typedValues, baseValues),
      [load, store],
    ),
    /** Starts the session anew from these values after a save, or after changes were discarded. */
    settleValues: (base: FormValues) => store.set(settleSession(store.get(), base)),
    conflicts,
    /** Number of unresolved conflicts of the form. */
    pending: pendingConflict,
    /** Conflicts of typed with newer stored values, which the user must decide. */
    openConflicts,
    ask: (conflictList: readonly Conflict[] = conflicts()) =>
      store.set(openSessionConflicts(store.get(), conflictList)),
    choose: (choices: Readonly<Record<string, ConflictSide>>) => {
      const { session, typed } = chooseValues(store.get(), form.getValues(), choices)
      setTypedValues(form, typed, session.base)
      store.set(session)
    },
  }
}

export type OpenSession = ReturnType<typeof useFormSession>
