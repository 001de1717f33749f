/** What the typed values began with: what the server has since is joined with them, and what both changed waits for a choice. */
import { locales, type Resource } from '@dala/model'
import { useCallback, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { type FormValues, typeIn, type Values } from '../values.ts'
import { type Conflict, decide, type FieldPlace, isSame, keyOfPlace, merge } from './merge.ts'

/** A field that both have changed, with what both began with. */
type Waiting = FieldPlace & { base: unknown }

const valueAt = ({ shared, texts }: FormValues, { field, locale }: FieldPlace) =>
  (locale ? texts[locale] : shared)?.[field]

/** The values that are not the server's own: only those are typed, because every one of them draws its field. */
const changedIn = ({ shared, texts }: FormValues, stored: FormValues): FormValues => {
  const changed = (values: Values, from: Values = {}): Values =>
    Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== from[name]))
  const languages = locales.flatMap((locale) => {
    const values = texts[locale]
    return values ? [[locale, changed(values, stored.texts[locale])] as const] : []
  })
  return { shared: changed(shared, stored.shared), texts: Object.fromEntries(languages) }
}

export function useFormBase(form: UseFormReturn<FormValues>, resource: Resource, stored: FormValues) {
  const base = useRef(stored)
  const waiting = useRef<readonly Waiting[]>([])
  const [count, setCount] = useState(0)

  const put = useCallback((next: readonly Waiting[]) => {
    waiting.current = next
    setCount(next.length)
  }, [])

  const current = useCallback(() => base.current, [])

  /** Puts into the form what came of `from` here (`mine`) and on the server (`theirs`). Out: what was taken from there. */
  const join = useCallback(
    (from: FormValues, mine: FormValues, theirs: FormValues): FieldPlace[] => {
      const { values, conflicts, taken } = merge(resource, from, mine, theirs)
      if (theirs !== base.current) form.reset(theirs, { keepErrors: true })
      base.current = theirs
      typeIn(form, changedIn(values, theirs), theirs)
      const known = new Set(conflicts.map(keyOfPlace))
      put([...waiting.current.filter((place) => !known.has(keyOfPlace(place))), ...conflicts])
      return taken
    },
    [form, resource, put],
  )

  return {
    join,
    current,
    /** A newer record: it keeps what was changed here and renews the rest. */
    renew: useCallback((theirs: FormValues) => join(base.current, form.getValues(), theirs), [join, form]),
    /** What was saved is what the next change begins with. */
    settle: useCallback(
      (saved: FormValues) => {
        base.current = saved
        put([])
      },
      [put],
    ),
    /** How many fields both have changed. */
    waiting: count,
    /** What both have changed, as it stands now. */
    conflicts: (): Conflict[] =>
      waiting.current
        .map((place) => ({ ...place, mine: valueAt(form.getValues(), place), theirs: valueAt(base.current, place) }))
        .filter(({ mine, theirs }) => !isSame(mine, theirs)),
    /** A reader has decided. */
    choose: (conflicts: readonly Conflict[], chosen: Readonly<Record<string, 'mine' | 'theirs'>>) => {
      typeIn(form, decide(form.getValues(), conflicts, chosen), base.current)
      put([])
    },
  }
}

export type FormBase = ReturnType<typeof useFormBase>
