/** The language of a reader without one in the address. */
import { isLocale, type Locale } from '@dala/model'

/** Language of a reader whose browser asks for none of the four: that of the panel at first. */
const usualLocale: Locale = 'ru'
/** Languages that are compared; browsers send fewer. */
const maxLanguages = 20

/**
 * Chooses the language with the highest weight in `Accept-Language`.
 *
 * @param header - The header of the request.
 * @returns One of the four languages.
 * @example
 * chooseLanguage('de, uz;q=0.8, en;q=0.5') // 'uz'
 */
export function chooseLanguage(header: string | undefined): Locale {
  const candidates = (header ?? '')
    .split(',', maxLanguages)
    .map((item) => {
      const [tag = '', ...parameters] = item
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/u)
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return { language: tag.split('-')[0], weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((first, second) => second.weight - first.weight)
  return candidates.map(({ language }) => language).find(isLocale) ?? usualLocale
}
