/** Chooses the language of a record to edit next. */
import { type Locale, locales, type Resource } from '@dala/model'
import { coverageOf, type LanguageFamily, type FormValues } from './values.ts'

/** Next language to edit: a missing or outdated one in cyclic order; else the following one. */
export function nextLanguage(
  resource: Resource,
  texts: FormValues['texts'],
  languageFamily: LanguageFamily,
  language: Locale,
): { locale: Locale; isWanting: boolean } {
  const position = locales.indexOf(language)
  const otherLanguages = [...locales.slice(position + 1), ...locales.slice(0, position)]
  const lacksText = (locale: Locale) =>
    coverageOf(resource, texts[locale]).filled === 0 || languageFamily.get(locale)?.outdated === true
  const unfinishedLanguage = otherLanguages.find(lacksText)
  return { locale: unfinishedLanguage ?? otherLanguages[0] ?? language, isWanting: unfinishedLanguage !== undefined }
}
