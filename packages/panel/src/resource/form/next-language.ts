/** Chooses the language of a record to edit next. */
import { type Locale, locales, type Resource } from '@dala/model'
import { coverageOf, type Family, type FormValues } from './values.ts'

/** The next missing or outdated language in cyclic order; else the following one. */
export function nextLanguage(
  resource: Resource,
  texts: FormValues['texts'],
  family: Family,
  language: Locale,
): { locale: Locale; isWanting: boolean } {
  const place = locales.indexOf(language)
  const others = [...locales.slice(place + 1), ...locales.slice(0, place)]
  const isWanting = (locale: Locale) =>
    coverageOf(resource, texts[locale]).filled === 0 || family.get(locale)?.outdated === true
  const wanting = others.find(isWanting)
  return { locale: wanting ?? others[0] ?? language, isWanting: wanting !== undefined }
}
