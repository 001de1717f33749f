/** What the record of a picture says: its smaller copies, its texts, its weight. */
import { type Entry, isLocale, type Locale, locales, type Translations } from '@dala/model'
import { fileAddress } from '../../api/client.ts'
import { formatNumber, type Translate } from '../../lib/format.ts'
import { isType, types } from './library-view.ts'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** The address of a copy of at least this width, as WebP where there is one; the picture itself where none is large enough. */
export function copyOf({ formats, url }: Entry, width: number): string | undefined {
  const copies = (isObject(formats) ? Object.values(formats) : [])
    .filter(isObject)
    .map((copy) => ({
      width: numberOf(copy['width']) ?? 0,
      url: textOf(isObject(copy['webp']) ? copy['webp']['url'] : undefined) || textOf(copy['url']),
    }))
    .filter((copy) => copy.url !== '')
    .toSorted((left, right) => left.width - right.width)
  return fileAddress(copies.find((copy) => copy.width >= width)?.url ?? textOf(url))
}

/** The texts of a file by language; without them the plain one, which is the English (contract §10). */
function textsOf(texts: unknown, plain: unknown): Translations {
  const known = isObject(texts) ? Object.entries(texts) : textOf(plain) ? [['en', plain] as const] : []
  return Object.fromEntries(known.filter(([locale, text]) => isLocale(locale) && textOf(text) !== ''))
}

export const altOf = ({ alt, alternativeText }: Entry): Translations => textsOf(alt, alternativeText)
export const captionsOf = ({ captions, caption }: Entry): Translations => textsOf(captions, caption)
export const languagesIn = (texts: Translations): Locale[] => locales.filter((locale) => texts[locale])

export const folderOf = ({ folder }: Entry): string => textOf(folder)

/** A weight in thousands of bytes, in words: 240 KB, 1.5 MB. */
export function weightWords(t: Translate, locale: Locale, kilobytes: unknown): string {
  const size = numberOf(kilobytes)
  if (size === undefined) return ''
  if (size < 1000) return t('unit.kilobytes', { size: formatNumber(locale, Math.max(1, Math.round(size))) })
  const megabytes = Math.round(size / 100) / 10
  return t('library.megabytes', { size: formatNumber(locale, megabytes) })
}

/** 1920 × 1080 px; nothing where it is not known. */
export function pixelWords(t: Translate, { width, height }: Entry): string {
  const [across, down] = [numberOf(width), numberOf(height)]
  return across && down ? t('library.pixels', { width: String(across), height: String(down) }) : ''
}

/** JPEG, PNG, WebP, GIF. */
export function typeWords({ mime }: Entry): string {
  const kind = textOf(mime).replace('image/', '')
  return isType(kind) ? types[kind] : kind
}
