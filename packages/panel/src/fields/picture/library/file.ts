/** Details of a picture's record: its texts, its size, its file size. */
import { type Entry, isLocale, type Locale, locales, type Translations } from '@dala/model'
import { formatBytes, type Translate } from '../../../lib/format.ts'
import { isType, types } from './view.ts'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** The texts of a picture file by language; without them the plain text, which is English (contract §10). */
function textsOf(texts: unknown, fallback: unknown): Translations {
  const stored = isObject(texts) ? Object.entries(texts) : textOf(fallback) ? [['en', fallback] as const] : []
  return Object.fromEntries(stored.filter(([locale, text]) => isLocale(locale) && textOf(text) !== ''))
}

export const altOf = ({ alt, alternativeText }: Entry): Translations => textsOf(alt, alternativeText)
export const captionsOf = ({ captions, caption }: Entry): Translations => textsOf(captions, caption)
export const languagesIn = (texts: Translations): Locale[] => locales.filter((locale) => texts[locale])

export const folderOf = ({ folder }: Entry): string => textOf(folder)

/** Text of a file size in kilobytes: 240 KB, 1.5 MB. */
export function sizeText(t: Translate, locale: Locale, kilobytes: unknown): string {
  const size = numberOf(kilobytes)
  return size === undefined ? '' : formatBytes(t, locale, size * 1000)
}

/** Text of a picture's size: 1920 × 1080 px; undefined where the size is not known. */
export function dimensionsText(t: Translate, { width, height }: Entry): string {
  const [across, down] = [numberOf(width), numberOf(height)]
  return across && down ? t('library.pixels', { width: String(across), height: String(down) }) : ''
}

/** Format of a picture file: JPEG, PNG, WebP, GIF. */
export function typeText({ mime }: Entry): string {
  const kind = textOf(mime).replace('image/', '')
  return isType(kind) ? types[kind] : kind
}
