/**
 * Slugs: the short keys of texts in addresses. The server fills empty slugs and forms preview them with the
 * same code.
 */
import { foldCase } from './fold.ts'
import { readTranslations } from '../locales.ts'

/**
 * Letters that need more than the removal of their marks. Cyrillic follows the Latin spelling that readers of
 * Russian and Karakalpak use.
 */
const latinSpellings = new Map(
  Object.entries({
    а: 'a',
    б: 'b',
    в: 'v',
    г: 'g',
    д: 'd',
    е: 'e',
    ё: 'yo',
    ж: 'zh',
    з: 'z',
    и: 'i',
    й: 'y',
    к: 'k',
    л: 'l',
    м: 'm',
    н: 'n',
    о: 'o',
    п: 'p',
    р: 'r',
    с: 's',
    т: 't',
    у: 'u',
    ф: 'f',
    х: 'kh',
    ц: 'ts',
    ч: 'ch',
    ш: 'sh',
    щ: 'sch',
    ъ: '',
    ы: 'y',
    ь: '',
    э: 'e',
    ю: 'yu',
    я: 'ya',
    ә: 'a',
    ғ: 'g',
    қ: 'q',
    ң: 'n',
    ө: 'o',
    ү: 'u',
    ұ: 'u',
    ў: 'o',
    ҳ: 'h',
    һ: 'h',
    і: 'i',
    ї: 'yi',
    є: 'ye',
    ґ: 'g',
    ı: 'i',
    æ: 'ae',
    ø: 'o',
    ß: 'ss',
    ð: 'd',
    þ: 'th',
    đ: 'd',
    ł: 'l',
    œ: 'oe',
    '&': ' and ',
  }),
)

/** Apostrophes that belong to a letter: without them oʻzbek is one word. */
const apostrophes = /[ʻʼ'‘’`´]/g
/**
 * Marks above and below letters, after decomposition. й and ё are separate letters and were replaced before.
 */
const marks = /\p{M}/gu

const maxSlugLength = 200

/**
 * Converts a text to a slug; empty when none of its characters has a spelling.
 *
 * @example
 * toSlug('Gʻoʻza Paxta') // 'goza-paxta'
 * toSlug('Хлопок') // 'khlopok'
 */
export function toSlug(text: string): string {
  const plainText = foldCase(text.normalize('NFC').replace(apostrophes, ''))
  const respelledText = plainText.replaceAll('ый', 'ий').replaceAll('ъе', 'ъйе')
  const latinText = Array.from(respelledText, (letter) => latinSpellings.get(letter) ?? letter).join('')
  const latinWords = latinText
    .normalize('NFD')
    .replace(marks, '')
    .split(/[^a-zA-Z0-9]+/)
  return foldCase(latinWords.filter((latinWord) => latinWord !== '').join('-'))
    .slice(0, maxSlugLength)
    .replace(/-$/, '')
}

/**
 * The slug of a field's value: of a text, or of English, then Uzbek, then any other of its translations.
 *
 * @example
 * slugOf({ ru: 'Хлопок', uz: 'Paxta' }) // 'paxta'
 */
export function slugOf(source: unknown): string {
  if (typeof source === 'string') return toSlug(source)
  if (typeof source !== 'object' || source === null) return ''
  const { en, uz } = { en: undefined, uz: undefined, ...source }
  const text: unknown = en ?? uz ?? readTranslations(source, 'en')
  return typeof text === 'string' ? toSlug(text) : ''
}
