/** Brings back what was typed before a reload, and keeps what is being typed now. */
import { isLocale } from '@dala/model'
import { useEffect, useRef, useState } from 'react'
import type { FieldPath, UseFormReturn } from 'react-hook-form'
import type { Attempts } from './form-attempts.ts'
import { keepDraft, readDraft } from './form-draft.ts'
import type { FormValues, Values } from './form-values.ts'

export const pathOf = (name: string): FieldPath<FormValues> => name as FieldPath<FormValues>

/** Puts values into the form as typed: fields that it does not have, of an older draft, are left out. */
export function typeIn(form: UseFormReturn<FormValues>, { shared, texts }: FormValues, stored: FormValues): void {
  const put = (part: string, typed: Values | undefined, known: Values | undefined) => {
    for (const [name, value] of Object.entries(typed ?? {})) {
      if (known && name in known) form.setValue(pathOf(`${part}.${name}`), value, { shouldDirty: true })
    }
  }
  put('shared', shared, stored.shared)
  for (const [locale, values] of Object.entries(texts)) {
    if (isLocale(locale)) put(`texts.${locale}`, values, stored.texts[locale])
  }
}

/** In: the form, its key, and the values on the server. */
export function useFormDraft(form: UseFormReturn<FormValues>, resource: string, index: string, stored: FormValues) {
  const [kept] = useState(() => readDraft(resource, index))
  const [restoredAt, setRestoredAt] = useState(kept?.at)
  const attempts = useRef<Attempts>(kept?.attempts ?? {})
  const first = useRef(stored)

  useEffect(() => {
    if (kept) typeIn(form, kept.values, first.current)
  }, [form, kept])

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const keepNow = () => {
      clearTimeout(timer)
      timer = undefined
      keepDraft(resource, index, form.formState.isDirty ? form.getValues() : null, attempts.current)
    }
    const unsubscribe = form.subscribe({
      formState: { values: true },
      callback: () => {
        clearTimeout(timer)
        timer = setTimeout(keepNow, 400)
      },
    })
    const keepChanges = () => {
      if (form.formState.isDirty) keepNow()
    }
    window.addEventListener('pagehide', keepChanges)
    return () => {
      if (timer !== undefined) keepNow()
      window.removeEventListener('pagehide', keepChanges)
      unsubscribe()
    }
  }, [form, resource, index])

  return {
    restoredAt,
    attempts,
    /** Keeps the values now, with what was sent. */
    keep: (values: FormValues) => keepDraft(resource, index, values, attempts.current),
    forget: () => {
      attempts.current = {}
      setRestoredAt(undefined)
      keepDraft(resource, index, null)
    },
  }
}
