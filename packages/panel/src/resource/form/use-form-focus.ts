/** Moves the focus of a form to a field, also in another language. */
import { isLocale, type Locale, type Resource } from '@dala/model'
import { useLocation } from '@tanstack/react-router'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { focusField, focusFirstField } from './focus.ts'
import { writableFields } from './values.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The record was just created, and the user continues in the language of the address. */
    writesOn?: boolean
  }
}

interface FormFocusOptions {
  element: RefObject<HTMLFormElement | null>
  /** The resource with only the writable fields. */
  written: Resource
  /** The visible language. */
  language: Locale
  setLanguage: (language: Locale) => void
  /** The form follows "Save and add another". */
  isNext: boolean
}

export function useFormFocus({ element, written, language, setLanguage, isNext }: FormFocusOptions) {
  useEffect(() => {
    if (isNext) focusFirstField(element.current)
  }, [element, isNext])

  // A field of another language is rendered after the language has changed, so the focus is tried after each
  // render.
  const wanted = useRef<string | undefined>(undefined)
  const focusWanted = () => {
    if (wanted.current !== undefined && focusField(wanted.current)) wanted.current = undefined
  }
  useEffect(focusWanted)
  const goTo = (name: string | undefined) => {
    const [, locale] = /^texts\.(\w+)\./.exec(name ?? '') ?? []
    wanted.current = name
    if (isLocale(locale) && locale !== language) setLanguage(locale)
    else focusWanted()
  }

  /** Shows another language, with the focus in its first text. */
  const goToLanguage = (locale: Locale) => {
    const [first] = writableFields(written).find(([, field]) => field.localized) ?? []
    if (first) goTo(`texts.${locale}.${first}`)
  }
  // The new address has moved the focus to the start of the page.
  const writesOn = useLocation({ select: ({ state }) => state.writesOn === true })
  const writeOn = useEffectEvent(() => goToLanguage(language))
  useEffect(() => {
    if (!writesOn) return
    const frame = requestAnimationFrame(() => writeOn())
    return () => cancelAnimationFrame(frame)
  }, [writesOn])
  return { goTo, goToLanguage }
}
