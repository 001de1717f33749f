/** The language of a reader without one in the address. */
import { isLocale, type Locale, type WrittenLocale, writtenLocale } from '@dala/model'

/** Language of a reader whose browser asks for none of the four: that of the panel at first. */
const usualLocale: Locale = 'ru'
/** Languages that are compared; browsers send fewer. */
const maxLanguages = 20

/**
 * Chooses the language with the highest weight in `Accept-Language`.
 *
 * @param header - The header of the request.
 * @returns One of the four languages, in Cyrillic for `uz-Cyrl` and `kaa-Cyrl`.
 * @example
 * chooseLanguage('de, uz;q=0.8, en;q=0.5') // 'uz'
 */
export function chooseLanguage(header: string | undefined): WrittenLocale {
  const candidates = (header ?? '')
    .split(',', maxLanguages)
    .map((item) => {
      const [tag = '', ...parameters] = item
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/u)
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      const [language, ...subtags] = tag.split('-')
      return { language, isCyrillic: subtags.includes('cyrl'), weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((first, second) => second.weight - first.weight)
  for (const { language, isCyrillic } of candidates)
    if (isLocale(language)) return writtenLocale(language, isCyrillic ? 'cyrillic' : 'latin')
  return usualLocale
}
