/** Binds the session of a form to its inputs. */
import type { Resource } from '@dala/model'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import {
  askAbout,
  chooseValues,
  conflictsOf,
  type FormSession,
  loadRecord,
  openSession,
  settleAt,
} from './form-session.ts'
import type { Conflict, FieldPlace, Whose } from './saving/merge.ts'
import { type FormValues, typeIn } from './values.ts'

/** A session that is read between two renders, too. */
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
  const pending = useSyncExternalStore(store.subscribe, () => store.get().pending.length)
  const asked = useSyncExternalStore(store.subscribe, () => store.get().asked)

  const load = useCallback(
    (next: FormValues, typed: FormValues, from?: FormValues): FieldPlace[] => {
      const loaded = loadRecord(store.get(), resource, next, typed, from)
      if (next !== store.get().base) form.reset(next, { keepErrors: true })
      store.set(loaded.session)
      typeIn(form, loaded.typed, next)
      return loaded.taken
    },
    [store, form, resource],
  )
  /** Loads newer values of the server. Returns where they were taken. */
  const renew = useCallback((next: FormValues) => load(next, form.getValues()), [load, form])

  const known = useRef(stored)
  useEffect(() => {
    if (known.current === stored) return
    known.current = stored
    renew(stored)
  }, [renew, stored])

  const conflicts = () => conflictsOf(store.get(), form.getValues())
  return {
    get: store.get,
    /** The values on the server, from which the typing began. */
    base: useCallback(() => store.get().base, [store]),
    renew,
    /** Puts a draft into the inputs, merged with what the server has by now. */
    restore: useCallback(
      (typed: FormValues, from?: FormValues) => void load(store.get().base, typed, from),
      [load, store],
    ),
    /** Begins from these values: they were saved, or changes discarded. */
    settle: (base: FormValues) => store.set(settleAt(store.get(), base)),
    conflicts,
    /** How many fields wait for a decision. */
    pending,
    /** Conflicts that the user is asked about. */
    asked,
    ask: (about: readonly Conflict[] = conflicts()) => store.set(askAbout(store.get(), about)),
    choose: (chosen: Readonly<Record<string, Whose>>) => {
      const { session, typed } = chooseValues(store.get(), form.getValues(), chosen)
      typeIn(form, typed, session.base)
      store.set(session)
    },
  }
}

export type OpenSession = ReturnType<typeof useFormSession>
