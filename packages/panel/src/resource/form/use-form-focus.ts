/** Moves the focus of a form to a field, also in another language. */
import { isLocale, type Locale, type Resource } from '@dala/model'
import { useLocation } from '@tanstack/react-router'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { focusField, focusFirstField } from './focus.ts'
import { writableFields } from './values.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether the record was just created, and the user continues in the language of the address. */
    writesOn?: boolean
  }
}

interface FormFocusOptions {
  element: RefObject<HTMLFormElement | null>
  /** The resource with only the fields that the user may write. */
  writableResource: Resource
  /** Visible language of the form. */
  language: Locale
  setLanguage: (language: Locale) => void
  /** Whether the form was opened by "Save and add another". */
  isAnotherRecord: boolean
}

export function useFormFocus({
  element,
  writableResource,
  language,
  setLanguage,
  isAnotherRecord: isNext,
}: FormFocusOptions) {
  useEffect(() => {
    if (isNext) focusFirstField(element.current)
  }, [element, isNext])

  // A field of another language renders later, so the focus is tried after each render.
  const pendingField = useRef<string | undefined>(undefined)
  const focusPendingField = () => {
    if (pendingField.current !== undefined && focusField(pendingField.current)) pendingField.current = undefined
  }
  useEffect(focusPendingField)
  const goTo = (name: string | undefined) => {
    const [, locale] = /^texts\.(\w+)\./.exec(name ?? '') ?? []
    pendingField.current = name
    if (isLocale(locale) && locale !== language) setLanguage(locale)
    else focusPendingField()
  }

  /** Shows another language of the form, with the focus in its first text. */
  const goToLanguage = (locale: Locale) => {
    const [firstField] = writableFields(writableResource).find(([, field]) => field.localized) ?? []
    if (firstField) goTo(`texts.${locale}.${firstField}`)
  }
  // The page of a record that was just created gives the focus back to the field in which the user was
  // typing.
  const writesOn = useLocation({ select: ({ state }) => state.writesOn === true })
  const focusLanguage = useEffectEvent(() => goToLanguage(language))
  useEffect(() => {
    if (!writesOn) return
    const frame = requestAnimationFrame(() => focusLanguage())
    return () => cancelAnimationFrame(frame)
  }, [writesOn])
  return { goTo, goToLanguage }
}
